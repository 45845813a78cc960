import { Migration } from '@mikro-orm/migrations';

/**
 * When the data of a person was asked to be erased, and when it was. A process of the release before does without. The
 * index is of ended orders that still hold data: it is small where the erasure by age is on.
 */
export class ForgottenPeople20261124 extends Migration {
  override up(): void {
    this.addSql(`alter table "orders" add "forget_asked_at" timestamptz null, add "forgotten_at" timestamptz null;`);
    this.addSql(
      `create index orders_remembered on orders (company_id, id) where forgotten_at is null and status in ('delivered', 'returned', 'cancelled', 'shipped', 'transmitted', 'manifested');`,
    );
    this.addSql(
      `create index orders_to_forget on orders (company_id, id) where forget_asked_at is not null and forgotten_at is null;`,
    );
    this.addSql(
      `create index operation_items_words on operation_items (company_id, order_id) where kind = 'release' or message <> '';`,
    );
    this.addSql(
      `create table "forgotten_people" ("id" serial primary key, "company_id" int not null, "order_ids" jsonb not null, "hashes" jsonb not null, "asked_at" timestamptz not null);`,
    );
    this.addSql(
      `alter table "forgotten_people" add constraint "forgotten_people_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(`create index "forgotten_people_company_id_id_index" on "forgotten_people" ("company_id", "id");`);
  }
}
