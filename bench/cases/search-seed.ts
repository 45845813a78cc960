import type { Connection } from '../world.ts';

const FIRST_NAMES =
  'Maria,Giuseppe,Anna,Antonio,Giovanni,Francesco,Luigi,Rosa,Angela,Mario,Giovanna,Angelo,Vincenzo,Giuseppina,Salvatore,Pietro,Lucia,Carlo,Carmela,Domenico,Franco,Caterina,Bruno,Francesca,Paolo,Teresa,Michele,Giorgio,Rita,Aldo,Elena,Sergio,Laura,Luciano,Paola,Antonia,Franca,Roberto,Concetta,Chiara,Alessandro,Andrea,Marco,Matteo,Giulia,Sara,Martina,Federica,Davide,Simone,Alvise,Nicolò,Beatrice,Ludovica,Tommaso,Edoardo,Greta,Noemi,Aurora,Gaia';
const STEMS =
  'Ross,Russ,Ferrar,Esposit,Bianch,Roman,Colomb,Ricc,Marin,Grec,Brun,Gall,Cont,De Luc,Cost,Giordan,Mancin,Rizz,Lombard,Morett,Barbier,Fontan,Santor,Marian,Rinald,Carus,Ferr,Martin,Leon,Gatt,Pellegrin,Palumb,Sann,Fabbr,Parisi,Villan,Monter,Zanon,Benedett,Vital,Cattane,Guerr,Battagl,Sorrentin,Basil,Valentin,Negr,Orland,Mell,Piras,Berton,Tess,Zorz,Cald,Marchett,Bonett,Bernard,Ruggier,Carbon,Silvestr';
const ENDINGS = 'i,o,a,ini,ello,etti,one,ucci,aro,ani,elli,otto,azzi,olo,essi,ato,anti,ieri,ardi,otti';

/**
 * Writes orders with a customer, an address, an item and a shipment each, for one company. First names and surnames are
 * as unequal as real ones. Triggers are off, since the events of a million orders tell nothing about search.
 */
export async function seedOrders(
  connection: Connection,
  { companyId, contractId, from, to }: { companyId: number; contractId: number; from: number; to: number },
): Promise<void> {
  await connection.query(`set session_replication_role = replica`, []);
  await connection.query(`create temp table if not exists seeded (n int, first text, last text)`, []);
  await connection.query('truncate seeded', []);
  await connection.query(
    `insert into seeded
     select n, (string_to_array($3, ','))[1 + floor(60 * power(random(), 2))::int],
            (string_to_array($4, ','))[1 + floor(60 * power(random(), 1.5))::int]
              || (string_to_array($5, ','))[1 + floor(20 * power(random(), 1.5))::int]
       from generate_series($1::int, $2::int) n`,
    [from, to, FIRST_NAMES, STEMS, ENDINGS],
  );
  const rows = [companyId];
  await connection.query(
    `insert into customers (id, company_id, full_name, email, phone)
     select n, $1, first || ' ' || last, lower(replace(first || '.' || last, ' ', '')) || n % 5000 || '@example.com', '+39 3' || 100000000 + n
       from seeded`,
    rows,
  );
  await connection.query(
    `insert into customer_addresses (id, company_id, customer_id, full_name, company, phone, address, city, state, zip, country, country_code)
     select n, $1, n, first || ' ' || last, case when n % 8 = 0 then last || ' ' || (array['Srl', 'SpA', 'Snc', '& Figli'])[1 + n / 8 % 4] else '' end,
            '+39 3' || 100000000 + n, 'Via Roma ' || n % 200, 'Bologna', 'BO', lpad((n * 7 % 98000)::text, 5, '0'), 'Italia', 'IT'
       from seeded`,
    rows,
  );
  await connection.query(
    `insert into orders (id, company_id, order_number, net_cents, vat_cents, gross_cents, customer_id, customer_address_id,
                         parcels, carrier_options, problems, external_order_id, external_order_number)
     select n, $1, 'IT-' || 2000000 + n, 2500, 550, 3050, n, n, '[]', '[]', '[]',
            case when n % 2 = 0 then (5000000000 + n)::text end, case when n % 2 = 0 then '#' || 1000 + n end
       from seeded`,
    rows,
  );
  await connection.query(
    `insert into order_items (company_id, order_id, position, sku, title, quantity, unit_price_gross, unit_price_net,
                              total_gross_cents, total_net_cents)
     select $1, n, position, 'SKU-' || lpad((n * 13 * position % 4000)::text, 5, '0'), 'Tazza in ceramica', 1, 12.5, 10.2459, 1250, 1025
       from seeded cross join generate_series(1, 2) position`,
    rows,
  );
  await connection.query(
    `insert into shipments (id, company_id, order_id, contract_id, carrier_id, reference, process_status, tracking_number,
                            parcel_count, weight_grams, options, warnings)
     select n, $1, n, $2, (select carrier_id from contracts where id = $2), 'BEN' || lpad(to_hex(n), 8, '0'), 'created',
            'YA' || 610000000 + n, 1, 1000, '[]', '[]' from seeded`,
    [companyId, contractId],
  );
  await connection.query(`set session_replication_role = origin`, []);
}
