import { Migration } from '@mikro-orm/migrations';

/** Limits of keys. Those of earlier releases keep everything; a process of the release before ignores the limits of new ones. */
export class KeyScopes20261122 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "api_keys" add "scopes" text[] not null default '{*}', add "address_ranges" text[] not null default '{}';`,
    );
  }
}
