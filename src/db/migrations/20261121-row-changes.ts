import { Migration } from '@mikro-orm/migrations';

/** Notifies processes of changes to rows that they cache; see `db/row-cache.ts`. */
export class RowChanges20261121 extends Migration {
  override up(): void {
    this.addSql(
      `create function tell_rows() returns trigger language plpgsql as $$ begin
        perform pg_notify('smista_rows', tg_table_name);
        return null;
      end $$;`,
    );
    this.addSql(
      `create trigger rows_changed after update or delete on companies for each statement execute function tell_rows();`,
    );
    // The last use of a key changes all the time, and invalidates nothing.
    this.addSql(
      `create trigger rows_changed after update of company_id, expires_at, revoked_at on api_keys for each statement execute function tell_rows();`,
    );
    this.addSql(
      `create trigger rows_deleted after delete on api_keys for each statement execute function tell_rows();`,
    );
  }
}
