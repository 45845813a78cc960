import { Migration } from '@mikro-orm/migrations';

/**
 * Several orders in one shipment. A process of the release before goes on, but it books an order that leads without the
 * others. Join orders once all processes are new.
 */
export class OrderJoins20261122 extends Migration {
  override up(): void {
    this.addSql(`alter table "orders" add "joined_into" int null, add "told_number" text null;`);
    this.addSql(`create index orders_joined on orders (joined_into) where joined_into is not null;`);
    this.addSql(`create index orders_told on orders (company_id, told_number) where told_number is not null;`);
    for (const sql of [...GUARD, ...TRIGGERS]) this.addSql(sql);
  }
}

/** Refuses a shipment for an order that travels in the shipment of another. */
const GUARD = [
  `create function refuse_joined_shipment() returns trigger language plpgsql as $$ begin
  if exists (select 1 from orders where id = new.order_id and joined_into <> id) then
    raise exception 'Order % is joined into another, whose shipment it shares', new.order_id;
  end if;
  return null;
end $$;`,
  `create trigger joined_orders_share after insert on shipments for each row
     when (new.direction = 'outbound') execute function refuse_joined_shipment();`,
];

const TRIGGERS = [
  `create trigger events_7_joined after update of joined_into on orders for each row
     when (old.joined_into is null and new.joined_into is not null) execute function tell_order('order.joined');`,
  `create trigger events_8_parted after update of joined_into on orders for each row
     when (old.joined_into is not null and new.joined_into is null) execute function tell_order('order.corrected');`,
];
