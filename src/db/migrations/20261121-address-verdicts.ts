import { Migration } from '@mikro-orm/migrations';

export class AddressVerdicts20261121 extends Migration {
  override up(): void {
    this.addSql(
      `create table "address_verdicts" ("id" serial primary key, "company_id" int not null, "carrier_id" int not null, "address_hash" text not null, "status" text not null, "message" text not null default '', "flags" jsonb not null, "checked_at" timestamptz not null);`,
    );
    this.addSql(
      `alter table "address_verdicts" add constraint "address_verdicts_company_id_carrier_id_address_hash_unique" unique ("company_id", "carrier_id", "address_hash");`,
    );
    this.addSql(
      `alter table "address_verdicts" add constraint "address_verdicts_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "address_verdicts" add constraint "address_verdicts_carrier_id_foreign" foreign key ("carrier_id") references "carriers" ("id");`,
    );
    this.addSql(
      `alter table "address_verdicts" add constraint "address_verdicts_status_check" check ("status" in ('ok', 'ambiguous', 'not_found'));`,
    );
  }
}
