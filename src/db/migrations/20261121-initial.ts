import { Migration } from '@mikro-orm/migrations';

export class Initial20261121 extends Migration {
  override up(): void {
    this.addSql(
      `create table "carriers" ("id" serial primary key, "code" text not null, "name" text not null, "logo_url" text not null default '', "marketplace_carrier_code" text not null default '', "sort_order" int not null default 0, "is_new" boolean not null default false, "is_active" boolean not null default true, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(`alter table "carriers" add constraint "carriers_code_unique" unique ("code");`);
    this.addSql(
      `create table "carrier_services" ("id" serial primary key, "carrier_id" int not null, "code" text not null, "name" text not null, "sort_order" int not null default 0, "is_active" boolean not null default true, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(
      `alter table "carrier_services" add constraint "carrier_services_carrier_id_code_unique" unique ("carrier_id", "code");`,
    );
    this.addSql(
      `create table "companies" ("id" serial primary key, "key" text not null, "name" text not null, "address" text not null default '', "postal_code" text not null default '', "city" text not null default '', "province" text not null default '', "country" text not null default 'IT', "vat_number" text not null default '', "phone" text not null default '', "email" text not null default '', "settings" jsonb not null, "default_contract_id" int null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(`alter table "companies" add constraint "companies_key_unique" unique ("key");`);
    this.addSql(
      `create table "api_keys" ("id" serial primary key, "company_id" int not null, "name" text not null, "prefix" text not null, "hash" text not null, "created_at" timestamptz not null default now(), "last_used_at" timestamptz null, "expires_at" timestamptz null, "revoked_at" timestamptz null);`,
    );
    this.addSql(`create index "api_keys_company_id_index" on "api_keys" ("company_id");`);
    this.addSql(`alter table "api_keys" add constraint "api_keys_hash_unique" unique ("hash");`);
    this.addSql(
      `create table "customers" ("id" serial primary key, "company_id" int not null, "full_name" text not null, "email" text not null default '', "phone" text not null default '', "billing_company" text not null default '', "billing_address" text not null default '', "billing_city" text not null default '', "billing_state" text not null default '', "billing_zip" text not null default '', "billing_country" text not null default '', "billing_vat" text not null default '', "billing_codice_fiscale" text not null default '', "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(`create index "customers_company_id_index" on "customers" ("company_id");`);
    this.addSql(
      `create table "customer_addresses" ("id" serial primary key, "company_id" int not null, "customer_id" int not null, "full_name" text not null, "company" text not null default '', "phone" text not null default '', "address" text not null, "address2" text not null default '', "city" text not null, "state" text not null default '', "zip" text not null, "country" text not null, "country_code" text not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(
      `create index "customer_addresses_company_id_customer_id_index" on "customer_addresses" ("company_id", "customer_id");`,
    );
    this.addSql(
      `create table "idempotency_keys" ("id" serial primary key, "company_id" int not null, "key" text not null, "request_hash" text not null, "status" int null, "content_type" text null, "location" text null, "body" text null, "created_at" timestamptz not null default now());`,
    );
    this.addSql(
      `alter table "idempotency_keys" add constraint "idempotency_keys_company_id_key_unique" unique ("company_id", "key");`,
    );
    this.addSql(
      `create table "installation" ("id" int not null, "code" text not null, "key_check" text not null, "created_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(
      `create table "marketplaces" ("id" serial primary key, "code" text not null, "name" text not null, "logo_url" text not null default '', "fields" jsonb not null, "sort_order" int not null default 0, "is_new" boolean not null default false, "allow_order_update_after_import" boolean not null default false, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(`alter table "marketplaces" add constraint "marketplaces_code_unique" unique ("code");`);
    this.addSql(
      `create table "connections" ("id" serial primary key, "company_id" int not null, "marketplace_id" int not null, "key" text not null, "label" text not null, "credentials" text not null, "config_fields" jsonb not null, "percentage_fee" double precision not null default 0, "detected" jsonb null, "imported_until" timestamptz null, "last_import_error" text null, "import_enabled" boolean not null default true, "is_connected" boolean not null default true, "is_partner" boolean not null default false, "id_partner" int null, "delete_flag" boolean not null default false, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(`create index "connections_marketplace_id_index" on "connections" ("marketplace_id");`);
    this.addSql(
      `alter table "connections" add constraint "connections_company_id_key_unique" unique ("company_id", "key");`,
    );
    this.addSql(
      `create table "operations" ("id" serial primary key, "company_id" int not null, "kind" text not null, "request_id" text not null default '', "input" jsonb not null, "created_at" timestamptz not null default now());`,
    );
    this.addSql(`create index "operations_company_id_created_at_index" on "operations" ("company_id", "created_at");`);
    this.addSql(
      `create table "products" ("id" uuid not null default gen_random_uuid(), "company_id" int not null, "sku" text not null, "title" text not null, "weight_grams" int not null default 0, "length_mm" int not null default 0, "width_mm" int not null default 0, "height_mm" int not null default 0, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), primary key ("id"));`,
    );
    this.addSql(`alter table "products" add constraint "products_company_id_sku_unique" unique ("company_id", "sku");`);
    this.addSql(
      `create table "tariffs" ("id" serial primary key, "company_id" int not null, "key" text not null, "name" text not null, "price_list" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(`alter table "tariffs" add constraint "tariffs_company_id_key_unique" unique ("company_id", "key");`);
    this.addSql(
      `create table "contracts" ("id" serial primary key, "company_id" int not null, "carrier_id" int not null, "key" text not null, "label" text not null, "credentials" text not null, "config_fields" jsonb not null, "billing_import_config" jsonb not null, "tariff_id" int null, "coefficient" int not null default 300, "max_weight_grams" int null, "support_cod" boolean not null default true, "support_insurance" boolean not null default true, "default_cod_payment_type" text not null default '', "label_format" text not null default 'pdf-a6', "is_connected" boolean not null default true, "is_partner" boolean not null default false, "id_partner" int null, "delete_flag" boolean not null default false, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(`create index "contracts_carrier_id_index" on "contracts" ("carrier_id");`);
    this.addSql(
      `alter table "contracts" add constraint "contracts_company_id_key_unique" unique ("company_id", "key");`,
    );
    this.addSql(
      `create table "manifests" ("id" serial primary key, "company_id" int not null, "carrier_id" int not null, "contract_id" int not null, "number" text not null, "status" text not null default 'created', "manifest_date" timestamptz not null, "total_shipments" int not null, "total_parcels" int not null, "total_weight_grams" int not null, "cod_cents" int not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(
      `create index "manifests_company_id_manifest_date_index" on "manifests" ("company_id", "manifest_date");`,
    );
    this.addSql(
      `alter table "manifests" add constraint "manifests_company_id_number_unique" unique ("company_id", "number");`,
    );
    this.addSql(
      `create table "warehouses" ("id" serial primary key, "company_id" int not null, "key" text not null, "name" text not null, "address" text not null, "city" text not null, "province" text not null default '', "zip" text not null, "country_code" text not null default 'IT', "phone" text not null default '', "email" text not null default '', "is_default" boolean not null default false, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(
      `alter table "warehouses" add constraint "warehouses_company_id_key_unique" unique ("company_id", "key");`,
    );
    this.addSql(
      `create table "orders" ("id" serial primary key, "company_id" int not null, "order_number" text not null, "status" text not null default 'pending', "currency" text not null default 'EUR', "payment_method" text not null default 'PREPAID', "cod_cents" int null, "net_cents" int not null, "vat_cents" int not null, "gross_cents" int not null, "shipping_net_cents" int not null default 0, "shipping_gross_cents" int not null default 0, "insurance" boolean not null default false, "insurance_cents" int not null default 0, "buyer_order_note" text not null default '', "customer_id" int not null, "customer_address_id" int not null, "warehouse_id" int null, "contract_id" int null, "connection_id" int null, "external_order_id" text null, "external_order_number" text null, "external_modified_at" timestamptz null, "parcels" jsonb not null, "carrier_options" jsonb not null, "error" text null, "problems" jsonb not null, "marketplace_created_at" timestamptz null, "imported_at" timestamptz not null default now(), "sent_to_marketplace_at" timestamptz null, "sent_to_carrier_at" timestamptz null, "sent_to_erp_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(`create index "orders_customer_id_index" on "orders" ("customer_id");`);
    this.addSql(`create index "orders_customer_address_id_index" on "orders" ("customer_address_id");`);
    this.addSql(`create index "orders_company_id_status_index" on "orders" ("company_id", "status");`);
    this.addSql(`create index "orders_company_id_order_number_index" on "orders" ("company_id", "order_number");`);
    this.addSql(
      `alter table "orders" add constraint "orders_connection_id_external_order_id_unique" unique ("connection_id", "external_order_id");`,
    );
    this.addSql(
      `create table "shipments" ("id" serial primary key, "company_id" int not null, "order_id" int not null, "contract_id" int not null, "carrier_id" int not null, "reference" text null, "process_status" text not null default 'queued', "attempt" int not null default 0, "generation" int not null default 0, "exhausted_at" timestamptz null, "tracking_status" text null, "is_delayed" boolean not null default false, "tracking_number" text null, "carrier_reference" text null, "parcel_count" int not null, "weight_grams" int not null, "volume_cm3" int not null default 0, "cod_cents" int null, "cod_payment_type" text not null default '', "insured_cents" int null, "options" jsonb not null, "warnings" jsonb not null, "failure" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "booked_at" timestamptz null, "transmitted_at" timestamptz null, "cancelled_at" timestamptz null, "picked_up_at" timestamptz null, "delivered_at" timestamptz null, "expected_delivery_at" timestamptz null, "held_since" timestamptz null, "last_event_at" timestamptz null, "next_poll_at" timestamptz null, "polled_at" timestamptz null, "expired_at" timestamptz null);`,
    );
    this.addSql(`create index "shipments_contract_id_index" on "shipments" ("contract_id");`);
    this.addSql(`alter table "shipments" add constraint "shipments_reference_unique" unique ("reference");`);
    this.addSql(`create index "shipments_company_id_order_id_index" on "shipments" ("company_id", "order_id");`);
    this.addSql(
      `create index "shipments_company_id_tracking_number_index" on "shipments" ("company_id", "tracking_number");`,
    );
    this.addSql(`create index shipments_due_for_polling on shipments (next_poll_at) where next_poll_at is not null;`);
    this.addSql(
      `create index shipments_open_work on shipments (updated_at) where process_status in ('queued', 'submitting', 'transmitting', 'unknown_outcome');`,
    );
    this.addSql(
      `create unique index shipments_one_active_per_order on shipments (order_id) where process_status not in ('cancelled', 'rejected');`,
    );
    this.addSql(
      `create table "tracking_events" ("id" serial primary key, "company_id" int not null, "shipment_id" int not null, "fingerprint" text not null, "occurred_at" timestamptz not null, "code" text not null, "description" text not null, "location" text not null default '', "note" text not null default '', "status" text not null, "is_delayed" boolean not null default false, "mapping_version" int not null default 1, "received_at" timestamptz not null default now());`,
    );
    this.addSql(
      `alter table "tracking_events" add constraint "tracking_events_shipment_id_fingerprint_unique" unique ("shipment_id", "fingerprint");`,
    );
    this.addSql(
      `create table "shipment_attempts" ("id" serial primary key, "company_id" int not null, "shipment_id" int not null, "operation" text not null, "number" int not null, "reference" text not null, "request_id" text not null default '', "outcome" text not null default 'running', "code" text null, "message" text null, "started_at" timestamptz not null default now(), "ended_at" timestamptz null);`,
    );
    this.addSql(
      `create index "shipment_attempts_company_id_shipment_id_index" on "shipment_attempts" ("company_id", "shipment_id");`,
    );
    this.addSql(
      `create table "related_shipments" ("id" serial primary key, "company_id" int not null, "shipment_id" int not null, "type" text not null, "tracking_number" text not null, "date" timestamptz null);`,
    );
    this.addSql(
      `alter table "related_shipments" add constraint "related_shipments_shipment_id_tracking_number_unique" unique ("shipment_id", "tracking_number");`,
    );
    this.addSql(
      `create table "parcels" ("id" serial primary key, "company_id" int not null, "shipment_id" int not null, "position" int not null, "weight_grams" int not null, "length_mm" int not null default 0, "width_mm" int not null default 0, "height_mm" int not null default 0);`,
    );
    this.addSql(`create index "parcels_shipment_id_index" on "parcels" ("shipment_id");`);
    this.addSql(
      `create table "operation_items" ("id" serial primary key, "company_id" int not null, "operation_id" int not null, "kind" text not null, "order_id" int null, "shipment_id" int null, "contract_id" int null, "connection_id" int null, "status" text not null default 'pending', "attempt" int not null default 0, "message" text not null default '', "failure_kind" text null, "result" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "settled_at" timestamptz null);`,
    );
    this.addSql(`create index "operation_items_operation_id_index" on "operation_items" ("operation_id");`);
    this.addSql(
      `create index operation_items_open on operation_items (shipment_id) where status in ('pending', 'running');`,
    );
    this.addSql(
      `create table "exchanges" ("id" serial primary key, "company_id" int not null, "shipment_id" int null, "attempt_id" int null, "request_id" text not null default '', "provider" text not null, "operation" text not null, "effect" text not null, "method" text not null, "url" text not null, "status" int null, "error" text null, "duration_ms" int not null, "bodies" bytea not null, "started_at" timestamptz not null);`,
    );
    this.addSql(`create index "exchanges_company_id_started_at_index" on "exchanges" ("company_id", "started_at");`);
    this.addSql(`create index "exchanges_shipment_id_index" on "exchanges" ("shipment_id");`);
    this.addSql(
      `create table "documents" ("id" serial primary key, "company_id" int not null, "shipment_id" int not null, "kind" text not null, "position" int not null, "content_type" text not null, "sha256" text not null, "bytes" bytea not null, "created_at" timestamptz not null default now());`,
    );
    this.addSql(
      `alter table "documents" add constraint "documents_shipment_id_kind_position_unique" unique ("shipment_id", "kind", "position");`,
    );
    this.addSql(
      `create table "order_items" ("id" serial primary key, "company_id" int not null, "order_id" int not null, "position" int not null, "product_id" uuid null, "external_line_id" text null, "sku" text not null default '', "title" text not null default '', "quantity" int not null, "unit_price_gross" numeric(14,4) not null, "unit_price_net" numeric(14,4) not null, "total_gross_cents" int not null, "total_net_cents" int not null);`,
    );
    this.addSql(`create index "order_items_order_id_index" on "order_items" ("order_id");`);
    this.addSql(
      `create table "manifest_items" ("id" serial primary key, "company_id" int not null, "manifest_id" int not null, "shipment_id" int not null, "order_id" int not null, "restored_at" timestamptz null);`,
    );
    this.addSql(
      `create index "manifest_items_company_id_manifest_id_index" on "manifest_items" ("company_id", "manifest_id");`,
    );
    this.addSql(
      `create unique index manifest_items_one_per_shipment on manifest_items (shipment_id) where restored_at is null;`,
    );
    this.addSql(
      `alter table "carrier_services" add constraint "carrier_services_carrier_id_foreign" foreign key ("carrier_id") references "carriers" ("id");`,
    );
    this.addSql(
      `alter table "api_keys" add constraint "api_keys_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "customers" add constraint "customers_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "customer_addresses" add constraint "customer_addresses_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "customer_addresses" add constraint "customer_addresses_customer_id_foreign" foreign key ("customer_id") references "customers" ("id");`,
    );
    this.addSql(
      `alter table "idempotency_keys" add constraint "idempotency_keys_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "connections" add constraint "connections_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "connections" add constraint "connections_marketplace_id_foreign" foreign key ("marketplace_id") references "marketplaces" ("id");`,
    );
    this.addSql(
      `alter table "operations" add constraint "operations_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "operations" add constraint "operations_kind_check" check ("kind" in ('create', 'transmit', 'cancel', 'release', 'send', 'check-address'));`,
    );
    this.addSql(
      `alter table "products" add constraint "products_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "tariffs" add constraint "tariffs_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "contracts" add constraint "contracts_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "contracts" add constraint "contracts_carrier_id_foreign" foreign key ("carrier_id") references "carriers" ("id");`,
    );
    this.addSql(
      `alter table "contracts" add constraint "contracts_tariff_id_foreign" foreign key ("tariff_id") references "tariffs" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "manifests" add constraint "manifests_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "manifests" add constraint "manifests_carrier_id_foreign" foreign key ("carrier_id") references "carriers" ("id");`,
    );
    this.addSql(
      `alter table "manifests" add constraint "manifests_contract_id_foreign" foreign key ("contract_id") references "contracts" ("id");`,
    );
    this.addSql(
      `alter table "manifests" add constraint "manifests_status_check" check ("status" in ('created', 'closed', 'deleted'));`,
    );
    this.addSql(
      `alter table "warehouses" add constraint "warehouses_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "orders" add constraint "orders_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "orders" add constraint "orders_customer_id_foreign" foreign key ("customer_id") references "customers" ("id");`,
    );
    this.addSql(
      `alter table "orders" add constraint "orders_customer_address_id_foreign" foreign key ("customer_address_id") references "customer_addresses" ("id");`,
    );
    this.addSql(
      `alter table "orders" add constraint "orders_warehouse_id_foreign" foreign key ("warehouse_id") references "warehouses" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "orders" add constraint "orders_contract_id_foreign" foreign key ("contract_id") references "contracts" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "orders" add constraint "orders_connection_id_foreign" foreign key ("connection_id") references "connections" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "orders" add constraint "orders_status_check" check ("status" in ('pending', 'shipment_created', 'transmitted', 'manifested', 'shipped', 'delivered', 'held', 'returned', 'cancelled', 'error'));`,
    );
    this.addSql(
      `alter table "shipments" add constraint "shipments_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "shipments" add constraint "shipments_order_id_foreign" foreign key ("order_id") references "orders" ("id");`,
    );
    this.addSql(
      `alter table "shipments" add constraint "shipments_contract_id_foreign" foreign key ("contract_id") references "contracts" ("id");`,
    );
    this.addSql(
      `alter table "shipments" add constraint "shipments_carrier_id_foreign" foreign key ("carrier_id") references "carriers" ("id");`,
    );
    this.addSql(
      `alter table "shipments" add constraint "shipments_process_status_check" check ("process_status" in ('queued', 'submitting', 'created', 'transmitting', 'transmitted', 'rejected', 'unknown_outcome', 'cancelling', 'cancelled'));`,
    );
    this.addSql(
      `alter table "shipments" add constraint "shipments_tracking_status_check" check ("tracking_status" in ('awaiting_pickup', 'picked_up', 'in_transit', 'out_for_delivery', 'available_for_pickup', 'attempt_failed', 'held', 'exception', 'returning', 'delivered', 'returned', 'lost', 'destroyed'));`,
    );
    this.addSql(
      `alter table "tracking_events" add constraint "tracking_events_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "tracking_events" add constraint "tracking_events_shipment_id_foreign" foreign key ("shipment_id") references "shipments" ("id");`,
    );
    this.addSql(
      `alter table "tracking_events" add constraint "tracking_events_status_check" check ("status" in ('awaiting_pickup', 'picked_up', 'in_transit', 'out_for_delivery', 'available_for_pickup', 'attempt_failed', 'held', 'exception', 'returning', 'delivered', 'returned', 'lost', 'destroyed', 'unrecognised'));`,
    );
    this.addSql(
      `alter table "shipment_attempts" add constraint "shipment_attempts_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "shipment_attempts" add constraint "shipment_attempts_shipment_id_foreign" foreign key ("shipment_id") references "shipments" ("id");`,
    );
    this.addSql(
      `alter table "shipment_attempts" add constraint "shipment_attempts_operation_check" check ("operation" in ('create', 'transmit', 'cancel', 'release'));`,
    );
    this.addSql(
      `alter table "shipment_attempts" add constraint "shipment_attempts_outcome_check" check ("outcome" in ('running', 'yes', 'no', 'nobody_knows'));`,
    );
    this.addSql(
      `alter table "related_shipments" add constraint "related_shipments_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "related_shipments" add constraint "related_shipments_shipment_id_foreign" foreign key ("shipment_id") references "shipments" ("id");`,
    );
    this.addSql(
      `alter table "related_shipments" add constraint "related_shipments_type_check" check ("type" in ('return', 'forward'));`,
    );
    this.addSql(
      `alter table "parcels" add constraint "parcels_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "parcels" add constraint "parcels_shipment_id_foreign" foreign key ("shipment_id") references "shipments" ("id");`,
    );
    this.addSql(
      `alter table "operation_items" add constraint "operation_items_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "operation_items" add constraint "operation_items_operation_id_foreign" foreign key ("operation_id") references "operations" ("id");`,
    );
    this.addSql(
      `alter table "operation_items" add constraint "operation_items_shipment_id_foreign" foreign key ("shipment_id") references "shipments" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "operation_items" add constraint "operation_items_contract_id_foreign" foreign key ("contract_id") references "contracts" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "operation_items" add constraint "operation_items_connection_id_foreign" foreign key ("connection_id") references "connections" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "operation_items" add constraint "operation_items_kind_check" check ("kind" in ('create', 'transmit', 'cancel', 'release', 'send', 'check-address'));`,
    );
    this.addSql(
      `alter table "operation_items" add constraint "operation_items_status_check" check ("status" in ('pending', 'running', 'succeeded', 'failed'));`,
    );
    this.addSql(
      `alter table "operation_items" add constraint "operation_items_failure_kind_check" check ("failure_kind" in ('retryable', 'permanent', 'unknown-outcome'));`,
    );
    this.addSql(
      `alter table "exchanges" add constraint "exchanges_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "exchanges" add constraint "exchanges_shipment_id_foreign" foreign key ("shipment_id") references "shipments" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "documents" add constraint "documents_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "documents" add constraint "documents_shipment_id_foreign" foreign key ("shipment_id") references "shipments" ("id");`,
    );
    this.addSql(`alter table "documents" add constraint "documents_kind_check" check ("kind" in ('label'));`);
    this.addSql(
      `alter table "order_items" add constraint "order_items_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "order_items" add constraint "order_items_order_id_foreign" foreign key ("order_id") references "orders" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "order_items" add constraint "order_items_product_id_foreign" foreign key ("product_id") references "products" ("id") on delete set null;`,
    );
    this.addSql(
      `alter table "manifest_items" add constraint "manifest_items_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "manifest_items" add constraint "manifest_items_manifest_id_foreign" foreign key ("manifest_id") references "manifests" ("id");`,
    );
    this.addSql(
      `alter table "manifest_items" add constraint "manifest_items_shipment_id_foreign" foreign key ("shipment_id") references "shipments" ("id");`,
    );
    this.addSql(
      `alter table "manifest_items" add constraint "manifest_items_order_id_foreign" foreign key ("order_id") references "orders" ("id");`,
    );
  }
}
