import { Migration } from '@mikro-orm/migrations';

export class TrackingOutages20261121 extends Migration {
  override up(): void {
    this.addSql(
      `create table "carrier_outages" ("id" serial primary key, "carrier_id" int not null, "failures" int not null, "since" timestamptz null, "last_error" text not null, "next_probe_at" timestamptz not null);`,
    );
    this.addSql(
      `alter table "carrier_outages" add constraint "carrier_outages_carrier_id_unique" unique ("carrier_id");`,
    );
    this.addSql(`alter table "tracking_events" add "context" text not null default '';`);
    this.addSql(
      `alter table "tracking_events" add constraint "tracking_events_context_check" check ("context" in ('', 'return', 'part', 'list'));`,
    );
    this.addSql(
      `alter table "carrier_outages" add constraint "carrier_outages_carrier_id_foreign" foreign key ("carrier_id") references "carriers" ("id");`,
    );
  }
}
