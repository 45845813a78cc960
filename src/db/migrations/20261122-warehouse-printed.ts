import { Migration } from '@mikro-orm/migrations';

export class WarehousePrinted20261122 extends Migration {
  override up(): void {
    this.addSql(`alter table "shipments" add "printed_at" timestamptz null;`);
    this.addSql(
      `create index shipments_to_print on shipments (company_id, order_id) where printed_at is null and picked_up_at is null and direction = 'outbound' and process_status in ('created', 'transmitting', 'transmitted');`,
    );
  }
}
