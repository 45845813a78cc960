import type { Connection } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { leadOf } from '../../db/queries/order-rows.ts';
import { intArray } from '../../db/queries/sql.ts';
import type { ConfirmationState } from '../../domain/confirmation-state.ts';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import type { Deps } from '../../engine/deps.ts';
import { type Counted, counted, READ_ROWS } from '../../lib/counted.ts';
import { findConnectionOf } from './find-connection.ts';
import { toldBy } from './outgoing.ts';
import { MISTOLD } from './told-numbers.ts';

/** SQL: the live shipments `s` of order `o` that have a number. */
const LIVE = `from shipments s where s.company_id = o.company_id and s.order_id = ${leadOf('o')} and s.direction = 'outbound'
     and s.tracking_number is not null and s.process_status not in ('cancelled', 'rejected')`;
/** SQL: the number of `s` that the shop of order `o` has. An order that shares a shipment keeps that number itself. */
const TOLD = `case when s.order_id = o.id then s.told_number else o.told_number end`;

/** SQL: the send `i`, the last of its order, found a number in the shop that is not ours or takes no correction. */
const KEEPS_ANOTHER = `i.kind = 'send' and i.status = 'failed' and i.result ->> 'errorType' in ('told_another_number', 'already_shipped')
     and not exists (select 1 from operation_items later where later.company_id = i.company_id and later.order_id = i.order_id
                        and later.kind = 'send' and later.id > i.id)`;

/** SQL: orders whose shop has another number than their shipments. Parameters: the company, five times. */
const MISTOLD_ORDERS = `
  select "orderId" from (${MISTOLD}) mistold
  union select order_id from shipments where company_id = ? and told_number is not null and told_number <> tracking_number
           and process_status not in ('cancelled', 'rejected')
  union select o.id from orders o where o.company_id = ? and o.told_number is not null
           and exists (select 1 ${LIVE} and s.order_id <> o.id and s.tracking_number <> o.told_number)
  union select i.order_id from operation_items i where i.company_id = ? and i.order_id is not null and ${KEEPS_ANOTHER}`;

/** SQL: a transmitted shipment of `o` is unknown to its shop. Parameter: whether the shop hears of each part. */
const IS_MISSING = `exists (select 1 ${LIVE} and s.transmitted_at is not null and (${TOLD}) is null)
   and (not o.is_split or not exists (select 1 ${LIVE} and s.told_number is not null)
        or ? and not exists (select 1 from order_parts p where p.company_id = o.company_id and p.order_id = o.id
                              and p.replaced_at is null and p.lines = '[]'::jsonb))`;

const OF_CONNECTION = 'o.company_id = ? and o.connection_id = ?';
/** SQL: the conditions of the indexes of this ledger. */
const IS_CONFIRMED = `${OF_CONNECTION} and o.sent_to_marketplace_at is not null`;
const IS_READ_BACK = `${OF_CONNECTION} and o.read_back_at is not null`;
const MAY_MISS = `${OF_CONNECTION} and o.external_order_id is not null and (o.sent_to_marketplace_at is null or o.is_split)
   and o.status in ('transmitted', 'manifested', 'shipped', 'delivered', 'held', 'returned')`;

/** The ledger of one connection. */
interface Ledger {
  companyId: number;
  connectionId: number;
  hearsEachPart: boolean;
}

interface Built {
  sql: string;
  params: unknown[];
}

/** Returns the conditions under which orders `o` are in a state. */
function conditionOf(state: ConfirmationState, { companyId, connectionId, hearsEachPart }: Ledger): Built {
  const own = [companyId, connectionId];
  const mistold = [companyId, companyId, companyId, companyId, companyId];
  if (state === 'told_another') {
    return { sql: `${OF_CONNECTION} and o.id in (${MISTOLD_ORDERS})`, params: [...own, ...mistold] };
  }
  const isRight = `o.id not in (${MISTOLD_ORDERS})`;
  if (state === 'missing') {
    return { sql: `${MAY_MISS} and ${IS_MISSING} and ${isRight}`, params: [...own, hearsEachPart, ...mistold] };
  }
  const isTold = state === 'read_back' ? IS_READ_BACK : `${IS_CONFIRMED} and o.read_back_at is null`;
  const rest = `exists (select 1 ${LIVE}) and not (${IS_MISSING}) and ${isRight}`;
  return { sql: `${isTold} and ${rest}`, params: [...own, hearsEachPart, ...mistold] };
}

/** One order of a shop, and what the shop knows of its shipments. */
export interface Confirmation {
  orderId: number;
  orderNumber: string;
  externalOrderId: string;
  externalOrderNumber: string;
  state: ConfirmationState;
  toldAt: Date | null;
  readBackAt: Date | null;
  shipments: { id: number; trackingNumber: string; toldNumber: string | null; transmittedAt: Date | null }[];
  /** Numbers that the shop has of cancelled shipments. */
  deadNumbers: string[];
  /** The last confirmation. Null: there was none, or it is kept no longer. */
  last: LastSend | null;
}

interface LastSend {
  operationId: number;
  status: 'pending' | 'running' | 'succeeded' | 'failed';
  message: string;
  errorType: MarketplaceErrorType | null;
  at: Date;
}

