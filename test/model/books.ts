import type { LedgerEntry } from '../../sandbox/src/partner.ts';
import type { ManifestStatus } from '../../src/domain/manifest-status.ts';
import type { OrderStatus } from '../../src/domain/order-status.ts';
import type { ProcessStatus } from '../../src/domain/shipment-status.ts';
import type { TrackingStatus } from '../../src/domain/tracking-status.ts';
import { database } from '../usecases/engine.ts';
import type { World } from './world.ts';

/** Begins the street of a corrected order. */
export const CORRECTED = 'Via Corretta';

export interface ShipmentRow {
  id: number;
  order_id: number;
  reference: string;
  process_status: ProcessStatus;
  tracking_status: TrackingStatus | null;
  tracking_number: string | null;
  parcel_count: number;
  exhausted: boolean;
  /** Told to a person, and still looked up by the sweep. */
  healing: boolean;
  surplus: boolean;
  transmitted: boolean;
  documents: number;
  warnings: string[];
  /** Of borderos that are not deleted, and that it was not taken off. */
  borderos: number[];
}

export interface ItemRow {
  id: number;
  kind: 'create' | 'transmit' | 'cancel' | 'correct';
  order_id: number;
  shipment_id: number | null;
  status: 'pending' | 'running' | 'succeeded' | 'failed';
  message: string;
}

export interface AttemptRow {
  id: number;
  shipment_id: number;
  operation: string;
  result: 'running' | 'succeeded' | 'failed' | 'unknown';
  code: string | null;
}

/** Our books and the carrier's, as they are at one moment. */
export interface Books {
  orders: { id: number; status: OrderStatus; isCancelledHere: boolean; isChanged: boolean; street: string }[];
  shipments: ShipmentRow[];
  items: ItemRow[];
  attempts: AttemptRow[];
  manifests: { id: number; status: ManifestStatus; total: number; lines: number }[];
  /** Writes to the carrier that had no attempt on record when they left, or shared it with another booking. */
  unrecorded: string[];
  ledger: Map<string, LedgerEntry>;
}

const QUERY = `
  with own as (select * from shipments where order_id = any(:ids)),
       sent as (select * from exchanges where id > :first and effect = 'write')
  select json_build_object(
    'orders', (select json_agg(json_build_object('id', o.id, 'status', status, 'isCancelledHere', cancel_reason is not null,
        'isChanged', o.revision > 0,
        'street', a.address) order by o.id) from orders o join customer_addresses a on a.id = o.customer_address_id where o.id = any(:ids)),
    'shipments', (select json_agg(json_build_object(
        'id', id, 'order_id', order_id, 'reference', reference, 'process_status', process_status,
        'tracking_status', tracking_status, 'tracking_number', tracking_number, 'parcel_count', parcel_count,
        'exhausted', exhausted_at is not null,
        'healing', process_status = 'unknown_outcome' and coalesce(failure->>'retryable' = 'true', false), 'surplus', surplus is not null, 'transmitted', transmitted_at is not null,
        'warnings', warnings, 'documents', (select count(*) from documents d where d.shipment_id = s.id),
        'borderos', (select coalesce(json_agg(m.id), '[]') from manifest_items i join manifests m on m.id = i.manifest_id
                      where i.shipment_id = s.id and i.restored_at is null and m.status <> 'deleted')
      ) order by id) from own s),
    'items', (select json_agg(i order by id) from operation_items i where order_id = any(:ids)),
    'attempts', (select json_agg(a order by id) from shipment_attempts a where shipment_id in (select id from own)),
    'manifests', (select json_agg(json_build_object('id', m.id, 'status', m.status, 'total', m.total_shipments,
        'lines', (select count(*) from manifest_items i where i.manifest_id = m.id and i.restored_at is null)))
      from manifests m where m.id in (select manifest_id from manifest_items where order_id = any(:ids))),
    'unrecorded', (select json_agg(concat(operation, ' of exchange ', id)) from sent e
      where not exists (select 1 from shipment_attempts a where a.id = e.attempt_id
                           and (e.shipment_id is null or a.shipment_id = e.shipment_id)
                           and a.started_at <= e.started_at + interval '5 milliseconds')
         or (operation = 'AddParcel' and (select count(*) from sent b where b.attempt_id = e.attempt_id
                                             and b.operation = 'AddParcel') > 1))
  ) as books`;

export async function readBooks(world: World): Promise<Books> {
  const sql = QUERY.replaceAll(':ids', `'${world.ids}'::int[]`).replaceAll(':first', String(world.firstExchange));
  const [[row], ledger] = await Promise.all([
    database(world.test).execute<{ books: Record<string, unknown[] | null> }[]>(sql),
    readLedger(world.test.app.sandboxUrl ?? ''),
  ]);
  const books = Object.fromEntries(Object.entries(row?.books ?? {}).map(([name, rows]) => [name, rows ?? []]));
  return { ...books, ledger } as unknown as Books;
}

async function readLedger(sandboxUrl: string): Promise<Map<string, LedgerEntry>> {
  const answer = await fetch(`${sandboxUrl}/_control/ledger?partner=gls-it`);
  const books = (await answer.json()) as Record<string, LedgerEntry[]>;
  return new Map((books['gls-it'] ?? []).map((entry) => [entry.reference, entry]));
}
