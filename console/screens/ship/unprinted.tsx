import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter-preact';
import { api, body } from '../../api/client.ts';
import { formatInstant, t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

const PAGE = 200;
/** Another station's print is no event. */
const AGAIN_MS = 60_000;
const HAS_LABEL: readonly string[] = ['created', 'transmitting', 'transmitted', 'awaiting_pickup'];

interface UnprintedProps {
  timeZone: string;
  /** Opens the label of an order; null: the person may only read. */
  show: ((orderId: number) => void) | null;
}

/** Lists the labels that were bought today and are not marked as printed. */
export function Unprinted({ timeZone, show }: UnprintedProps) {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
  const list = useQuery({
    queryKey: ['list', 'unprinted', today],
    queryFn: () =>
      body(
        api.GET('/api/v1/external/shipments', {
          params: { query: { printed: 'false', direction: 'outbound', createdFrom: today, limit: PAGE } },
        }),
      ),
    refetchInterval: AGAIN_MS,
  });
  const shipments = list.data?.filter(({ status }) => HAS_LABEL.includes(status)) ?? [];
  return (
    <section aria-label={t('ship.unprinted')}>
      <h2>{t('ship.unprinted')}</h2>
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && shipments.length === 0 && <p class="empty">{t('ship.allPrinted')}</p>}
      <ul class="cards">
        {shipments.map(({ id, orderId, orderNumber, carrier, trackingNumber, createdAt }) => (
          <li key={id}>
            <Link href={`/orders/${orderId}`}>{t('order.title', { number: orderNumber })}</Link> {carrier.name}{' '}
            <code>{trackingNumber}</code> <span class="quiet">{formatInstant(createdAt, timeZone)}</span>{' '}
            {show && (
              <button type="button" onClick={() => show(orderId)}>
                {t('ship.show', { number: orderNumber })}
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
