import { Migration } from '@mikro-orm/migrations';

export class ToldNumbers20261122 extends Migration {
  override up(): void {
    this.addSql(`alter table "shipments" add "told_number" text null;`);
    // Attempts are never deleted, so they still say which shipments a marketplace was told of.
    this.addSql(
      `update shipments s set told_number = s.tracking_number
        where s.tracking_number is not null and exists (select 1 from shipment_attempts a
              where a.company_id = s.company_id and a.shipment_id = s.id and a.operation = 'send' and a.outcome = 'yes');`,
    );
    this.addSql(
      `create index shipments_told_dead on shipments (company_id, order_id) where told_number is not null and process_status = 'cancelled';`,
    );
  }
}
