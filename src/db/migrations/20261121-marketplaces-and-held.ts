import { Migration } from '@mikro-orm/migrations';

export class MarketplacesAndHeld20261121 extends Migration {
  override up(): void {
    this.addSql(
      `create table "import_failures" ("id" serial primary key, "company_id" int not null, "connection_id" int not null, "external_id" text not null, "message" text not null, "tries" int not null default 1, "created_at" timestamptz not null default now(), "next_try_at" timestamptz not null);`,
    );
    this.addSql(
      `alter table "import_failures" add constraint "import_failures_connection_id_external_id_unique" unique ("connection_id", "external_id");`,
    );
    this.addSql(
      `create table "partner_budgets" ("key" text not null, "tokens" double precision not null, "taken" boolean not null, "updated_at" timestamptz not null, primary key ("key"));`,
    );
    this.addSql(
      `create table "webhook_deliveries" ("id" serial primary key, "company_id" int not null, "connection_id" int not null, "delivery_id" text not null, "received_at" timestamptz not null default now());`,
    );
    this.addSql(`create index "webhook_deliveries_received_at_index" on "webhook_deliveries" ("received_at");`);
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_connection_id_delivery_id_unique" unique ("connection_id", "delivery_id");`,
    );
    this.addSql(
      `alter table "connections" add "importing_until" timestamptz null, add "confirm_when_transmitted" boolean not null default false;`,
    );
    this.addSql(`alter table "contracts" add "held_listed_at" timestamptz null;`);
    this.addSql(
      `alter table "import_failures" add constraint "import_failures_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "import_failures" add constraint "import_failures_connection_id_foreign" foreign key ("connection_id") references "connections" ("id");`,
    );
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_connection_id_foreign" foreign key ("connection_id") references "connections" ("id");`,
    );
  }
}
