import pg from 'pg';
import type { ClientBook } from './told.ts';

export interface OrderRow {
  id: number;
  companyId: number;
  orderNumber: string;
  status: string;
  /** Where it goes. */
  street: string;
  error: string | null;
  /** Null unless the order was imported. */
  marketplace: string | null;
  connectionId: number | null;
  externalId: string | null;
  externalNumber: string | null;
  /** Its marketplace is told as soon as a shipment is transmitted. */
  isAutomatic: boolean | null;
}

export interface ShipmentRow {
  id: number;
  companyId: number;
  orderId: number;
  /** Null: the whole order. */
  partId: number | null;
  carrier: string;
  direction: 'outbound' | 'return';
  reference: string;
  status: string;
  trackingStatus: string | null;
  attempt: number;
  generation: number;
  parcelCount: number;
  trackingNumber: string | null;
  /** The number that the order's marketplace was told. */
  toldNumber: string | null;
  isDelivered: boolean;
  /** A person has to look: nothing can find out, or there are labels too many. */
  needsPerson: boolean;
  /** Reported as failed with nothing sold; it starts again when its client asks again. */
  handedBack: boolean;
  /** A label that the desk knows to be missing. */
  isLabelMissing: boolean;
  failure: string | null;
  /** Label files we keep for it. */
  labels: number;
  /** Decisions about it in giacenza, and tries at them that the carrier may have carried out. */
  releases: number;
  releasesMade: number;
  /** In giacenza, or announced to be. */
  isHeldOpen: boolean;
}

export interface AttemptRow {
  shipmentId: number;
  operation: string;
  number: number;
  outcome: string;
  code: string | null;
  startedAt: string;
  endedAt: string | null;
}

export interface ItemRow {
  id: number;
  kind: string;
  status: string;
  orderId: number | null;
  failureKind: string | null;
  message: string;
}

export interface ManifestLine {
  manifestId: number;
  orderId: number;
  shipmentId: number;
}

export interface PickupRow {
  id: number;
  carrier: string;
  status: string;
  confirmation: string;
  message: string;
}

export interface EventBookRow {
  company: string;
  sequence: number | null;
  type: string;
}

/** Reads the product's own rows. */
export interface DatabaseBook {
  orders: OrderRow[];
  shipments: ShipmentRow[];
  attempts: AttemptRow[];
  openItems: ItemRow[];
  /** The last send of each order. */
  sends: ItemRow[];
  manifestLines: ManifestLine[];
  pickups: PickupRow[];
  /** Sorted by number; rows without a number come last. */
  events: EventBookRow[];
}

const ITEM = 'id, kind, status, order_id as "orderId", failure_kind as "failureKind", message';
const OPEN_ITEMS = `select ${ITEM} from operation_items where status in ('pending', 'running')`;

export async function readDatabase(databaseUrl: string): Promise<DatabaseBook> {
  return withClient(databaseUrl, async (client) => ({
    orders: await rows(
      client,
      `select o.id, o.company_id as "companyId", o.order_number as "orderNumber", o.status, a.address as street, o.error, m.code as marketplace,
              n.id as "connectionId", o.external_order_id as "externalId", o.external_order_number as "externalNumber",
              n.confirm_when_transmitted as "isAutomatic"
         from orders o join customer_addresses a on a.id = o.customer_address_id left join connections n on n.id = o.connection_id left join marketplaces m on m.id = n.marketplace_id
        order by o.id`,
    ),
    shipments: await rows(
      client,
      `select s.id, s.company_id as "companyId", s.order_id as "orderId", s.part_id as "partId", c.code as carrier, s.direction, s.reference,
              process_status as status, tracking_status as "trackingStatus", attempt, generation,
              parcel_count as "parcelCount", tracking_number as "trackingNumber", told_number as "toldNumber",
              delivered_at is not null as "isDelivered",
              (exhausted_at is not null and process_status not in ('queued', 'cancelled', 'rejected')) or surplus is not null as "needsPerson",
              exhausted_at is not null and process_status = 'queued' as "handedBack",
              label_missing_since is not null as "isLabelMissing", failure->>'message' as failure,
              (select count(*)::int from documents d where d.shipment_id = s.id and d.kind = 'label') as labels,
              (select count(*)::int from operation_items i where i.shipment_id = s.id and i.kind = 'release') as releases,
              (select count(*)::int from shipment_attempts a where a.shipment_id = s.id and a.operation = 'release'
                  and a.result <> 'failed') as "releasesMade",
              exists (select 1 from held_cases h where h.shipment_id = s.id and h.closed_at is null) as "isHeldOpen"
         from shipments s join carriers c on c.id = s.carrier_id order by s.id`,
    ),
    attempts: await rows(
      client,
      `select shipment_id as "shipmentId", operation, number, outcome, code, to_char(started_at, 'HH24:MI:SS.MS') as "startedAt",
              to_char(ended_at, 'HH24:MI:SS.MS') as "endedAt" from shipment_attempts order by id`,
    ),
    openItems: await rows(client, OPEN_ITEMS),
    sends: await rows(
      client,
      `select distinct on (order_id) ${ITEM} from operation_items where kind = 'send' order by order_id, id desc`,
    ),
    manifestLines: await rows(
      client,
      `select manifest_id as "manifestId", order_id as "orderId", shipment_id as "shipmentId" from manifest_items where restored_at is null order by id`,
    ),
    pickups: await rows(
      client,
      `select p.id, c.code as carrier, p.status, p.confirmation, p.message from pickups p
         join contracts k on k.id = p.contract_id join carriers c on c.id = k.carrier_id order by p.id`,
    ),
    events: await rows(
      client,
      `select c.name as company, e.sequence::float8 as sequence, e.type from events e
         join companies c on c.id = e.company_id order by e.sequence nulls last, e.id`,
    ),
  }));
}

/** Counts open work, purchases that are not imported yet, and undelivered events. */
export async function countOpen(databaseUrl: string, { placed }: ClientBook): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const [row] = await rows<{ open: number }>(
      client,
      `select (select count(*)::int from shipments
                where process_status in ('submitting', 'transmitting')
                   or (process_status in ('queued', 'unknown_outcome', 'cancelling') and exhausted_at is null)
                   -- Given up on for now, and asked about again: it heals once the carrier answers.
                   or (process_status = 'unknown_outcome' and failure->>'retryable' = 'true'))
            + (select count(*)::int from (${OPEN_ITEMS}) as items)
            + (select count(*)::int from events where sequence is null)
            + (select count(*)::int from event_endpoints e join event_counters c on c.company_id = e.company_id
                where e.delivered_sequence < c.last_sequence) as open`,
    );
    const imported = await rows<{ key: string }>(
      client,
      `select connection_id || '/' || external_order_id as key from orders where external_order_id is not null`,
    );
    const known = new Set(imported.map(({ key }) => key));
    const missing = placed.filter(({ connectionId, externalId }) => !known.has(`${connectionId}/${externalId}`));
    return (row?.open ?? 0) + missing.length;
  });
}

async function withClient<Value>(databaseUrl: string, run: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // told by the query
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

async function rows<Row>(client: pg.Client, sql: string): Promise<Row[]> {
  return (await client.query(sql)).rows as Row[];
}
