import { Migration } from '@mikro-orm/migrations';

export class ClientProducts20261122 extends Migration {
  override up(): void {
    this.addSql(`alter table "order_items" add "client_product_id" uuid null;`);
  }
}
