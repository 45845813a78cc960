import type { Direction } from '../../domain/direction.ts';
import { type ProcessStatus, processStatusesBefore } from '../../domain/shipment-status.ts';
import { Shipment } from '../entities/index.ts';
import type { Em } from '../orm.ts';
import { type JsonRow, rowOf } from './json-rows.ts';
import { leadOf } from './order-rows.ts';
import type { Runner } from './prepared.ts';
import { type Built, intArray, textArray } from './sql.ts';

/** One step of the shipment machine. Every condition given must hold, and the machine must allow the step. */
export interface ShipmentMove {
  ids: readonly number[];
  to: ProcessStatus;
  /** Statuses to move from, narrower than the machine allows. */
  from?: readonly ProcessStatus[];
  /** Fencing numbers in the order of `ids`: only the run that holds it may move the row. */
  fences?: readonly number[];
  /** Takes the row: it raises the fencing number, so that the previous holder settles nothing. */
  claim?: boolean;
  /** Only rows without a change for this long. */
  idleSeconds?: number;
  /** Further columns to set. Objects are stored as JSON. */
  set?: SettableColumns;
  /** Further columns that differ from row to row, in the order of `ids`; what a row does not name stays as it is. */
  each?: readonly SettableColumns[];
}

const COLUMN_TYPES = {
  generation: 'int',
  exhausted_at: 'timestamptz',
  tracking_number: 'text',
  carrier_reference: 'text',
  warnings: 'jsonb',
  failure: 'jsonb',
  surplus: 'jsonb',
  label_missing_since: 'timestamptz',
  booked_at: 'timestamptz',
  next_poll_at: 'timestamptz',
  transmitted_at: 'timestamptz',
  cancelled_at: 'timestamptz',
} as const;
type SettableColumn = keyof typeof COLUMN_TYPES;
export type SettableColumns = Partial<Record<SettableColumn, unknown>>;

export interface MovedShipment {
  id: number;
  company_id: number;
  order_id: number;
  direction: Direction;
  fence: number;
  generation: number;
  reference: string;
}

/** Returns the UPDATE of a move, for statements that use its rows at once. */
export function moveShipmentsSql(move: ShipmentMove): Built {
  const allowed = processStatusesBefore(move.to);
  const forbidden = move.from?.find((status) => !allowed.includes(status));
  if (forbidden) throw new Error(`A shipment cannot go from ${forbidden} to ${move.to}`);
  const params: unknown[] = [move.to];
  const set = Object.entries(move.set ?? {}).map(([column, value]) => {
    const isJson = COLUMN_TYPES[column as SettableColumn] === 'jsonb';
    params.push(isJson && value !== null ? JSON.stringify(value) : value);
    return isJson ? `${column} = ?::jsonb` : `${column} = ?`;
  });
  const own = ownColumns(move);
  params.push(...own.params);
  const where = ['id = any(?::int[])', 'process_status = any(?::text[])'];
  params.push(intArray(move.ids), textArray(move.from ?? allowed));
  if (move.fences) {
    where.push('(id, attempt) in (select * from unnest(?::int[], ?::int[]))');
    params.push(intArray(move.ids), intArray(move.fences));
  }
  if (move.idleSeconds !== undefined) {
    where.push('updated_at < now() - make_interval(secs => ?)');
    params.push(move.idleSeconds);
  }
  const columns = [
    'process_status = ?',
    ...set,
    ...own.set,
    ...(move.claim ? ['attempt = attempt + 1'] : []),
    'updated_at = now()',
  ];
  const returned = ['id', 'company_id', 'order_id', 'direction', 'attempt as fence', 'generation', 'reference'];
  return {
    // Locked in the order of their ids, as in every statement. Two moves of the same rows then wait instead of
    // deadlocking.
    sql: `update shipments set ${columns.join(', ')} ${own.from}
           where ${own.where} shipments.id in (select id from shipments where ${where.join(' and ')} order by id for no key update)
          returning ${returned.map((column) => `shipments.${column}`).join(', ')}`,
    params,
  };
}