type Row = Pick<Confirmation, 'orderId' | 'orderNumber' | 'state'> & {
  externalOrderId: string | null;
  externalOrderNumber: string | null;
  toldAt: string | null;
  readBackAt: string | null;
  shipments: (Omit<Confirmation['shipments'][number], 'transmittedAt'> & { transmittedAt: string | null })[] | null;
  deadNumbers: string[] | null;
  last: (Omit<LastSend, 'at'> & { at: string }) | null;
};

const ALL: readonly ConfirmationState[] = ['told_another', 'missing', 'read_back', 'told'];

/** Lists what the shop of a connection knows, by order, newest first. Throws a 404 for a foreign connection. */
export async function listConfirmations(
  deps: Deps,
  input: {
    companyId: number;
    connectionId: number;
    /** Null: any. */
    state: ConfirmationState | null;
    limit: number;
    beforeId: number | null;
  },
): Promise<Confirmation[]> {
  const { companyId, connectionId, state, limit, beforeId } = input;
  const em = companyEm(deps.orm, companyId);
  const ledger = await ledgerOf(deps, em, await findConnectionOf(em, connectionId));
  const found: { id: number; state: ConfirmationState }[] = [];
  for (const one of state === null ? ALL : [state]) {
    const { sql, params } = conditionOf(one, ledger);
    const rows = await em.execute<{ id: number }[]>(
      `select o.id from orders o where ${sql} ${beforeId === null ? '' : 'and o.id < ?'} order by o.id desc limit ?`,
      [...params, ...(beforeId === null ? [] : [beforeId]), limit],
    );
    found.push(...rows.map(({ id }) => ({ id, state: one })));
  }
  const page = found.toSorted((a, b) => b.id - a.id).slice(0, limit);
  const rows = await readOrders(
    em,
    companyId,
    page.map(({ id }) => id),
  );
  return page.flatMap(({ id, state }) => {
    const row = rows.get(id);
    return row ? [confirmationOf(row, state)] : [];
  });
}

async function readOrders(em: Em, companyId: number, ids: readonly number[]): Promise<ReadonlyMap<number, Row>> {
  const rows = await em.execute<Row[]>(
    `select o.id as "orderId", o.order_number as "orderNumber", o.external_order_id as "externalOrderId",
            o.external_order_number as "externalOrderNumber", o.sent_to_marketplace_at as "toldAt", o.read_back_at as "readBackAt",
            (select json_agg(json_build_object('id', s.id, 'trackingNumber', s.tracking_number, 'toldNumber', ${TOLD},
                    'transmittedAt', s.transmitted_at) order by s.id) ${LIVE}) as shipments,
            (select json_agg(distinct s.told_number) from shipments s where s.company_id = o.company_id and s.order_id = o.id
                and s.told_number is not null and s.process_status = 'cancelled') as "deadNumbers",
            (select json_build_object('operationId', i.operation_id, 'status', i.status, 'message', i.message,
                    'errorType', i.result ->> 'errorType', 'at', case when i.settled_at is null then i.created_at else i.settled_at end)
               from operation_items i where i.company_id = o.company_id and i.order_id = o.id and i.kind = 'send'
              order by i.id desc limit 1) as last
       from orders o where o.company_id = ? and o.id = any(?::int[])`,
    [companyId, intArray(ids)],
  );
  return new Map(rows.map((row) => [row.orderId, row]));
}

function confirmationOf(row: Row, state: ConfirmationState): Confirmation {
  const at = (text: string | null) => (text === null ? null : new Date(text));
  return {
    ...row,
    state,
    externalOrderId: row.externalOrderId ?? '',
    externalOrderNumber: row.externalOrderNumber ?? '',
    toldAt: at(row.toldAt),
    readBackAt: at(row.readBackAt),
    shipments: (row.shipments ?? []).map((shipment) => ({ ...shipment, transmittedAt: at(shipment.transmittedAt) })),
    deadNumbers: row.deadNumbers ?? [],
    last: row.last && { ...row.last, at: new Date(row.last.at) },
  };
}

/** Counts the orders of a connection whose shop lacks a number, or has one that does not hold. */
export async function countConfirmations(
  deps: Deps,
  em: Em,
  connection: Connection,
): Promise<{ missing: Counted; toldAnother: Counted }> {
  const ledger = await ledgerOf(deps, em, connection);
  const count = async (state: ConfirmationState): Promise<Counted> => {
    const { sql, params } = conditionOf(state, ledger);
    const [row] = await em.execute<{ count: number }[]>(
      `select count(*)::int as count from (select 1 from orders o where ${sql} limit ?) x`,
      [...params, READ_ROWS],
    );
    return counted(row?.count ?? 0);
  };
  return { missing: await count('missing'), toldAnother: await count('told_another') };
}

async function ledgerOf(deps: Deps, em: Em, connection: Connection): Promise<Ledger> {
  const { id: connectionId, companyId } = connection;
  return { companyId, connectionId, hearsEachPart: (await toldBy(deps, em, connection)) === 'each' };
}
