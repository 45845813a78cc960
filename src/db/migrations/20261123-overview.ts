import { Migration } from '@mikro-orm/migrations';

/** The numbers of GET /overview are counted on these indexes. */
export class Overview20261123 extends Migration {
  override up(): void {
    this.addSql(`alter table "exchanges" add column "contract_id" int null;`);
    this.addSql(
      `create index shipments_with_driver on shipments (company_id, contract_id) where picked_up_at is not null and expired_at is null and direction = 'outbound' and process_status in ('created', 'transmitting', 'transmitted') and tracking_status not in ('delivered', 'returned', 'lost', 'destroyed');`,
    );
    this.addSql(
      `create index orders_imported on orders (company_id, connection_id, created_at) where connection_id is not null;`,
    );
    this.addSql(
      `create index operation_items_waiting on operation_items (company_id, kind) where status in ('pending', 'running');`,
    );
  }
}
