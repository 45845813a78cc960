import { Migration } from '@mikro-orm/migrations';

/** Each list is read from an index, newest first, whatever lies behind it and whatever PostgreSQL knows of the tables. */
export class Lists20261123 extends Migration {
  override up(): void {
    this.addSql(`create index "orders_company_id_id_index" on "orders" ("company_id", "id");`);
    this.addSql(`create index "orders_company_id_status_id_index" on "orders" ("company_id", "status", "id");`);
    this.addSql(`drop index "orders_company_id_status_index";`);
    this.addSql(`create index orders_with_problems on orders (company_id, id) where problems <> '[]'::jsonb;`);
    this.addSql(`create index "shipments_company_id_id_index" on "shipments" ("company_id", "id");`);
    this.addSql(
      `create index shipments_before_driver on shipments (company_id, contract_id) where picked_up_at is null and expired_at is null and direction = 'outbound' and process_status in ('queued', 'submitting', 'unknown_outcome', 'created', 'transmitting', 'transmitted');`,
    );
    this.addSql(`create index shipments_returns on shipments (company_id, id) where direction = 'return';`);
    this.addSql(
      `create index shipments_delivered on shipments (company_id, delivered_at) where delivered_at is not null;`,
    );
    this.addSql(`create index "operations_company_id_id_index" on "operations" ("company_id", "id");`);
    this.addSql(`drop index "operations_company_id_created_at_index";`);
  }
}
