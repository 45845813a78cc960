import { Migration } from '@mikro-orm/migrations';

/** Outages by contract. A process of the release before goes on with those of carriers, which are still written. */
export class ContractOutages20261123 extends Migration {
  override up(): void {
    this.addSql(
      `create table "contract_outages" ("id" serial primary key, "company_id" int not null, "contract_id" int not null, "carrier_id" int not null, "failures" int not null, "since" timestamptz null, "last_error" text not null, "failed_at" timestamptz not null, "next_probe_at" timestamptz not null);`,
    );
    this.addSql(
      `alter table "contract_outages" add constraint "contract_outages_contract_id_unique" unique ("contract_id");`,
    );
    this.addSql(`create index "contract_outages_carrier_id_index" on "contract_outages" ("carrier_id");`);
    this.addSql(
      `alter table "contract_outages" add constraint "contract_outages_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "contract_outages" add constraint "contract_outages_contract_id_foreign" foreign key ("contract_id") references "contracts" ("id");`,
    );
    this.addSql(
      `alter table "contract_outages" add constraint "contract_outages_carrier_id_foreign" foreign key ("carrier_id") references "carriers" ("id");`,
    );
  }
}
