import { Migration } from '@mikro-orm/migrations';

export class Documents20261121 extends Migration {
  override up(): void {
    this.addSql(
      `create table "document_shipments" ("id" serial primary key, "company_id" int not null, "document_id" int not null, "shipment_id" int not null);`,
    );
    this.addSql(`create index "document_shipments_document_id_index" on "document_shipments" ("document_id");`);
    this.addSql(
      `alter table "document_shipments" add constraint "document_shipments_shipment_id_document_id_unique" unique ("shipment_id", "document_id");`,
    );
    this.addSql(`alter table "documents" drop constraint "documents_shipment_id_foreign";`);
    this.addSql(`alter table "documents" drop constraint "documents_kind_check";`);
    this.addSql(
      `alter table "documents" add "size" int not null default 0, add "store" text not null default 'database', add "bucket_key" text not null default '';`,
    );
    this.addSql(`alter table "documents" alter column "shipment_id" drop not null;`);
    this.addSql(`alter table "documents" alter column "bytes" drop not null;`);
    this.addSql(
      `alter table "documents" add constraint "documents_shipment_id_foreign" foreign key ("shipment_id") references "shipments" ("id") on delete set null;`,
    );
    this.addSql(`create index documents_in_database on documents (id) where store = 'database';`);
    this.addSql(
      `alter table "documents" add constraint "documents_store_check" check ("store" in ('database', 'bucket'));`,
    );
    this.addSql(
      `alter table "documents" add constraint "documents_kind_check" check ("kind" in ('label', 'return_label', 'customs_invoice', 'manifest'));`,
    );
    this.addSql(
      `alter table "document_shipments" add constraint "document_shipments_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "document_shipments" add constraint "document_shipments_document_id_foreign" foreign key ("document_id") references "documents" ("id");`,
    );
    this.addSql(
      `alter table "document_shipments" add constraint "document_shipments_shipment_id_foreign" foreign key ("shipment_id") references "shipments" ("id");`,
    );
  }
}
