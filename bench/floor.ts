import pg from 'pg';

/** The same rows through the bare driver, one prepared statement each. */
export interface Floor {
  createOrder(order: FloorOrder): Promise<unknown>;
  readOrder(id: number): Promise<unknown>;
  readTracking(shipmentId: number): Promise<unknown>;
  /** Inserts a shipment with its operation. */
  openBooking(orderId: number, contractId: number): Promise<{ shipmentId: number; operationId: number }>;
  /** Everything that a shipment is booked with. */
  readBooking(shipmentId: number): Promise<unknown>;
  /** Answers the id of the attempt. */
  claim(shipmentId: number): Promise<number>;
  keepExchange(shipmentId: number, attemptId: number, bodies: Buffer): Promise<unknown>;
  settle(shipmentId: number, attemptId: number, label: Buffer): Promise<unknown>;
  close(): Promise<void>;
}

/** The fields of an order that the floor reads. */
export interface FloorOrder {
  customer: { full_name: string; email: string; phone: string };
  shipping: {
    full_name: string;
    phone: string;
    address: string;
    city: string;
    province: string;
    zip: string;
    country_code: string;
  };
  items: { sku: string; name: string; quantity: number; price: number }[];
}

const CREATE_ORDER = `
  with customer as (
    insert into customers (company_id, full_name, email, phone) values ($1, $2, $3, $4) returning id
  ), address as (
    insert into customer_addresses (company_id, customer_id, full_name, phone, address, city, state, zip, country, country_code)
    select $1, id, $5, $6, $7, $8, $9, $10, $11, $11 from customer returning id, customer_id
  ), new_order as (
    insert into orders (company_id, order_number, net_cents, vat_cents, gross_cents, customer_id, customer_address_id,
                        parcels, carrier_options, problems)
    select $1, '', 2533, 557, 3090, customer_id, id, '[]', '[]', '[]' from address returning id, customer_id, customer_address_id
  ), items as (
    insert into order_items (company_id, order_id, position, sku, title, quantity, unit_price_gross, unit_price_net,
                             total_gross_cents, total_net_cents)
    select $1, id, position, sku, name, quantity, price, price / 1.22, price * 100, price * 81 from new_order,
           rows from (json_to_recordset($12::json) as (sku text, name text, quantity int, price numeric)) with ordinality as item (sku, name, quantity, price, position)
    returning id
  )
  select new_order.*, (select json_agg(id) from items) as items from new_order`;

const ORDER_ROWS = `
  row_to_json(o) as "order", row_to_json(c) as customer, row_to_json(a) as address,
  (select json_agg(i order by i.position) from order_items i where i.order_id = o.id and i.company_id = $2) as items`;
const READ_ORDER = `
  select ${ORDER_ROWS}, (select json_agg(s) from shipments s where s.order_id = o.id and s.company_id = $2) as shipments
    from orders o join customers c on c.id = o.customer_id join customer_addresses a on a.id = o.customer_address_id
   where o.id = $1 and o.company_id = $2`;
const READ_TRACKING = `
  select ${ORDER_ROWS}, row_to_json(s) as shipment, row_to_json(m) as company, row_to_json(r) as carrier, row_to_json(k) as contract,
         (select json_agg(e order by e.occurred_at desc) from tracking_events e where e.shipment_id = s.id) as events,
         (select json_agg(t) from related_shipments t where t.shipment_id = s.id) as related
    from shipments s join orders o on o.id = s.order_id join customers c on c.id = o.customer_id
    join customer_addresses a on a.id = o.customer_address_id join companies m on m.id = s.company_id
    join carriers r on r.id = s.carrier_id join contracts k on k.id = s.contract_id
   where s.id = $1 and s.company_id = $2`;

const OPEN_BOOKING = `
  with s as (
    insert into shipments (company_id, order_id, contract_id, carrier_id, reference, parcel_count, weight_grams, options, warnings)
    select $2, $1::int, k.id, k.carrier_id, 'F' || $1::int, 1, 1000, '[]', '[]' from contracts k where k.id = $3 returning id, order_id
  ), p as (
    insert into parcels (company_id, shipment_id, position, weight_grams) select $2, id, 1, 1000 from s
  ), n as (
    insert into operations (company_id, kind, request_id, input) values ($2, 'create', 'floor', '{}') returning id
  ), i as (
    insert into operation_items (company_id, operation_id, kind, order_id, shipment_id) select $2, n.id, 'create', s.order_id, s.id from s, n
  )
  select s.id as "shipmentId", n.id as "operationId" from s, n`;
