import { Migration } from '@mikro-orm/migrations';

export class HeldCases20261121 extends Migration {
  override up(): void {
    this.addSql(
      `create table "held_cases" ("id" serial primary key, "company_id" int not null, "shipment_id" int not null, "warned_at" timestamptz null, "opens_at" timestamptz null, "opened_at" timestamptz null, "reason_code" text not null default '', "reason_text" text not null default '', "cause" text not null default 'unknown', "deadline" timestamptz null, "deadline_source" text null, "is_releasable" boolean null, "asked_action" text null, "asked_at" timestamptz null, "asked_note" text not null default '', "decided_action" text null, "decided_via" text null, "decided_at" timestamptz null, "decided_note" text not null default '', "decided_request_id" text not null default '', "is_decision_certain" boolean not null default true, "confirmed_at" timestamptz null, "closed_at" timestamptz null, "outcome" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(`create index "held_cases_shipment_id_index" on "held_cases" ("shipment_id");`);
    this.addSql(
      `create unique index held_cases_one_per_shipment on held_cases (company_id, shipment_id) where closed_at is null;`,
    );
    this.addSql(`alter table "tracking_events" add "held_reason" text null;`);
    this.addSql(
      `alter table "held_cases" add constraint "held_cases_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "held_cases" add constraint "held_cases_shipment_id_foreign" foreign key ("shipment_id") references "shipments" ("id");`,
    );
    this.addSql(
      `alter table "held_cases" add constraint "held_cases_deadline_source_check" check ("deadline_source" in ('carrier', 'rule'));`,
    );
    this.addSql(
      `alter table "held_cases" add constraint "held_cases_decided_via_check" check ("decided_via" in ('api', 'portal'));`,
    );
    // Parcels that are held now get a case like later ones: since when, and why if the carrier said so.
    this.addSql(
      `insert into held_cases (company_id, shipment_id, opened_at, reason_code, reason_text)
       select s.company_id, s.id, coalesce(s.held_since, s.updated_at), coalesce(e.code, ''), coalesce(e.description, '')
         from shipments s left join lateral (
              select code, description from tracking_events where shipment_id = s.id and status = 'held' order by occurred_at desc limit 1) e on true
        where s.tracking_status = 'held' and s.process_status not in ('cancelled', 'rejected');`,
    );
  }
}
