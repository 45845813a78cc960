/**
 * Inserts `$3` transmitted orders of the company `$1` under the contract `$2`, each with ten tracking events. Empty tables get
 * other query plans. Returns `$4` of the shipments, from all over them.
 */
export const WEEKS_OF_ORDERS = `
     with c as (insert into customers (company_id, full_name, email, phone)
                select $1, 'Chiara Prova ' || n, 'chiara@example.com', '0510000002' from generate_series(1, $3::int) n returning id),
          a as (insert into customer_addresses (company_id, customer_id, full_name, address, city, state, zip, country, country_code)
                select $1, id, 'Chiara Prova', 'Via Torino, 5', 'Milano', 'MI', '20123', 'IT', 'IT' from c returning id, customer_id),
          o as (insert into orders (company_id, order_number, net_cents, vat_cents, gross_cents, customer_id, customer_address_id,
                                    parcels, carrier_options, problems)
                select $1, id::text, 2533, 557, 3090, customer_id, id, '[]', '[]', '[]' from a returning id),
          i as (insert into order_items (company_id, order_id, position, sku, title, quantity, unit_price_gross, unit_price_net,
                                         total_gross_cents, total_net_cents)
                select $1, id, position, 'MUG-01', 'Tazza in ceramica', 1, 12.5, 10.2459, 1250, 1025 from o, generate_series(1, 2) position),
          s as (insert into shipments (company_id, order_id, contract_id, carrier_id, process_status, tracking_status, tracking_number,
                                       parcel_count, weight_grams, options, warnings)
                select $1, o.id, k.id, k.carrier_id, 'transmitted', 'in_transit', 'YA' || o.id, 1, 1200, '[]', '[]'
                  from o cross join contracts k where k.id = $2 returning id, order_id),
          e as (insert into tracking_events (company_id, shipment_id, fingerprint, occurred_at, code, description, status)
                select $1, s.id, n::text, now() - n * interval '5 hours', '903', 'In transito', 'in_transit' from s, generate_series(1, 10) n)
     select id, order_id from s where id % ($3::int / $4::int) = 0`;
