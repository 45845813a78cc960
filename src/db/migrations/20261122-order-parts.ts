import { Migration } from '@mikro-orm/migrations';

const EVENT_TYPES = `'order.created', 'order.status_changed', 'order.corrected', 'order.cancelled', 'order.split', 'order.joined', 'order.sent_to_marketplace', 'order.marketplace_failed', 'shipment.status_changed', 'shipment.held', 'shipment.released', 'tracking.status_changed', 'manifest.created', 'manifest.deleted'`;

/**
 * Orders that change, and orders in parts. A process of the release before cannot book after it, because its statement
 * names the index that is dropped. Its requests fail as a whole and can be repeated.
 */
export class OrderParts20261122 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "orders" add "revision" int not null default 0, add "is_split" boolean not null default false;`,
    );
    this.addSql(
      `create table "order_parts" ("id" serial primary key, "company_id" int not null, "order_id" int not null, "position" int not null, "lines" jsonb not null, "parcels" jsonb not null, "cod_cents" int null, "value_cents" int not null, "replaced_at" timestamptz null, "created_at" timestamptz not null default now());`,
    );
    this.addSql(`create index "order_parts_order_id_index" on "order_parts" ("order_id");`);
    this.addSql(
      `alter table "order_parts" add constraint "order_parts_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "order_parts" add constraint "order_parts_order_id_foreign" foreign key ("order_id") references "orders" ("id") on delete cascade;`,
    );
    this.addSql(`alter table "shipments" add "part_id" int null;`);
    this.addSql(
      `alter table "shipments" add constraint "shipments_part_id_foreign" foreign key ("part_id") references "order_parts" ("id") on delete set null;`,
    );
    this.addSql(
      `create unique index shipments_one_active_per_part on shipments (order_id, (coalesce(part_id, 0)), direction) where process_status not in ('cancelled', 'rejected') and (direction = 'outbound' or delivered_at is null);`,
    );
    this.addSql(`drop index shipments_one_active_per_order;`);
    for (const table of ['events', 'event_deliveries']) {
      this.addSql(`alter table "${table}" drop constraint "${table}_type_check";`);
      this.addSql(`alter table "${table}" add constraint "${table}_type_check" check ("type" in (${EVENT_TYPES}));`);
    }
    for (const sql of [PARTS_FIT, ...TRIGGERS]) this.addSql(sql);
  }
}

/** No piece of a line is in two parts. Checked at the end of the transaction, since a new split replaces parts one by one. */
const PARTS_FIT = `create function check_order_parts() returns trigger language plpgsql as $$ begin
  if exists (
    select 1 from (
      select (line->>'itemId')::int as item_id, sum((line->>'quantity')::int) as pieces
        from order_parts p cross join jsonb_array_elements(p.lines) line
       where p.order_id = new.order_id and p.replaced_at is null group by 1
    ) parts left join order_items i on i.id = parts.item_id and i.order_id = new.order_id
    where i.id is null or parts.pieces > i.quantity
  ) then
    raise exception 'The parts of order % hold more than the order', new.order_id;
  end if;
  return null;
end $$;`;

const TRIGGERS = [
  `create constraint trigger parts_fit after insert or update on order_parts deferrable initially deferred for each row execute function check_order_parts();`,
  `create trigger events_4_corrected after update of revision on orders for each row
     when (old.revision <> new.revision and old.is_split = new.is_split) execute function tell_order('order.corrected');`,
  `create trigger events_5_split after update of is_split on orders for each row
     when (new.is_split and not old.is_split) execute function tell_order('order.split');`,
  `create trigger events_6_cancelled after update of status on orders for each row
     when (new.status = 'cancelled' and old.status <> 'cancelled') execute function tell_order('order.cancelled');`,
];
