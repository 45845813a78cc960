import { Migration } from '@mikro-orm/migrations';

const KINDS = `'create', 'transmit', 'cancel', 'release', 'send', 'check-address', 'pickup-points', 'live-rates', 'book-pickup', 'cancel-pickup', 'poll', 'correct', 'cancel-order', 'verify', 'import'`;

/** The state of shops, and the ledger of what each was told. A process of the release before does without. */
export class Shops20261123 extends Migration {
  override up(): void {
    this.addSql(`alter table "connections" add "last_import_at" timestamptz null;`);
    this.addSql(`alter table "orders" add "read_back_at" timestamptz null;`);
    for (const table of ['operations', 'operation_items']) {
      this.addSql(`alter table "${table}" drop constraint "${table}_kind_check";`);
      this.addSql(`alter table "${table}" add constraint "${table}_kind_check" check ("kind" in (${KINDS}));`);
    }
    this.addSql(
      `create index orders_untold on orders (company_id, connection_id, id) where external_order_id is not null and (sent_to_marketplace_at is null or is_split) and status in ('transmitted', 'manifested', 'shipped', 'delivered', 'held', 'returned');`,
    );
    this.addSql(
      `create index orders_confirmed on orders (company_id, connection_id, id) where sent_to_marketplace_at is not null;`,
    );
    this.addSql(
      `create index orders_read_back on orders (company_id, connection_id, id) where read_back_at is not null;`,
    );
    this.addSql(
      `create index shipments_told_other on shipments (company_id, order_id) where told_number is not null and told_number <> tracking_number and process_status not in ('cancelled', 'rejected');`,
    );
    this.addSql(
      `create index operation_items_failed_sends on operation_items (company_id, order_id) where kind = 'send' and status = 'failed';`,
    );
    this.addSql(
      `create index "import_failures_company_id_connection_id_id_index" on "import_failures" ("company_id", "connection_id", "id");`,
    );
  }
}
