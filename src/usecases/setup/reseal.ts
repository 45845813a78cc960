import { systemEm } from '../../db/orm.ts';
import { connectionSeal } from '../../engine/call-connection.ts';
import { contractSeal } from '../../engine/call-contract.ts';
import type { Deps } from '../../engine/deps.ts';
import { INSTALLATION_SEAL, secondFactorSeal } from '../../engine/vault.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { auditKeySeal, beginAuditKey } from '../audit/audit-keys.ts';
import { endpointSeal } from '../events/event-secrets.ts';

type ResealDeps = Pick<Deps, 'orm' | 'vault'>;

interface SealedColumn {
  name: string;
  table: string;
  id: string;
  column: string;
  contextOf: (id: string) => string;
}

/** Every sealed column. The installation comes last: a process that has only the newest key starts once the rest is sealed with it. */
const SEALED: readonly SealedColumn[] = [
  {
    name: 'contract',
    table: 'contracts',
    id: 'id',
    column: 'credentials',
    contextOf: (id) => contractSeal(Number(id)),
  },
  {
    name: 'connection',
    table: 'connections',
    id: 'id',
    column: 'credentials',
    contextOf: (id) => connectionSeal(Number(id)),
  },
  {
    name: 'event endpoint',
    table: 'event_endpoints',
    id: 'id',
    column: 'credentials',
    contextOf: (id) => endpointSeal(Number(id)),
  },
  {
    name: 'key of the audit log',
    table: 'audit_keys',
    id: 'id',
    column: 'sealed',
    contextOf: (id) => auditKeySeal(Number(id)),
  },
  {
    name: 'second factor',
    table: 'users',
    id: 'id',
    column: 'totp_secret',
    contextOf: (id) => secondFactorSeal(Number(id)),
  },
  { name: 'access token', table: 'partner_tokens', id: 'key', column: 'sealed', contextOf: (key) => key },
  {
    name: 'installation',
    table: 'installation',
    id: 'id',
    column: 'key_check',
    contextOf: () => INSTALLATION_SEAL,
  },
];

const BATCH = 100;

/** How many seals each key opens. */
export interface SealCount {
  newest: number;
  older: number;
  /** Rows that no key opens, such as `contract 7`. */
  unreadable: string[];
}

/** Counts what is sealed, by key. */
export async function countSeals({ orm, vault }: ResealDeps): Promise<SealCount> {
  const count: SealCount = { newest: 0, older: 0, unreadable: [] };
  for (const column of SEALED) {
    for await (const { id, sealed } of sealedRows({ orm }, column)) {
      const state = resealed(vault, sealed, column.contextOf(id));
      if (state === 'unreadable') count.unreadable.push(`${column.name} ${id}`);
      else if (state === 'newest') count.newest += 1;
      else count.older += 1;
    }
  }
  return count;
}

/**
 * Seals everything with the newest key, row by row, and returns how many rows changed. A row that changes meanwhile is left as it is
 * then. It can be repeated and interrupted at any point.
 */
export async function resealAll({ orm, vault }: ResealDeps): Promise<number> {
  let changed = 0;
  for (const column of SEALED) {
    for await (const { id, sealed } of sealedRows({ orm }, column)) {
      const fresh = resealed(vault, sealed, column.contextOf(id));
      if (fresh === 'newest' || fresh === 'unreadable') continue;
      const rows = await systemEm(orm).execute<object[]>(
        `update ${column.table} set ${column.column} = ? where ${column.id} = ? and ${column.column} = ? returning 1`,
        [fresh.text, id, sealed],
      );
      changed += rows.length;
    }
  }
  // The owner of the old SECRET_KEY could otherwise go on with the chain of the audit log.
  if (changed > 0) await beginAuditKey(systemEm(orm), vault);
  return changed;
}

function resealed(vault: Deps['vault'], sealed: string, context: string): 'newest' | 'unreadable' | { text: string } {
  try {
    const text = vault.reseal(sealed, context);
    return text === null ? 'newest' : { text };
  } catch (error) {
    if (error instanceof IntegrationError) return 'unreadable';
    throw error;
  }
}

/** Reads the sealed rows of a column in small batches, each by its own query. */
async function* sealedRows(
  { orm }: Pick<Deps, 'orm'>,
  { table, id, column }: SealedColumn,
): AsyncGenerator<{ id: string; sealed: string }> {
  let after: string | null = null;
  for (;;) {
    const rows: { id: string | number; sealed: string }[] = await systemEm(orm).execute(
      `select ${id} as id, ${column} as sealed from ${table}
        where ${column} <> '' ${after === null ? '' : `and ${id} > ?`} order by ${id} limit ${BATCH}`,
      after === null ? [] : [after],
    );
    for (const row of rows) yield { id: String(row.id), sealed: row.sealed };
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return;
    after = String(last.id);
  }
}
