import { Migration } from '@mikro-orm/migrations';

/** People and their logins. A process of the release before knows neither. */
export class Users20261122 extends Migration {
  override up(): void {
    this.addSql(
      `create table "users" ("id" serial primary key, "company_id" int null, "email" text not null, "name" text not null default '', "role" text not null, "password_hash" text not null, "created_at" timestamptz not null default now(), "last_login_at" timestamptz null, "disabled_at" timestamptz null);`,
    );
    this.addSql(`create index "users_company_id_index" on "users" ("company_id");`);
    this.addSql(`alter table "users" add constraint "users_email_unique" unique ("email");`);
    this.addSql(
      `alter table "users" add constraint "users_role_check" check ("role" in ('viewer', 'operator', 'admin'));`,
    );
    this.addSql(
      `create table "sessions" ("id" serial primary key, "user_id" int not null, "hash" text not null, "created_at" timestamptz not null default now(), "last_seen_at" timestamptz not null);`,
    );
    this.addSql(`create index "sessions_user_id_index" on "sessions" ("user_id");`);
    this.addSql(`alter table "sessions" add constraint "sessions_hash_unique" unique ("hash");`);
    this.addSql(
      `alter table "users" add constraint "users_company_id_foreign" foreign key ("company_id") references "companies" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "sessions" add constraint "sessions_user_id_foreign" foreign key ("user_id") references "users" ("id") on delete cascade;`,
    );
  }
}
