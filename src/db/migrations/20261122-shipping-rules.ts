import { Migration } from '@mikro-orm/migrations';

export class ShippingRules20261122 extends Migration {
  override up(): void {
    this.addSql(`alter table "companies" add "shipping_rules" jsonb not null default '[]';`);
  }
}
