import { Migration } from '@mikro-orm/migrations';

/** Finds the corrections of one order. A process of the release before does without. */
export class Timelines20261123 extends Migration {
  override up(): void {
    this.addSql(`create index "order_corrections_order_id_index" on "order_corrections" ("order_id");`);
  }
}
