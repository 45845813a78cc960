import { Migration } from '@mikro-orm/migrations';

export class WarehouseBorderos20261122 extends Migration {
  override up(): void {
    this.addSql(`alter table "manifests" add "first_id" int null;`);
  }
}
