import { Migration } from '@mikro-orm/migrations';

const KINDS = `'create', 'transmit', 'cancel', 'release', 'send', 'check-address', 'pickup-points', 'live-rates', 'book-pickup', 'cancel-pickup', 'poll', 'correct', 'cancel-order', 'verify', 'import', 'test-endpoint', 'verify-contract', 'print'`;

/** Printers, and their jobs. A process of the release before works on neither. */
export class Printers20261123 extends Migration {
  override up(): void {
    for (const table of ['operations', 'operation_items']) {
      this.addSql(`alter table "${table}" drop constraint "${table}_kind_check";`);
      this.addSql(`alter table "${table}" add constraint "${table}_kind_check" check ("kind" in (${KINDS}));`);
    }
    this.addSql(
      `create table "printers" ("id" serial primary key, "company_id" int not null, "key" text not null, "name" text not null, "address" text not null, "format" text not null, "stations" jsonb not null, "warehouse_id" int null, "is_enabled" boolean not null default true, "fence" int not null default 0, "busy_until" timestamptz null, "last_job_at" timestamptz null, "is_reachable" boolean null, "last_error" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(`alter table "printers" add constraint "printers_company_id_key_unique" unique ("company_id", "key");`);
    this.addSql(`alter table "printers" add constraint "printers_format_check" check ("format" in ('zpl', 'pdf'));`);
    this.addSql(
      `alter table "printers" add constraint "printers_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "printers" add constraint "printers_warehouse_id_foreign" foreign key ("warehouse_id") references "warehouses" ("id") on delete set null;`,
    );
    this.addSql(
      `create index operation_items_prints on operation_items (company_id, shipment_id, id) where kind = 'print';`,
    );
  }
}
