import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter-preact';
import { adminApi } from '../../api/admin.ts';
import { api, body, type Schema } from '../../api/client.ts';
import { type Session, timeZoneOf } from '../../api/session.ts';
import { formatInstant, t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useKeysOf, usePeople } from './admin-api.ts';
import { AuditFilters, FIELDS } from './audit-filters.tsx';

type Entry = Schema['AuditEntry'];
const PAGE = 100;

/** Lists who changed something, newest first. People of the installation may see its own rows too. */
export function Audit({ session, companyKey }: { session: Session; companyKey: string | null }) {
  const [filters, setFilters] = useSearchParams();
  const ofInstallation = session.ofInstallation && (companyKey === null || filters.get('of') === 'installation');
  const people = usePeople(companyKey ?? '').data ?? [];
  const keys = useKeysOf(companyKey ?? '').data ?? [];
  const actors: readonly (readonly [string, string])[] = [
    ...people.map(({ id, email }) => [`user:${id}`, email] as const),
    ...keys.map(({ id, name }) => [`key:${id}`, name] as const),
    ['cli', t('admin.cli')],
    ['board', t('admin.board')],
  ];
  const chosen = Object.fromEntries(FIELDS.map((name) => [name, filters.get(name) ?? '']).filter(([, value]) => value));
  const list = useInfiniteQuery({
    queryKey: ['list', 'admin', 'audit', ofInstallation, chosen],
    queryFn: ({ pageParam }) => readPage(ofInstallation, chosen, pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: (last: Entry[]) => (last.length < PAGE ? null : (last.at(-1)?.id ?? null)),
  });
  const entries = list.data?.pages.flat() ?? [];
  return (
    <section>
      <h2>{t('admin.part.audit')}</h2>
      <p class="quiet">{t('admin.auditWhat')}</p>
      {session.ofInstallation && companyKey !== null && (
        <label>
          <input
            type="checkbox"
            checked={ofInstallation}
            onChange={({ currentTarget }) =>
              setFilters({ ...chosen, ...(currentTarget.checked ? { of: 'installation' } : {}) }, { replace: true })
            }
          />{' '}
          {t('admin.auditInstallation')}
        </label>
      )}
      <AuditFilters
        key={filters.toString()}
        filters={filters}
        actors={actors}
        set={(next) => setFilters(next, { replace: true })}
      />
      {list.isPending && <p>{t('app.loading')}</p>}
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && entries.length === 0 && <p class="empty">{t('admin.noAudit')}</p>}
      <ul class="cards">
        {entries.map((entry) => (
          <li key={entry.id}>
            <Row entry={entry} who={new Map(actors).get(entry.actor)} timeZone={timeZoneOf(session)} />
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

function readPage(ofInstallation: boolean, chosen: Record<string, string>, cursor: number | null): Promise<Entry[]> {
  const query = { ...chosen, limit: PAGE, ...(cursor === null ? {} : { cursor }) };
  if (ofInstallation) return body(adminApi.GET('/api/v1/admin/audit', { params: { query } }));
  return body(api.GET('/api/v1/external/audit', { params: { query } }));
}

interface RowProps {
  entry: Entry;
  who: string | undefined;
  timeZone: string;
}

function Row({ entry, who, timeZone }: RowProps) {
  const { at, actor, operation, targets, targetCount, outcome, code, status } = entry;
  return (
    <details>
      <summary class="wrapped">
        {formatInstant(at, timeZone)} <strong>{who ?? actor}</strong> <code>{operation}</code> {targets[0]}
        {targetCount > 1 && ` ${t('admin.andMore', { count: targetCount - 1 })}`}{' '}
        {outcome === 'failed' && <span class="status bad">{code ?? status}</span>}
      </summary>
      <dl class="facts">
        <dt>{t('admin.who')}</dt>
        <dd>
          {actor} {who !== undefined && who !== actor && who}
        </dd>
        <dt>{t('admin.through')}</dt>
        <dd>
          {t(`admin.channel.${entry.channel}`)} {entry.address}
        </dd>
        <dt>{t('admin.target')}</dt>
        <dd>
          {targets.length === 0 && '–'}
          {targets.map((target) => (
            <Target key={target} target={target} />
          ))}
          {targetCount > targets.length && t('admin.andMore', { count: targetCount - targets.length })}
        </dd>
        <dt>{t('admin.outcome')}</dt>
        <dd>
          {t(`admin.outcome.${outcome}`)} {status !== null && `HTTP ${status}`} {code}
          {entry.replay && ` ${t('admin.replay')}`}
        </dd>
        <dt>{t('admin.request')}</dt>
        <dd>{entry.requestId}</dd>
      </dl>
    </details>
  );
}

/** Shows an id such as `order:12`; an order leads to its page. */
function Target({ target }: { target: string }) {
  const [, order] = /^order:(\d+)$/.exec(target) ?? [];
  return <>{order === undefined ? `${target} ` : <Link href={`/orders/${order}`}>{target} </Link>}</>;
}
