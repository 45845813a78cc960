import { Migration } from '@mikro-orm/migrations';

export class PriceEditions20261121 extends Migration {
  override up(): void {
    this.addSql(
      `create table "live_rates" ("id" serial primary key, "company_id" int not null, "contract_id" int not null, "question" text not null, "rates" jsonb not null, "asked_at" timestamptz not null);`,
    );
    this.addSql(`create index "live_rates_asked_at_index" on "live_rates" ("asked_at");`);
    this.addSql(
      `alter table "live_rates" add constraint "live_rates_contract_id_question_unique" unique ("contract_id", "question");`,
    );
    this.addSql(
      `create table "tariff_editions" ("id" serial primary key, "company_id" int not null, "tariff_id" int not null, "valid_from" text not null default '', "valid_to" text null, "price_list" jsonb not null, "revision" int not null default 1, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(
      `create index "tariff_editions_company_id_tariff_id_index" on "tariff_editions" ("company_id", "tariff_id");`,
    );
    this.addSql(
      `alter table "tariff_editions" add constraint "tariff_editions_tariff_id_valid_from_unique" unique ("tariff_id", "valid_from");`,
    );
    this.addSql(`alter table "tariffs" alter column "price_list" drop not null;`);
    // The price list of a tariff becomes its first edition, without a first day.
    this.addSql(
      `insert into tariff_editions (company_id, tariff_id, price_list) select company_id, id, price_list from tariffs;`,
    );
    this.addSql(`alter table "contracts" add "service_tariffs" jsonb not null default '[]';`);
    this.addSql(
      `alter table "live_rates" add constraint "live_rates_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "live_rates" add constraint "live_rates_contract_id_foreign" foreign key ("contract_id") references "contracts" ("id");`,
    );
    this.addSql(
      `alter table "tariff_editions" add constraint "tariff_editions_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "tariff_editions" add constraint "tariff_editions_tariff_id_foreign" foreign key ("tariff_id") references "tariffs" ("id");`,
    );
  }
}
