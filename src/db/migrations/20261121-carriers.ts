import { Migration } from '@mikro-orm/migrations';

export class Carriers20261121 extends Migration {
  override up(): void {
    this.addSql(
      `create table "partner_tokens" ("key" text not null, "sealed" text null, "expires_at" timestamptz null, "fetching_until" timestamptz null, primary key ("key"));`,
    );
    this.addSql(
      `alter table "products" add "commodity_code" text not null default '', add "origin_country" text not null default '';`,
    );
    this.addSql(`alter table "orders" add "pickup_point_id" text null;`);
    this.addSql(`alter table "operations" drop constraint "operations_kind_check";`);
    this.addSql(
      `alter table "operations" add constraint "operations_kind_check" check ("kind" in ('create', 'transmit', 'cancel', 'release', 'send', 'check-address', 'pickup-points'));`,
    );
    this.addSql(`alter table "operation_items" drop constraint "operation_items_kind_check";`);
    this.addSql(
      `alter table "operation_items" add constraint "operation_items_kind_check" check ("kind" in ('create', 'transmit', 'cancel', 'release', 'send', 'check-address', 'pickup-points'));`,
    );
    this.addSql(
      `create index operation_items_sends on operation_items (company_id, order_id, id) where kind = 'send';`,
    );
  }
}
