import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { formatInstant, formatNumber, t } from '../../i18n/index.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import { AGAIN_MS, type Delivery, type Endpoint, PAGE, readDeliveries, readEvent } from './events-api.ts';
import { errorWords } from './words.ts';

/** Lists every try to deliver an event, newest first. */
export function Deliveries({ endpoint, timeZone }: { endpoint: Endpoint; timeZone: string }) {
  const list = useInfiniteQuery({
    queryKey: ['list', 'endpoints', 'deliveries', endpoint.id],
    queryFn: ({ pageParam }) => readDeliveries(endpoint.id, pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: (last: Delivery[]) => (last.length < PAGE ? null : (last.at(-1)?.id ?? null)),
    refetchInterval: AGAIN_MS,
  });
  const deliveries = list.data?.pages.flat() ?? [];
  return (
    <section>
      <h2 class="wrapped">{t('events.deliveries', { url: endpoint.url })}</h2>
      {list.isPending && <p>{t('app.loading')}</p>}
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && deliveries.length === 0 && <p class="empty">{t('events.noDeliveries')}</p>}
      <ul class="cards">
        {deliveries.map((delivery) => (
          <li key={delivery.id}>
            <DeliveryRow delivery={delivery} timeZone={timeZone} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <button type="button" class="more" onClick={() => void list.fetchNextPage()}>
          {t('list.more')}
        </button>
      )}
    </section>
  );
}

function DeliveryRow({ delivery, timeZone }: { delivery: Delivery; timeZone: string }) {
  const { sequence, type, status, httpStatus, error, number, isReplay, startedAt, durationMs } = delivery;
  return (
    <>
      <span class={`status ${status === 'delivered' ? 'done' : 'bad'}`}>{t(`events.delivery.${status}`)}</span>{' '}
      <strong>{t('events.event', { number: formatNumber(sequence) })}</strong> {t(`events.type.${type}`)}{' '}
      <span class="quiet">
        {formatInstant(startedAt, timeZone)}, {t('events.try', { number })}
        {isReplay && `, ${t('events.isReplay')}`}
      </span>
      {error !== null && <span class="bad"> {errorWords(error, httpStatus)}</span>}
      <Disclosure
        title={t('events.details')}
        content={() => (
          <>
            <Request delivery={delivery} />
            <p>
              <strong>{t('desk.answer')}</strong>: {httpStatus === null ? t('desk.noAnswer') : `HTTP ${httpStatus}`}{' '}
              <span class="quiet">{t('desk.duration', { ms: durationMs })}</span>
            </p>
            <p class="quiet">{t('events.noAnswerText')}</p>
          </>
        )}
      />
    </>
  );
}

/** Shows what was sent, as GET /events still has it. */
function Request({ delivery: { sequence, eventId } }: { delivery: Delivery }) {
  const event = useQuery({ queryKey: ['event', sequence], queryFn: () => readEvent(sequence) });
  if (event.isPending) return <p>{t('app.loading')}</p>;
  if (event.isError) return <ProblemNote error={event.error} />;
  if (event.data === null) return <p class="quiet">{t('desk.noText')}</p>;
  const { id: _id, ...body } = event.data;
  return (
    <Scrolled label={t('desk.request')}>
      <strong>{t('desk.request')}</strong> <code>webhook-id: {eventId}</code>
      <pre>{JSON.stringify(body, null, 2)}</pre>
    </Scrolled>
  );
}
