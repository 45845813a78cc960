import { type AuditEntry, MAX_TARGETS } from '../../domain/audit.ts';
import type { Orm } from '../orm.ts';
import { batched } from './batched.ts';
import { runPrepared, type Statement } from './prepared.ts';

type Cell = string | number | boolean | Date | null;

const COLUMNS: Readonly<Record<string, { type: string; of(entry: AuditEntry): Cell }>> = {
  company_id: { type: 'int', of: ({ companyId }) => companyId },
  company_key: { type: 'text', of: ({ companyKey }) => companyKey },
  at: { type: 'timestamptz', of: ({ at }) => at },
  actor: { type: 'text', of: ({ actor }) => actor },
  channel: { type: 'text', of: ({ channel }) => channel },
  address: { type: 'text', of: ({ address }) => address },
  operation: { type: 'text', of: ({ operation }) => operation },
  // No target has a space.
  targets: { type: 'text', of: ({ targets }) => targets.slice(0, MAX_TARGETS).join(' ') },
  target_count: { type: 'int', of: ({ targets }) => targets.length },
  status: { type: 'int', of: ({ status }) => status },
  code: { type: 'text', of: ({ code }) => code },
  request_id: { type: 'text', of: ({ requestId }) => requestId },
  is_replay: { type: 'boolean', of: ({ isReplay }) => isReplay },
};
const NAMES = Object.keys(COLUMNS);

const INSERT_AUDIT: Statement = {
  name: 'insert-audit',
  text: `with given as (
           select * from unnest(${Object.values(COLUMNS)
             .map(({ type }, at) => `$${at + 1}::${type}[]`)
             .join(', ')}) as given (${NAMES.join(', ')})),
         written as (
           insert into audit_log (company_id, at, actor, channel, address, operation, targets, target_count, status, code, request_id, is_replay)
           select coalesce(company_id, (select c.id from companies c where c.key = company_key)), at, actor, channel, address, operation,
                  string_to_array(targets, ' '), target_count, status, code, request_id, is_replay
             from given returning id)
         insert into audit_waiting (audit_id) select id from written`,
};

/** Writes a row of the audit log, which waits to be sealed. Rows of one moment share a statement. */
export const insertAudit = batched(async (orm: Orm, entries: readonly AuditEntry[]) => {
  const values = Object.values(COLUMNS).map((column) => entries.map((entry) => column.of(entry)));
  await runPrepared(orm, INSERT_AUDIT, values);
  return entries.map(() => undefined);
});