const READ_BOOKING = `
  select row_to_json(s) as shipment, row_to_json(k) as contract, row_to_json(m) as company, row_to_json(r) as carrier, ${ORDER_ROWS},
         (select json_agg(w) from warehouses w where w.company_id = $2) as warehouses,
         (select json_agg(p) from products p where p.company_id = $2 and p.sku in (select sku from order_items where order_id = o.id)) as products,
         (select json_agg(p order by p.position) from parcels p where p.shipment_id = s.id) as parcels
    from shipments s join orders o on o.id = s.order_id join customers c on c.id = o.customer_id
    join customer_addresses a on a.id = o.customer_address_id join companies m on m.id = s.company_id
    join carriers r on r.id = s.carrier_id join contracts k on k.id = s.contract_id
   where s.id = $1 and s.company_id = $2`;
const CLAIM = `
  with claimed as (
    update shipments set process_status = 'submitting', attempt = attempt + 1, updated_at = now()
     where id = $1 and company_id = $2 and process_status = 'queued' returning id, company_id, attempt, reference
  )
  insert into shipment_attempts (company_id, shipment_id, operation, number, reference, request_id)
  select company_id, id, 'create', attempt, reference, 'floor' from claimed returning id`;
const KEEP_EXCHANGE = `
  insert into exchanges (company_id, shipment_id, attempt_id, request_id, provider, operation, effect, method, url, status, duration_ms,
                         started_at, bodies)
  values ($2, $1, $3, 'floor', 'gls-it', 'AddParcel', 'write', 'POST', 'http://127.0.0.1/AddParcel', 200, 1, now(), $4)`;
const SETTLE = `
  with attempt as (update shipment_attempts set result = 'succeeded', ended_at = now() where id = $3),
  settled as (
    update shipments set process_status = 'created', tracking_number = 'YA' || id, carrier_reference = id::text, warnings = '[]',
           booked_at = now(), next_poll_at = now() + interval '1 hour', updated_at = now()
     where id = $1 and company_id = $2 and process_status = 'submitting' returning id, company_id, order_id
  ), label as (
    insert into documents (company_id, shipment_id, kind, position, content_type, sha256, size, store, bucket_key, bytes)
    select company_id, id, 'label', 1, 'application/zpl', 'floor', length($4::bytea), 'database', '', $4::bytea from settled
  ), moved as (
    update orders set status = 'shipment_created', updated_at = now() where id = (select order_id from settled)
  ), item as (
    update operation_items set status = 'succeeded', settled_at = now(), updated_at = now()
     where shipment_id = $1 and kind = 'create' and status = 'pending' returning operation_id
  )
  select pg_notify('smista_operation', operation_id::text) from item`;

export function createFloor(databaseUrl: string, options: { companyId: number; connections: number }): Floor {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: options.connections });
  const { companyId } = options;
  const one = async (name: string, text: string, values: unknown[]): Promise<unknown> =>
    (await pool.query({ name, text, values })).rows[0];
  return {
    createOrder: ({ customer, shipping, items }) =>
      one('create', CREATE_ORDER, [
        companyId,
        customer.full_name,
        customer.email,
        customer.phone,
        shipping.full_name,
        shipping.phone,
        shipping.address,
        shipping.city,
        shipping.province,
        shipping.zip,
        shipping.country_code,
        JSON.stringify(items),
      ]),
    readOrder: (id) => one('order', READ_ORDER, [id, companyId]),
    readTracking: (id) => one('tracking', READ_TRACKING, [id, companyId]),
    openBooking: async (id, contractId) =>
      (await one('open', OPEN_BOOKING, [id, companyId, contractId])) as { shipmentId: number; operationId: number },
    readBooking: (id) => one('booking', READ_BOOKING, [id, companyId]),
    claim: async (id) => ((await one('claim', CLAIM, [id, companyId])) as { id: number }).id,
    keepExchange: (id, attemptId, bodies) => one('exchange', KEEP_EXCHANGE, [id, companyId, attemptId, bodies]),
    settle: (id, attemptId, label) => one('settle', SETTLE, [id, companyId, attemptId, label]),
    close: () => pool.end(),
  };
}
