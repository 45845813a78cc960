import { useState } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { may, type Session, timeZoneOf } from '../../api/session.ts';
import { t } from '../../i18n/index.ts';
import { useKeys } from '../../ui/keys.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Deliveries } from './deliveries.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { EndpointFacts } from './endpoint-facts.tsx';
import { type Outcome, useEndpoints, type Wish } from './events-api.ts';
import { OutcomeNote } from './outcome-note.tsx';

/** Shows who receives the company's events, how deliveries go, and what was sent. */
export default function Events({ session }: { session: Session }) {
  const list = useEndpoints();
  const [filters, setFilters] = useSearchParams();
  const [wish, put] = useState<Wish | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const endpoints = list.data ?? [];
  const chosen = endpoints.find(({ id }) => String(id) === filters.get('endpoint')) ?? endpoints[0];
  const mayChange = may(session, 'events:write');
  const timeZone = timeZoneOf(session);
  useKeys({
    n: () => mayChange && put({ kind: 'create' }),
    t: () => mayChange && chosen && put({ kind: 'test', endpoint: chosen }),
  });
  return (
    <>
      <h1>{t('events.title')}</h1>
      <div class="actions">
        {mayChange && (
          <button type="button" class="main" aria-keyshortcuts="n" onClick={() => put({ kind: 'create' })}>
            {t('events.create')} (n)
          </button>
        )}
      </div>
      {outcome && <OutcomeNote outcome={outcome} />}
      {list.isPending && <p>{t('app.loading')}</p>}
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && endpoints.length === 0 && (
        <p class="empty">
          {t('events.empty')} {t(mayChange ? 'events.first' : 'events.firstByAdmin')}
        </p>
      )}
      <div class="columns">
        {endpoints.map((endpoint) => (
          <EndpointFacts
            key={endpoint.id}
            endpoint={endpoint}
            timeZone={timeZone}
            isChosen={endpoint === chosen}
            isAlone={endpoints.length === 1}
            put={mayChange ? put : null}
            choose={() => setFilters({ endpoint: String(endpoint.id) }, { replace: true })}
          />
        ))}
      </div>
      {chosen && <Deliveries key={chosen.id} endpoint={chosen} timeZone={timeZone} />}
      {wish && (
        <EndpointDialog
          wish={wish}
          onDone={(next) => {
            setOutcome(next);
            put(null);
          }}
          onEnd={() => put(null)}
        />
      )}
    </>
  );
}
