import { Migration } from '@mikro-orm/migrations';

/** The audit log and its chain. A process of the release before writes no rows, and needs none. */
export class Audit20261123 extends Migration {
  override up(): void {
    this.addSql(
      `create table "audit_log" ("id" bigserial primary key, "company_id" int null, "at" timestamptz not null, "actor" text not null, "channel" text not null, "address" text null, "operation" text not null, "targets" text[] not null default '{}', "target_count" int not null default 0, "status" int null, "code" text null, "request_id" text not null default '', "is_replay" boolean not null default false);`,
    );
    this.addSql(`create index "audit_log_company_id_id_index" on "audit_log" ("company_id", "id");`);
    this.addSql(`create index audit_log_targets on audit_log using gin (targets);`);
    this.addSql(`create table "audit_waiting" ("audit_id" bigint not null, primary key ("audit_id"));`);
    this.addSql(`create table "audit_keys" ("id" int not null, "sealed" text not null, primary key ("id"));`);
    this.addSql(
      `create table "audit_links" ("position" bigint not null, "audit_id" bigint not null, "key_id" int not null, "hash" text not null, "sealed_at" timestamptz not null default now(), primary key ("position"));`,
    );
    this.addSql(`alter table "audit_links" add constraint "audit_links_audit_id_unique" unique ("audit_id");`);
    this.addSql(
      `alter table "audit_log" add constraint "audit_log_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "audit_log" add constraint "audit_log_channel_check" check ("channel" in ('api', 'console', 'board', 'cli'));`,
    );
    this.addSql(`create function refuse_audit_change() returns trigger language plpgsql as $$ begin
      raise exception '% of % is refused: the audit log is append-only', tg_op, tg_table_name using errcode = 'insufficient_privilege';
    end $$;`);
    // A statement that finds no row is refused too: no code of ours has a reason to try.
    for (const table of ['audit_log', 'audit_links']) {
      this.addSql(
        `create trigger append_only before update or delete or truncate on ${table} for each statement execute function refuse_audit_change();`,
      );
    }
    // A change of SECRET_KEY seals the keys of the chain again.
    this.addSql(
      `create trigger kept before delete or truncate on audit_keys for each statement execute function refuse_audit_change();`,
    );
  }
}
