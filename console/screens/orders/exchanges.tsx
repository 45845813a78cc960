import { useQuery } from '@tanstack/react-query';
import { api, body } from '../../api/client.ts';
import { type Session, timeZoneOf } from '../../api/session.ts';
import { formatInstant, t } from '../../i18n/index.ts';
import { Exchange } from '../../ui/exchange.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { word } from './timeline-words.ts';

const LIMIT = 100;

interface ExchangesProps {
  orderId: number;
  shipmentId: number;
  session: Session;
}

/** Shows what was asked of the partners about a shipment, under the attempt that asked for it, with its outcome. */
export function Exchanges({ orderId, shipmentId, session }: ExchangesProps) {
  const path = { id: shipmentId };
  const said = useQuery({
    queryKey: ['order', orderId, 'exchanges', shipmentId],
    queryFn: async () => {
      const [{ attempts }, exchanges] = await Promise.all([
        body(api.GET('/api/v1/external/shipment/{id}', { params: { path } })),
        body(api.GET('/api/v1/external/shipment/{id}/exchanges', { params: { path, query: { limit: LIMIT } } })),
      ]);
      return { attempts, exchanges };
    },
  });
  if (said.isPending) return <p>{t('app.loading')}</p>;
  if (said.isError) return <ProblemNote error={said.error} retry={() => void said.refetch()} />;
  const { attempts, exchanges } = said.data;
  const isOfAttempt = new Set(attempts.map(({ id }) => id));
  const others = exchanges.filter(({ attemptId }) => attemptId === null || !isOfAttempt.has(attemptId));
  return (
    <>
      {attempts.length === 0 && exchanges.length === 0 && <p class="quiet">{t('exchanges.none')}</p>}
      {exchanges.length === LIMIT && <p class="quiet">{t('exchanges.cut')}</p>}
      {attempts.map((attempt) => (
        <section key={attempt.id}>
          <h3>
            {word(`timeline.attempt.${attempt.operation}`, attempt.operation)}:{' '}
            {word(`timeline.outcome.${attempt.outcome}`, attempt.outcome)}
          </h3>
          <p class="quiet">
            {formatInstant(attempt.startedAt, timeZoneOf(session))} {attempt.code} {attempt.message}
          </p>
          {exchanges
            .filter(({ attemptId }) => attemptId === attempt.id)
            .map((exchange) => (
              <Exchange key={exchange.id} exchange={exchange} session={session} />
            ))}
        </section>
      ))}
      {others.length > 0 && (
        <section>
          <h3>{t('exchanges.others')}</h3>
          {others.map((exchange) => (
            <Exchange key={exchange.id} exchange={exchange} session={session} />
          ))}
        </section>
      )}
    </>
  );
}
