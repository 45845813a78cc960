import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter-preact';
import { formatInstant, t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import { type Confirmation, PAGE, type Question, readConfirmations, type Shop } from './shops-api.ts';

const STATES = ['told_another', 'missing', 'told', 'read_back'] as const;
const TONES = { told_another: 'bad', missing: 'todo', told: 'done', read_back: 'done' } as const;

interface ConfirmationsProps {
  shop: Shop;
  timeZone: string;
  ask: ((question: Question) => void) | null;
}

/** Shows what a shop knows of each shipped order. The state is in the address, so a link leads to the same list. */
export function Confirmations({ shop, timeZone, ask }: ConfirmationsProps) {
  const [filters, setFilters] = useSearchParams();
  const state = STATES.find((one) => one === filters.get('state')) ?? null;
  const list = useInfiniteQuery({
    queryKey: ['list', 'shops', 'confirmations', shop.connectionId, state],
    queryFn: ({ pageParam: cursor }) => readConfirmations(shop.connectionId, { state, cursor, limit: PAGE }),
    initialPageParam: null as number | null,
    getNextPageParam: (last: Confirmation[]) => (last.length < PAGE ? null : (last.at(-1)?.orderId ?? null)),
  });
  const rows = list.data?.pages.flat() ?? [];
  const choose = (next: string): void => {
    const shown = { shop: String(shop.connectionId), ...(next === '' ? {} : { state: next }) };
    setFilters(shown, { replace: true });
  };
  return (
    <section>
      <h2>{t('shops.confirmations')}</h2>
      <div class="filters">
        <label>
          {t('shops.states')}
          <select value={state ?? ''} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            <option value="">{t('orders.any')}</option>
            {STATES.map((one) => (
              <option key={one} value={one}>
                {t(`shops.state.${one}`)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {state && <p class="quiet">{t(`shops.about.${state}`)}</p>}
      {list.isPending && <p>{t('app.loading')}</p>}
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && rows.length === 0 && (
        <p class="empty">{t(state === null ? 'shops.noConfirmations' : 'shops.noneInState')}</p>
      )}
      {rows.length > 0 && (
        <Scrolled label={t('shops.confirmations')}>
          <table class="stacked">
            <thead>
              <tr>
                <th scope="col">{t('orders.number')}</th>
                <th scope="col">{t('column.status')}</th>
                <th scope="col">{t('shops.travels')}</th>
                <th scope="col">{t('shops.shopHas')}</th>
                <th scope="col">{t('shops.lastSend')}</th>
                {ask && <th scope="col">{t('shops.action')}</th>}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.orderId}>
                  <td data-name={t('orders.number')}>
                    <Link href={`/orders/${row.orderId}`}>{row.orderNumber}</Link>
                  </td>
                  <td data-name={t('column.status')}>
                    <span class={`status ${TONES[row.state]}`}>{t(`shops.state.${row.state}`)}</span>
                  </td>
                  <td data-name={t('shops.travels')}>
                    {row.shipments.map(({ trackingNumber }) => trackingNumber).join(', ') || '–'}
                  </td>
                  <td data-name={t('shops.shopHas')}>{numbersOf(row).join(', ') || t('shops.nothing')}</td>
                  <td class="words" data-name={t('shops.lastSend')}>
                    <LastSend row={row} timeZone={timeZone} />
                  </td>
                  {ask && (
                    <td>
                      <button type="button" onClick={() => ask({ kind: 'send', shop, row })}>
                        {t(row.last === null ? 'shops.send' : 'shops.sendAgain')}
                        <span class="hidden"> {row.orderNumber}</span>
                      </button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
      {list.hasNextPage && (
        <button type="button" class="more" onClick={() => void list.fetchNextPage()}>
          {t('list.more')}
        </button>
      )}
    </section>
  );
}

/** Returns the numbers that the shop has of an order, as far as it was told. */
export function numbersOf({ shipments, deadNumbers }: Confirmation): string[] {
  return [...new Set([...shipments.flatMap(({ toldNumber }) => toldNumber ?? []), ...deadNumbers])];
}

function LastSend({ row: { last, toldAt, readBackAt }, timeZone }: { row: Confirmation; timeZone: string }) {
  const at = last?.at ?? readBackAt ?? toldAt;
  return (
    <>
      {at !== null && formatInstant(at, timeZone)}
      {(last?.status === 'pending' || last?.status === 'running') && <> {t('shops.sending')}</>}
      {last?.error && <span class="bad"> {last.error}</span>}
    </>
  );
}
