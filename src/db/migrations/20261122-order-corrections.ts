import { Migration } from '@mikro-orm/migrations';

const KINDS = `'create', 'transmit', 'cancel', 'release', 'send', 'check-address', 'pickup-points', 'live-rates', 'book-pickup', 'cancel-pickup', 'poll', 'correct', 'cancel-order'`;

export class OrderCorrections20261122 extends Migration {
  override up(): void {
    this.addSql(`alter table "orders" add "corrected_at" timestamptz null, add "cancel_reason" text null;`);
    this.addSql(
      `create table "order_corrections" ("id" serial primary key, "company_id" int not null, "order_id" int not null, "kind" text not null, "status" text not null, "operation_id" int null, "changed" jsonb not null, "change" jsonb not null, "contract_id" int null, "created_at" timestamptz not null default now(), "settled_at" timestamptz null);`,
    );
    this.addSql(`create index "order_corrections_operation_id_index" on "order_corrections" ("operation_id");`);
    this.addSql(
      `create unique index order_corrections_one_open on order_corrections (order_id) where status in ('waiting', 'rebooking');`,
    );
    this.addSql(
      `alter table "order_corrections" add constraint "order_corrections_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "order_corrections" add constraint "order_corrections_order_id_foreign" foreign key ("order_id") references "orders" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "order_corrections" add constraint "order_corrections_operation_id_foreign" foreign key ("operation_id") references "operations" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "order_corrections" add constraint "order_corrections_kind_check" check ("kind" in ('correct', 'cancel'));`,
    );
    this.addSql(
      `alter table "order_corrections" add constraint "order_corrections_status_check" check ("status" in ('waiting', 'rebooking', 'rebooked', 'corrected', 'cancelled', 'refused'));`,
    );
    for (const table of ['operations', 'operation_items']) {
      this.addSql(`alter table "${table}" drop constraint "${table}_kind_check";`);
      this.addSql(`alter table "${table}" add constraint "${table}_kind_check" check ("kind" in (${KINDS}));`);
    }
    // Every change of what is shipped raises the revision; only a correction by a person is told as one.
    this.addSql(`drop trigger events_4_corrected on orders;`);
    this.addSql(`create trigger events_4_corrected after update of corrected_at on orders for each row
     when (new.corrected_at is distinct from old.corrected_at) execute function tell_order('order.corrected');`);
  }
}
