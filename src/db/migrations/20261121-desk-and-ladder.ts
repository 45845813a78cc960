import { Migration } from '@mikro-orm/migrations';

export class DeskAndLadder20261121 extends Migration {
  override up(): void {
    this.addSql(`alter table "idempotency_keys" add "claim" int not null default 1, add "result_id" int null;`);
    this.addSql(`alter table "shipments" add "surplus" jsonb null;`);
    this.addSql(
      `create index shipments_needing_a_person on shipments (company_id, id) where exhausted_at is not null or surplus is not null or tracking_status = 'held';`,
    );
    this.addSql(`alter table "shipment_attempts" drop constraint "shipment_attempts_operation_check";`);
    this.addSql(
      `alter table "shipment_attempts" add constraint "shipment_attempts_operation_check" check ("operation" in ('create', 'transmit', 'cancel', 'release', 'send', 'resolve'));`,
    );
    this.addSql(
      `create index operation_items_unsent on operation_items (company_id, shipment_id) where kind = 'send' and status = 'failed' and failure_kind in ('retryable', 'unknown-outcome');`,
    );
    this.addSql(`alter table "exchanges" alter column "bodies" drop not null;`);
    this.addSql(`create index "exchanges_started_at_index" on "exchanges" ("started_at");`);
  }
}
