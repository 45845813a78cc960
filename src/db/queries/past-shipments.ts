import type { Em } from '../orm.ts';

/** A sent shipment, with everything that its price and the rules depend on. */
export interface PastShipment {
  id: number;
  made_at: string;
  /** Between confirmation and delivery; null: it has not arrived. */
  transit_days: number | null;
  gross_cents: number;
  /** The contract that the order itself named. */
  named_contract_id: number | null;
  /** Options that the order itself asked for. */
  order_options: string[];
  warehouse_id: number | null;
  connection_id: number | null;
  skus: string[] | null;
  contract_id: number;
  /** YYYY-MM-DD on which it was made, in the time zone asked for. */
  day: string;
  cod_cents: number | null;
  cod_payment_type: string;
  insured_cents: number | null;
  options: string[];
  pickup_point_id: string | null;
  country_code: string;
  province: string;
  city: string;
  zip: string;
  /** Grams and millimetres: weight, length, width, height. */
  parcels: [number, number, number, number][];
}

const CHUNK_ROWS = 5000;

/** Streams everything that a company sent in a period, in chunks: `from` is included, `to` is not. */
export async function* pastShipments(
  em: Em,
  { companyId, from, to, timeZone }: { companyId: number; from: Date; to: Date; timeZone: string },
): AsyncGenerator<PastShipment[]> {
  // Ids rise with time, so one look finds the range, and the chunks need no index of their own.
  const [range] = await em.execute<{ first: number | null; last: number | null }[]>(
    `select min(id) as first, max(id) as last from shipments where company_id = ? and created_at >= ? and created_at < ?`,
    [companyId, from, to],
  );
  let after = (range?.first ?? 1) - 1;
  while (range?.last && after < range.last) {
    const rows = await em.execute<PastShipment[]>(
      `select s.id, s.contract_id, to_char(s.created_at at time zone ?, 'YYYY-MM-DD') as day, s.cod_cents, s.cod_payment_type, s.insured_cents, s.options,
              s.created_at as made_at, extract(epoch from s.delivered_at - s.transmitted_at)::float / 86400 as transit_days,
              o.gross_cents, o.contract_id as named_contract_id, o.carrier_options as order_options, o.warehouse_id, o.connection_id,
              (select jsonb_agg(i.sku) from order_items i where i.order_id = o.id) as skus,
              o.pickup_point_id, a.country_code, a.state as province, a.city, a.zip,
              (select jsonb_agg(jsonb_build_array(p.weight_grams, p.length_mm, p.width_mm, p.height_mm) order by p.position)
                 from parcels p where p.shipment_id = s.id) as parcels
         from shipments s
         join orders o on o.id = s.order_id
         join customer_addresses a on a.id = o.customer_address_id
        where s.id > ? and s.id <= ? and s.company_id = ? and s.direction = 'outbound' and s.created_at >= ? and s.created_at < ?
          and s.process_status in ('created', 'transmitting', 'transmitted')
        order by s.id limit ${CHUNK_ROWS}`,
      [timeZone, after, range.last, companyId, from, to],
    );
    if (rows.length > 0) yield rows;
    if (rows.length < CHUNK_ROWS) return;
    after = rows.at(-1)?.id ?? range.last;
  }
}