/** Returns the parts of the UPDATE for the columns of `each`. */
function ownColumns({ ids, fences, each }: ShipmentMove): {
  set: string[];
  from: string;
  where: string;
  params: unknown[];
} {
  if (!each) return { set: [], from: '', where: '', params: [] };
  const columns = [...new Set(each.flatMap(Object.keys))] as SettableColumn[];
  const types = columns.map((column) => `${column} ${COLUMN_TYPES[column]}`);
  return {
    set: columns.map((column) => `${column} = coalesce(own.${column}, shipments.${column})`),
    from: `from jsonb_to_recordset(?::jsonb) as own (${['own_id int', 'own_fence int', ...types].join(', ')})`,
    // Only the run with the current fencing number writes.
    where: `shipments.id = own_id and ${fences ? 'shipments.attempt = own_fence and' : ''}`,
    params: [JSON.stringify(each.map((row, at) => ({ own_id: ids[at], own_fence: fences?.[at], ...row })))],
  };
}

/** Changes shipments' process status; no other code does. Returns the rows that moved. */
export async function moveShipments(em: Em, move: ShipmentMove): Promise<MovedShipment[]> {
  if (move.ids.length === 0) return [];
  const { sql, params } = moveShipmentsSql(move);
  return em.execute<MovedShipment[]>(sql, params);
}

/**
 * Returns the active shipments of orders by order id, locked until the transaction ends. A split order has one for each
 * part, and joined orders have that of the order that leads. A return is active until the warehouse has it. A request that
 * joins a shipment records its wait under this lock. So the run that settles the shipment either came before and is seen,
 * or comes after and sees the wait.
 */
export async function lockActiveShipments(
  tx: Runner,
  {
    companyId,
    orderIds,
    direction = 'outbound',
  }: { companyId: number; orderIds: readonly number[]; direction?: Direction },
): Promise<Map<number, Shipment[]>> {
  if (orderIds.length === 0) return new Map();
  // Weaker than FOR UPDATE: rows that only point at these need not wait.
  const ids = intArray(orderIds);
  const rows = await tx.execute<{ shipment: JsonRow; sharing: number[] }[]>(
    `select row_to_json(shipments) as shipment,
            array(select id from orders o where o.joined_into = order_id and o.id = any(?::int[])) as sharing from shipments
      where company_id = ? and order_id in (select ${leadOf('orders')} from orders where company_id = ? and id = any(?::int[]))
        and direction = ? and process_status not in ('cancelled', 'rejected') and (direction = 'outbound' or delivered_at is null)
      order by id for no key update`,
    [ids, companyId, companyId, ids, direction],
  );
  const pairs = rows.flatMap((row) => {
    const shipment = rowOf(tx, Shipment, row.shipment);
    const asking = row.sharing.length > 0 ? row.sharing : [shipment.orderId];
    return asking.map((orderId) => ({ orderId, shipment }));
  });
  const byOrder = Map.groupBy(pairs, ({ orderId }) => orderId);
  return new Map([...byOrder].map(([orderId, own]) => [orderId, own.map(({ shipment }) => shipment)]));
}

/** Locks shipments until the transaction ends, in the order of their ids. */
export async function lockShipments(tx: Em, ids: readonly number[]): Promise<void> {
  await tx.execute('select id from shipments where id = any(?::int[]) order by id for no key update', [intArray(ids)]);
}

/** Returns one shipment, locked until the transaction ends; null when there is none (for this company). */
export async function lockShipment(tx: Em, shipmentId: number): Promise<Shipment | null> {
  // Read with the company's filter first: the lock alone would reveal that another company's shipment exists.
  if (!(await tx.findOne(Shipment, shipmentId))) return null;
  await lockShipments(tx, [shipmentId]);
  return tx.findOne(Shipment, shipmentId, { refresh: true });
}
