import { Migration } from '@mikro-orm/migrations';

const KINDS = `'create', 'transmit', 'cancel', 'release', 'send', 'check-address', 'pickup-points', 'live-rates', 'book-pickup', 'cancel-pickup', 'poll'`;

export class WarehousePolls20261122 extends Migration {
  override up(): void {
    this.addSql(`alter table "installation" add "tracking_interval_ms" int null;`);
    for (const table of ['operations', 'operation_items']) {
      this.addSql(`alter table "${table}" drop constraint "${table}_kind_check";`);
      this.addSql(`alter table "${table}" add constraint "${table}_kind_check" check ("kind" in (${KINDS}));`);
    }
  }
}
