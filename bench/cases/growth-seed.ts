import type { Connection } from '../world.ts';
import { seedOrders } from './search-seed.ts';

interface Owner {
  companyId: number;
  contractId: number;
}

/** Ids of the work of today begin here, above those of the years before. */
const TODAY = 50_000_000;
/** Orders of today, of which each tenth is not booked yet, each fifth is booked, and the rest is on its way. */
export const ORDERS_OF_TODAY = 5000;

const SEQUENCES = 'customers customer_addresses orders shipments events operations manifests'.split(' ');

const LABELS = `insert into documents (company_id, shipment_id, kind, position, content_type, sha256, size, store, bucket_key)
  select company_id, id, 'label', 0, 'application/pdf', 'none', 1, 'bucket', id::text from shipments where id between $1 and $2`;

/** Writes the work of today: orders to book, to transmit, on their way, held, and at the desk. It is the same whatever lies behind it. */
export async function seedToday(connection: Connection, owner: Owner): Promise<void> {
  const to = TODAY + ORDERS_OF_TODAY;
  await seedOrders(connection, { ...owner, from: TODAY + 1, to });
  await withoutTriggers(connection, [
    [`delete from shipments where id % 10 = 0 and id > $1`, [TODAY]],
    [
      `update orders set status = case when id % 10 = 0 then 'pending' when id % 5 = 0 then 'shipment_created' else 'transmitted' end
        where id > $1`,
      [TODAY],
    ],
    [
      `update shipments set process_status = 'transmitted', tracking_status = case when id % 100 = 5 then 'held' else 'in_transit' end,
              transmitted_at = now() - interval '1 day', next_poll_at = now() + interval '2 hours'
        where id % 5 > 0 and id > $1`,
      [TODAY],
    ],
    [
      `update shipments set process_status = 'unknown_outcome', tracking_status = null, next_poll_at = null, exhausted_at = now()
        where id % 100 = 7 and id > $1`,
      [TODAY],
    ],
    [LABELS, [TODAY + 1, to]],
    [
      `insert into held_cases (company_id, shipment_id, opened_at)
       select company_id, id, now() - interval '1 day' from shipments where tracking_status = 'held' and id > $1`,
      [TODAY],
    ],
    [
      `insert into operations (id, company_id, kind, input) select $2 + n, $1, 'create', '{}' from generate_series(1, 200) n`,
      [owner.companyId, TODAY],
    ],
    [
      `insert into operation_items (company_id, operation_id, kind, order_id, status)
       select $1, $2 + n, 'create', $2 + n * 10, 'pending' from generate_series(1, 200) n`,
      [owner.companyId, TODAY],
    ],
    // Numbers of the events to come, above those of the years before.
    [`insert into event_counters (company_id, last_sequence) values ($1, $2)`, [owner.companyId, 2 * TODAY]],
    ...SEQUENCES.map((table): Statement => [`select setval('${table}_id_seq', $1)`, [2 * TODAY]]),
  ]);
}

/** Writes orders of the years before, numbered `from` to `to`: booked, transmitted, on a bordero, delivered, told, and their shop was told. */
export async function seedHistory(
  connection: Connection,
  { from, to, ...owner }: Owner & { from: number; to: number },
): Promise<void> {
  const { companyId, contractId } = owner;
  await seedOrders(connection, { ...owner, from, to });
  const range = [from, to];
  await withoutTriggers(connection, [
    [
      `update orders set created_at = now() - interval '600 days' + id * interval '20 seconds', status = 'delivered', sent_to_carrier_at = now()
        where id between $1 and $2`,
      range,
    ],
    [
      `update shipments set process_status = 'transmitted', tracking_status = 'delivered',
              created_at = now() - interval '600 days' + id * interval '20 seconds',
              booked_at = now() - interval '600 days' + id * interval '20 seconds',
              printed_at = now() - interval '600 days' + id * interval '20 seconds',
              transmitted_at = now() - interval '600 days' + id * interval '20 seconds',
              picked_up_at = now() - interval '599 days' + id * interval '20 seconds',
              delivered_at = now() - interval '598 days' + id * interval '20 seconds'
        where id between $1 and $2`,
      range,
    ],
    [
      `insert into parcels (company_id, shipment_id, position, weight_grams) select $3, n, 0, 1000 from generate_series($1::int, $2::int) n`,
      [...range, companyId],
    ],
    [
      `insert into shipment_attempts (company_id, shipment_id, operation, number, reference, result, outcome)
       select $3, n, 'create', 1, 'BEN', 'succeeded', 'yes' from generate_series($1::int, $2::int) n`,
      [...range, companyId],
    ],
    [LABELS, range],
    [
      `insert into tracking_events (company_id, shipment_id, fingerprint, occurred_at, code, description, status)
       select $3, n, k::text, now() - interval '599 days' + n * interval '20 seconds' + k * interval '6 hours', '903', 'In transito', 'in_transit'
         from generate_series($1::int, $2::int) n, generate_series(1, 4) k`,
      [...range, companyId],
    ],
    [
      `insert into exchanges (company_id, shipment_id, provider, operation, effect, method, url, status, duration_ms, started_at)
       select $3, n, 'gls-it', 'createShipment', 'write', 'POST', 'https://carrier.example/', 200, 200,
              now() - interval '60 days' * (1 - n / 4000000.0)
         from generate_series($1::int, $2::int) n`,
      [...range, companyId],
    ],
    [
      `insert into events (id, company_id, sequence, type, data)
       select 2 * n + k, $3, 2 * n + k, (array['order.created', 'order.status_changed'])[k + 1], json_build_object('orderId', n)
         from generate_series($1::int, $2::int) n, generate_series(0, 1) k`,
      [...range, companyId],
    ],
    [
      `insert into operations (id, company_id, kind, input, created_at)
       select n, $3, 'create', '{}', now() - interval '600 days' + n * interval '20 seconds' from generate_series($1::int, $2::int) n`,
      [...range, companyId],
    ],
    [
      `insert into operation_items (company_id, operation_id, kind, order_id, shipment_id, contract_id, status, settled_at)
       select $3, n, 'create', n, n, $4, 'succeeded', now() from generate_series($1::int, $2::int) n`,
      [...range, companyId, contractId],
    ],
    [
      `insert into manifests (id, company_id, carrier_id, contract_id, number, manifest_date, total_shipments, total_parcels, total_weight_grams, cod_cents)
       select n / 200, $3, (select carrier_id from contracts where id = $4), $4, 'GLS-' || n / 200,
              now() - interval '599 days' + n * interval '20 seconds', 200, 200, 200000, 0
         from generate_series($1::int, $2::int) n where n % 200 = 0`,
      [...range, companyId, contractId],
    ],
    [
      `insert into manifest_items (company_id, manifest_id, shipment_id, order_id)
       select $3, (n + 199) / 200, n, n from generate_series($1::int, $2::int) n`,
      [...range, companyId],
    ],
  ]);
}

type Statement = readonly [text: string, values: unknown[]];

async function withoutTriggers(connection: Connection, statements: readonly Statement[]): Promise<void> {
  await connection.query('set session_replication_role = replica', []);
  for (const [text, values] of statements) await connection.query(text, values);
  await connection.query('set session_replication_role = origin', []);
}

/** Forgets what PostgreSQL knows of its tables, which is the state after a restore or a bulk load. */
export async function forgetStatistics(connection: Connection): Promise<void> {
  await connection.query(
    `delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)`,
    [],
  );
  await connection.query(
    `update pg_class set reltuples = -1, relpages = 0, relallvisible = 0
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`,
    [],
  );
}
