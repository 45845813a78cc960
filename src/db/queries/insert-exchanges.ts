import type { Exchange } from '../entities/index.ts';
import type { Orm } from '../orm.ts';
import { AMONG_JOBS, batched } from './batched.ts';
import { runPrepared, type Statement } from './prepared.ts';

export type NewExchange = Omit<Exchange, 'id'>;

type Name = Extract<keyof NewExchange, string>;

const COLUMNS = {
  companyId: ['company_id', 'int'],
  shipmentId: ['shipment_id', 'int'],
  contractId: ['contract_id', 'int'],
  attemptId: ['attempt_id', 'int'],
  requestId: ['request_id', 'text'],
  provider: ['provider', 'text'],
  operation: ['operation', 'text'],
  effect: ['effect', 'text'],
  method: ['method', 'text'],
  url: ['url', 'text'],
  status: ['status', 'int'],
  error: ['error', 'text'],
  durationMs: ['duration_ms', 'int'],
  startedAt: ['started_at', 'timestamptz'],
  bodies: ['bodies', 'bytea'],
} as const satisfies Record<Name, readonly [column: string, type: string]>;
const NAMES = Object.keys(COLUMNS) as Name[];

const INSERT_EXCHANGES: Statement = {
  name: 'insert-exchanges',
  text: `insert into exchanges (${NAMES.map((name) => COLUMNS[name][0]).join(', ')})
         select * from unnest(${NAMES.map((name, at) => `$${at + 1}::${COLUMNS[name][1]}[]`).join(', ')})`,
};

/** Stores the exchanges of one call: none, one, or a few. */
export const insertExchanges = batched(async (orm: Orm, calls: readonly (readonly NewExchange[])[]) => {
  const rows = calls.flat();
  const values = NAMES.map((name) => rows.map((row) => row[name]));
  await runPrepared(orm, INSERT_EXCHANGES, values);
  return calls.map(() => undefined);
}, AMONG_JOBS);
