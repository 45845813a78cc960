import { Migration } from '@mikro-orm/migrations';

export class CheckBeforeLabel20261122 extends Migration {
  override up(): void {
    this.addSql(`alter table "connections" add "check_before_label" boolean not null default true;`);
  }
}
