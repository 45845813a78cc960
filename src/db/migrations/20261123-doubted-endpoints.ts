import { Migration } from '@mikro-orm/migrations';

/** Endpoints that answered late. A process of the release before does not count them. */
export class DoubtedEndpoints20261123 extends Migration {
  override up(): void {
    this.addSql(`alter table "event_endpoints" add "doubted_until" timestamptz null;`);
  }
}
