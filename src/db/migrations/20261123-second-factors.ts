import { Migration } from '@mikro-orm/migrations';

/** The second factors of people. A process of the release before asks for none. */
export class SecondFactors20261123 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "users" add column "totp_secret" text not null default '', add column "totp_since" timestamptz null, add column "totp_step" int null, add column "recovery_codes" jsonb not null default '[]';`,
    );
  }
}
