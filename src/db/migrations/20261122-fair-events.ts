import { Migration } from '@mikro-orm/migrations';

/** Turns between the event endpoints of a company. A process of the release before goes on, without a limit on its runs. */
export class FairEvents20261122 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "event_endpoints" add "last_run_at" timestamptz null, add "is_reliable" boolean not null default false;`,
    );
    this.addSql(`update event_endpoints set is_reliable = (failures = 0 and disabled_at is null);`);
  }
}
