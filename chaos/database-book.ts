import pg from 'pg';

export interface OrderRow {
  id: number;
  orderNumber: string;
  status: string;
  error: string | null;
}

export interface ShipmentRow {
  id: number;
  orderId: number;
  reference: string;
  status: string;
  attempt: number;
  generation: number;
  parcelCount: number;
  trackingNumber: string | null;
  /** A person has to look: nobody can find out, or there are labels too many. */
  needsPerson: boolean;
  /** Told as failed with nothing sold; it starts anew when its client asks again. */
  handedBack: boolean;
  failure: string | null;
  /** Label files we keep for it. */
  labels: number;
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

export interface OpenItemRow {
  id: number;
  kind: string;
  status: string;
  orderId: number | null;
}

export interface ManifestLine {
  manifestId: number;
  orderId: number;
}

/** What the product's own rows say. */
export interface DatabaseBook {
  orders: OrderRow[];
  shipments: ShipmentRow[];
  attempts: AttemptRow[];
  openItems: OpenItemRow[];
  manifestLines: ManifestLine[];
}

const OPEN_ITEMS = `select id, kind, status, order_id as "orderId" from operation_items where status in ('pending', 'running')`;

export async function readDatabase(databaseUrl: string): Promise<DatabaseBook> {
  return withClient(databaseUrl, async (client) => ({
    orders: await rows(client, 'select id, order_number as "orderNumber", status, error from orders order by id'),
    shipments: await rows(
      client,
      `select id, order_id as "orderId", reference, process_status as status, attempt, generation,
              parcel_count as "parcelCount", tracking_number as "trackingNumber",
              (exhausted_at is not null and process_status <> 'queued') or surplus is not null as "needsPerson",
              exhausted_at is not null and process_status = 'queued' as "handedBack", failure->>'message' as failure,
              (select count(*)::int from documents d where d.shipment_id = s.id and d.kind = 'label') as labels
         from shipments s order by id`,
    ),
    attempts: await rows(
      client,
      `select shipment_id as "shipmentId", operation, number, outcome, code, to_char(started_at, 'HH24:MI:SS.MS') as "startedAt",
              to_char(ended_at, 'HH24:MI:SS.MS') as "endedAt" from shipment_attempts order by id`,
    ),
    openItems: await rows(client, OPEN_ITEMS),
    manifestLines: await rows(
      client,
      `select manifest_id as "manifestId", order_id as "orderId" from manifest_items where restored_at is null order by id`,
    ),
  }));
}

/** Shipments and items that the product itself must still bring to an end. */
export async function countOpen(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    const [row] = await rows<{ open: number }>(
      client,
      `select (select count(*)::int from shipments
                where process_status in ('submitting', 'transmitting', 'cancelling')
                   or (process_status in ('queued', 'unknown_outcome') and exhausted_at is null)
                   -- Given up on for now, and asked about again: it heals once the carrier answers.
                   or (process_status = 'unknown_outcome' and failure->>'retryable' = 'true'))
            + (select count(*)::int from (${OPEN_ITEMS}) as items) as open`,
    );
    return row?.open ?? 0;
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
