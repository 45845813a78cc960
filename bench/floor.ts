import pg from 'pg';

/** The same rows through the bare driver: what the database alone makes possible. */
export interface Floor {
  createOrder(): Promise<void>;
  readOrder(id: number): Promise<void>;
  readTracking(shipmentId: number): Promise<void>;
  claimAndSettle(shipmentId: number): Promise<void>;
  close(): Promise<void>;
}

const CREATE_ORDER = `
  with customer as (
    insert into customers (company_id, full_name, email, phone) values ($1, $2, $3, $4) returning id
  ), address as (
    insert into customer_addresses (company_id, customer_id, full_name, address, city, state, zip, country, country_code)
    select $1, id, $2, $5, $6, $7, $8, 'IT', 'IT' from customer returning id, customer_id
  ), new_order as (
    insert into orders (company_id, order_number, net_cents, vat_cents, gross_cents, customer_id, customer_address_id,
                        parcels, carrier_options, problems)
    select $1, '', 2533, 557, 3090, customer_id, id, '[]', '[]', '[]' from address returning id
  )
  insert into order_items (company_id, order_id, position, sku, title, quantity, unit_price_gross, unit_price_net,
                           total_gross_cents, total_net_cents)
  select $1, id, position, 'MUG-01', 'Tazza', 1, 12.5, 10.2459, 1250, 1025 from new_order, generate_series(1, 2) as position
  returning id, order_id`;

export function createFloor(databaseUrl: string, options: { companyId: number; clients: number }): Floor {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: options.clients });
  const { companyId } = options;
  const query = (name: string, text: string, values: unknown[]) => pool.query({ name, text, values });
  const readOrder = async (id: number): Promise<void> => {
    const { rows } = await query('order', 'select * from orders where id = $1 and company_id = $2', [id, companyId]);
    const [order] = rows as { customer_id: number; customer_address_id: number }[];
    await Promise.all([
      query('items', 'select * from order_items where order_id = $1 and company_id = $2 order by position', [
        id,
        companyId,
      ]),
      query('customer', 'select * from customers where id = $1', [order?.customer_id]),
      query('address', 'select * from customer_addresses where id = $1', [order?.customer_address_id]),
      query('shipments', 'select * from shipments where order_id = $1 and company_id = $2', [id, companyId]),
    ]);
  };
  return {
    createOrder: async () => {
      const person = ['Chiara Prova', 'chiara@example.com', '051', 'Via Torino, 5', 'Milano', 'MI', '20123'];
      await query('create', CREATE_ORDER, [companyId, ...person]);
    },
    readOrder,
    readTracking: async (shipmentId) => {
      const { rows } = await query('shipment', 'select * from shipments where id = $1 and company_id = $2', [
        shipmentId,
        companyId,
      ]);
      const [shipment] = rows as { order_id: number; contract_id: number; carrier_id: number }[];
      await Promise.all([
        readOrder(shipment?.order_id ?? 0),
        query('company', 'select * from companies where id = $1', [companyId]),
        query('carrier', 'select * from carriers where id = $1', [shipment?.carrier_id]),
        query('contract', 'select * from contracts where id = $1', [shipment?.contract_id]),
        query('events', 'select * from tracking_events where shipment_id = $1 order by occurred_at desc', [shipmentId]),
        query('related', 'select * from related_shipments where shipment_id = $1', [shipmentId]),
      ]);
    },
    claimAndSettle: async (shipmentId) => {
      await query('claim', `update shipments set updated_at = now(), attempt = attempt + 1 where id = $1`, [
        shipmentId,
      ]);
      await query('settle', `update shipments set updated_at = now(), failure = null where id = $1`, [shipmentId]);
    },
    close: () => pool.end(),
  };
}
