import { Company, Contract, OrderPart, Parcel, Product, Shipment, Warehouse } from '../entities/index.ts';
import type { Orm } from '../orm.ts';
import { AMONG_JOBS, batched } from './batched.ts';
import { rowOf, rowsOf } from './json-rows.ts';
import {
  JOINED_COLUMN,
  type JsonOfWhole,
  ORDER_COLUMNS,
  ORDER_TABLES,
  type WholeOrderRows,
  wholeOrderRows,
} from './order-rows.ts';
import { runPrepared, type Statement } from './prepared.ts';

/** A shipment with all data for its carrier. */
export interface BookingRows extends WholeOrderRows {
  shipment: Shipment;
  contract: Contract;
  company: Company;
  parcels: Parcel[];
  warehouses: Warehouse[];
  /** Null: the shipment is of the whole order. */
  part: OrderPart | null;
  /** Products that items name by id or sku. */
  products: Product[];
}

/**
 * One statement instead of twelve, without the ORM: those took a third of the time of a booking (`npm run bench --
 * create`). `offset 0` keeps the planner from merging the whole index of orders, which old statistics make look cheap. The subselect
 * hides the length of the array, so PostgreSQL keeps one plan.
 */
const READ_BOOKING: Statement = {
  name: 'read-booking',
  text: `
    select ${ORDER_COLUMNS}, ${JOINED_COLUMN}, row_to_json(s) as shipment, row_to_json(k) as contract, row_to_json(m) as company,
           (select json_agg(p order by p.position) from parcels p
             where p.shipment_id = s.id and p.company_id = s.company_id) as parcels,
           (select row_to_json(t) from order_parts t where t.id = s.part_id and t.company_id = s.company_id) as part,
           (select json_agg(w order by w.id) from warehouses w where w.company_id = s.company_id) as warehouses,
           (select json_agg(p) from order_items i cross join lateral (
              select * from products where company_id = i.company_id and id = i.product_id
              union all
              select * from products where company_id = i.company_id and sku = i.sku and i.sku <> ''
            ) p where i.order_id = any(array(select m.id from orders m where m.joined_into = o.id) || o.id) and i.company_id = o.company_id) as products
      from shipments s join contracts k on k.id = s.contract_id join companies m on m.id = s.company_id
      cross join lateral (select * from orders where id = s.order_id offset 0) o ${ORDER_TABLES}
     where s.id = any((select $1)::int[])`,
};

/** Reads a booking for workers: by the job's id, in any company. Null when there is no such shipment. */
export const readBooking = batched(
  async (orm: Orm, shipmentIds: readonly number[]): Promise<(BookingRows | null)[]> => {
    const rows = await runPrepared<JsonOfWhole<BookingRows>>(orm, READ_BOOKING, [shipmentIds]);
    const byId = new Map(rows.map((json) => [json.shipment.id, json]));
    return shipmentIds.map((id) => {
      const json = byId.get(id);
      return json ? bookingOf(orm, json) : null;
    });
  },
  AMONG_JOBS,
);

function bookingOf(orm: Orm, json: JsonOfWhole<BookingRows>): BookingRows {
  return {
    ...wholeOrderRows(orm, json),
    shipment: rowOf(orm, Shipment, json.shipment),
    contract: rowOf(orm, Contract, json.contract),
    company: rowOf(orm, Company, json.company),
    parcels: rowsOf(orm, Parcel, json.parcels),
    part: json.part && rowOf(orm, OrderPart, json.part),
    warehouses: rowsOf(orm, Warehouse, json.warehouses),
    products: rowsOf(orm, Product, json.products),
  };
}
