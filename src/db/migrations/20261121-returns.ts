import { Migration } from '@mikro-orm/migrations';

export class Returns20261121 extends Migration {
  override up(): void {
    this.addSql(`alter table "shipments" add "direction" text not null default 'outbound';`);
    this.addSql(
      `alter table "shipments" add constraint "shipments_direction_check" check ("direction" in ('outbound', 'return'));`,
    );
    this.addSql(`drop index shipments_one_active_per_order;`);
    this.addSql(
      `create unique index shipments_one_active_per_order on shipments (order_id, direction) where process_status not in ('cancelled', 'rejected') and (direction = 'outbound' or delivered_at is null);`,
    );
    for (const sql of FUNCTIONS) this.addSql(sql);
  }
}

/** The data of a shipment's events now has its direction. */
const FUNCTIONS = [
  `create or replace function tell_shipment() returns trigger language plpgsql as $$ begin
    insert into events (company_id, type, occurred_at, data) values (new.company_id, tg_argv[0], clock_timestamp(),
      jsonb_build_object('shipmentId', new.id, 'orderId', new.order_id, 'direction', new.direction,
        'status', new.process_status));
    return null;
  end $$;`,
  `create or replace function tell_tracking() returns trigger language plpgsql as $$ begin
    insert into events (company_id, type, occurred_at, data) values (new.company_id, tg_argv[0], clock_timestamp(),
      jsonb_strip_nulls(jsonb_build_object('shipmentId', new.id, 'orderId', new.order_id, 'direction', new.direction,
        'status', new.tracking_status, 'previousStatus', old.tracking_status)));
    return null;
  end $$;`,
];
