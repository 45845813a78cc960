import { Migration } from '@mikro-orm/migrations';

export class LabelsAndPickups20261121 extends Migration {
  override up(): void {
    this.addSql(
      `create table "pickups" ("id" serial primary key, "company_id" int not null, "contract_id" int not null, "warehouse_id" int null, "date" text not null, "from_time" text not null, "to_time" text not null, "shipment_ids" jsonb not null, "note" text not null default '', "status" text not null default 'requested', "confirmation" text not null default '', "message" text not null default '', "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(`create index "pickups_company_id_id_index" on "pickups" ("company_id", "id");`);
    this.addSql(`alter table "operations" drop constraint "operations_kind_check";`);
    this.addSql(
      `alter table "operations" add constraint "operations_kind_check" check ("kind" in ('create', 'transmit', 'cancel', 'release', 'send', 'check-address', 'pickup-points', 'live-rates', 'book-pickup', 'cancel-pickup'));`,
    );
    this.addSql(`alter table "shipments" add "label_missing_since" timestamptz null;`);
    this.addSql(`alter table "operation_items" drop constraint "operation_items_kind_check";`);
    this.addSql(`alter table "operation_items" add "pickup_id" int null;`);
    this.addSql(
      `alter table "operation_items" add constraint "operation_items_pickup_id_foreign" foreign key ("pickup_id") references "pickups" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "operation_items" add constraint "operation_items_kind_check" check ("kind" in ('create', 'transmit', 'cancel', 'release', 'send', 'check-address', 'pickup-points', 'live-rates', 'book-pickup', 'cancel-pickup'));`,
    );
    this.addSql(
      `alter table "pickups" add constraint "pickups_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "pickups" add constraint "pickups_contract_id_foreign" foreign key ("contract_id") references "contracts" ("id");`,
    );
    this.addSql(
      `alter table "pickups" add constraint "pickups_warehouse_id_foreign" foreign key ("warehouse_id") references "warehouses" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "pickups" add constraint "pickups_status_check" check ("status" in ('requested', 'booked', 'failed', 'unknown', 'cancelled'));`,
    );
    this.addSql(`drop index "shipments_needing_a_person";`);
    this.addSql(
      `create index shipments_needing_a_person on shipments (company_id, id) where exhausted_at is not null or surplus is not null or tracking_status = 'held' or label_missing_since is not null;`,
    );
  }
}
