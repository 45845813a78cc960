import { useQuery } from '@tanstack/react-query';
import { useState } from 'preact/hooks';
import { api, body, type Schema } from '../../api/client.ts';
import { may, type Session, timeZoneOf } from '../../api/session.ts';
import { formatInstant, t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type AuditEntry, auditTitleOf, type Entry, titleOf } from './timeline-words.ts';

const AUDIT_PAGE = 100;

interface TimelineProps {
  detail: Schema['OrderDetail'];
  session: Session;
}

/** Shows everything that happened to an order, newest last. The audit log is read when a person asks for it. */
export function Timeline({ detail, session }: TimelineProps) {
  const { id } = detail.order;
  const [showsAudit, showAudit] = useState(false);
  const timeline = useQuery({
    queryKey: ['order', id, 'timeline'],
    queryFn: () => body(api.GET('/api/v1/external/orders/{id}/timeline', { params: { path: { id } } })),
  });
  const audit = useQuery({
    queryKey: ['order', id, 'audit'],
    queryFn: () => readAudit([`order:${id}`, ...detail.shipments.map((shipment) => `shipment:${shipment.id}`)]),
    enabled: showsAudit,
  });
  if (timeline.isPending) return <p>{t('app.loading')}</p>;
  if (timeline.isError) return <ProblemNote error={timeline.error} retry={() => void timeline.refetch()} />;
  const rows = [
    ...timeline.data.entries.map((entry) => ({ at: entry.at, entry })),
    ...(audit.data?.lines ?? []).map((line) => ({ at: line.at, line })),
  ].sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const timeZone = timeZoneOf(session);
  return (
    <section aria-label={t('timeline.title')}>
      <h2>{t('timeline.title')}</h2>
      {!timeline.data.isComplete && <p class="quiet">{t('timeline.cut')}</p>}
      {audit.data?.isCut && <p class="quiet">{t('timeline.auditCut')}</p>}
      <ol class="timeline">
        {rows.map((row, index) => (
          <li key={index}>
            <time class="quiet" dateTime={row.at}>
              {formatInstant(row.at, timeZone)}
            </time>{' '}
            {'entry' in row ? <Happened entry={row.entry} /> : <Audited line={row.line} />}
          </li>
        ))}
      </ol>
      {may(session, 'audit:read') && (
        <label class="check">
          <input
            type="checkbox"
            checked={showsAudit}
            onChange={({ currentTarget }) => showAudit(currentTarget.checked)}
          />{' '}
          {t('timeline.who')}
        </label>
      )}
      {showsAudit && audit.isError && <ProblemNote error={audit.error} />}
    </section>
  );
}

function Happened({ entry }: { entry: Entry }) {
  const { outcome, shipmentId, details, requestId } = entry;
  const isBad = outcome === 'failed' || outcome === 'unknown' || outcome === 'refused';
  return (
    <>
      <span class={isBad ? 'bad' : ''}>{titleOf(entry)}</span>{' '}
      <span class="quiet">
        {shipmentId !== null && t('timeline.shipment', { id: shipmentId })} {details.join(', ')}{' '}
        {requestId !== null && t('problem.request', { id: requestId })}
      </span>
    </>
  );
}

function Audited({ line }: { line: AuditEntry }) {
  return (
    <>
      {auditTitleOf(line)}{' '}
      <span class="quiet">
        {line.channel} {t('problem.request', { id: line.requestId })}
      </span>
    </>
  );
}

/** Reads who changed these rows. One request may name several of them and is shown once. */
async function readAudit(targets: readonly string[]): Promise<{ lines: AuditEntry[]; isCut: boolean }> {
  const pages = await Promise.all(
    targets.map((target) =>
      body(api.GET('/api/v1/external/audit', { params: { query: { target, limit: AUDIT_PAGE } } })),
    ),
  );
  const lines = new Map(pages.flat().map((line) => [line.id, line]));
  return { lines: [...lines.values()], isCut: pages.some(({ length }) => length === AUDIT_PAGE) };
}
