import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes for search, and the words of names. Processes of the release before may run beside it: triggers write the
 * words. It takes about two minutes per million orders, and writes wait meanwhile.
 */
export class Search20261122 extends Migration {
  override up(): void {
    this.addSql('create extension if not exists pg_trgm;');
    this.addSql(WORDS_OF);
    this.addSql(
      `create table "search_words" ("id" serial primary key, "company_id" int not null, "word" text not null);`,
    );
    this.addSql(
      `alter table "search_words" add constraint "search_words_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    for (const { table, company } of NAMES) {
      this.addSql(`insert into search_words (company_id, word)
        select distinct company_id, unnest(search_words_of(full_name || ' ' || ${company})) from ${table}
        except select company_id, word from search_words;`);
      this.addSql(learn(table, company));
      for (const event of ['insert', 'update']) {
        this.addSql(`create trigger ${table}_words_${event} after ${event} on ${table}
          referencing new table as written for each statement execute function learn_${table}_words();`);
      }
    }
    for (const sql of INDEXES) this.addSql(`${sql};`);
  }
}

/** The words of a name, in lower case. Far cheaper than a regular expression, and search runs it for many rows. */
const WORDS_OF = `create function search_words_of(name text) returns text[] language sql immutable strict parallel safe as $$
  select array_remove(string_to_array(translate(lower(name), '.,;:&/()''"+*_-', '               '), ' '), '') $$;`;

const NAMES = [
  { table: 'customers', company: 'billing_company' },
  { table: 'customer_addresses', company: 'company' },
];

/** No unique index: two transactions would wait for each other's new words. A word that is there twice does no harm. */
const learn = (
  table: string,
  company: string,
): string => `create function learn_${table}_words() returns trigger language plpgsql as $$ begin
  insert into search_words (company_id, word)
  select distinct w.company_id, learned from written w cross join lateral unnest(search_words_of(w.full_name || ' ' || w.${company})) learned
   where not exists (select 1 from search_words s where s.company_id = w.company_id and s.word = learned);
  return null;
end $$;`;

const INDEXES = [
  'create index search_words_prefix on search_words (company_id, word text_pattern_ops)',
  'create index search_words_similar on search_words using gin (word gin_trgm_ops)',
  "create index customers_search_words on customers using gin (search_words_of(full_name || ' ' || billing_company)) with (fastupdate = off)",
  "create index customers_search_email on customers (company_id, lower(email) text_pattern_ops, id) where email <> ''",
  `create index customers_search_phone on customers (company_id, "right"(regexp_replace(phone, '\\D', '', 'g'), 9), id) where phone <> ''`,
  "create index customer_addresses_search_words on customer_addresses using gin (search_words_of(full_name || ' ' || company)) with (fastupdate = off)",
  `create index customer_addresses_search_phone on customer_addresses (company_id, "right"(regexp_replace(phone, '\\D', '', 'g'), 9), id) where phone <> ''`,
  'create index customer_addresses_search_zip on customer_addresses (company_id, zip, id)',
  'create index orders_search_number on orders (company_id, lower(order_number) text_pattern_ops)',
  'create index orders_search_external_id on orders (company_id, lower(external_order_id) text_pattern_ops) where external_order_id is not null',
  'create index orders_search_external_number on orders (company_id, lower(external_order_number) text_pattern_ops) where external_order_number is not null',
  "create index order_items_search_sku on order_items (company_id, lower(sku) text_pattern_ops, order_id) where sku <> ''",
  'create index shipments_search_number on shipments (company_id, lower(tracking_number) text_pattern_ops) where tracking_number is not null',
  'create index shipments_search_reference on shipments (company_id, lower(reference) text_pattern_ops) where reference is not null',
];
