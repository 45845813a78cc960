import { Migration } from '@mikro-orm/migrations';

export class Events20261121 extends Migration {
  override up(): void {
    this.addSql(
      `create table "event_counters" ("id" serial primary key, "company_id" int not null, "last_sequence" bigint not null default '0');`,
    );
    this.addSql(
      `alter table "event_counters" add constraint "event_counters_company_id_unique" unique ("company_id");`,
    );
    this.addSql(
      `create table "event_endpoints" ("id" serial primary key, "company_id" int not null, "key" text not null, "url" text not null, "types" jsonb null, "credentials" text not null default '', "previous_secret_until" timestamptz null, "is_enabled" boolean not null default true, "disabled_at" timestamptz null, "disabled_reason" text null, "delivered_sequence" bigint not null default '0', "replay_from" bigint null, "replay_to" bigint null, "attempt" int not null default 0, "running_until" timestamptz null, "failures" int not null default 0, "failing_since" timestamptz null, "next_try_at" timestamptz null, "last_error" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now());`,
    );
    this.addSql(
      `alter table "event_endpoints" add constraint "event_endpoints_company_id_key_unique" unique ("company_id", "key");`,
    );
    this.addSql(
      `create table "event_deliveries" ("id" bigserial primary key, "company_id" int not null, "endpoint_id" int not null, "event_id" bigint not null, "sequence" bigint not null, "type" text not null, "is_replay" boolean not null default false, "number" int not null, "http_status" int null, "error" text null, "duration_ms" int not null, "started_at" timestamptz not null);`,
    );
    this.addSql(
      `create index "event_deliveries_company_id_endpoint_id_id_index" on "event_deliveries" ("company_id", "endpoint_id", "id");`,
    );
    this.addSql(
      `create table "events" ("id" bigserial primary key, "company_id" int not null, "sequence" bigint null, "type" text not null, "occurred_at" timestamptz not null default now(), "data" jsonb not null);`,
    );
    this.addSql(`create index events_without_number on events (company_id, id) where sequence is null;`);
    this.addSql(
      `alter table "events" add constraint "events_company_id_sequence_unique" unique ("company_id", "sequence");`,
    );
    this.addSql(
      `alter table "event_counters" add constraint "event_counters_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "event_endpoints" add constraint "event_endpoints_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "event_endpoints" add constraint "event_endpoints_disabled_reason_check" check ("disabled_reason" in ('switched-off', 'failing', 'gone'));`,
    );
    this.addSql(
      `alter table "event_deliveries" add constraint "event_deliveries_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "event_deliveries" add constraint "event_deliveries_endpoint_id_foreign" foreign key ("endpoint_id") references "event_endpoints" ("id") on delete cascade;`,
    );
    this.addSql(
      `alter table "event_deliveries" add constraint "event_deliveries_type_check" check ("type" in ('order.created', 'order.status_changed', 'order.sent_to_marketplace', 'order.marketplace_failed', 'shipment.status_changed', 'shipment.held', 'shipment.released', 'tracking.status_changed', 'manifest.created', 'manifest.deleted'));`,
    );
    this.addSql(
      `alter table "events" add constraint "events_company_id_foreign" foreign key ("company_id") references "companies" ("id");`,
    );
    this.addSql(
      `alter table "events" add constraint "events_type_check" check ("type" in ('order.created', 'order.status_changed', 'order.sent_to_marketplace', 'order.marketplace_failed', 'shipment.status_changed', 'shipment.held', 'shipment.released', 'tracking.status_changed', 'manifest.created', 'manifest.deleted'));`,
    );
    for (const sql of FUNCTIONS) this.addSql(sql);
    for (const { name, table, on, when, tells } of TRIGGERS) {
      this.addSql(
        `create trigger ${name} after ${on} on ${table} for each row ${when ? `when (${when})` : ''} execute function ${tells};`,
      );
    }
  }
}

/** The data of an event; the trigger gives its type. Ids and statuses only. */
const FUNCTIONS = [
  `create function tell_order() returns trigger language plpgsql as $$ begin
    insert into events (company_id, type, occurred_at, data) values (new.company_id, tg_argv[0], clock_timestamp(),
      jsonb_strip_nulls(jsonb_build_object('orderId', new.id, 'status', new.status,
        'previousStatus', nullif(old.status, new.status), 'connectionId', new.connection_id)));
    return null;
  end $$;`,
  `create function tell_shipment() returns trigger language plpgsql as $$ begin
    insert into events (company_id, type, occurred_at, data) values (new.company_id, tg_argv[0], clock_timestamp(),
      jsonb_build_object('shipmentId', new.id, 'orderId', new.order_id, 'status', new.process_status));
    return null;
  end $$;`,
  `create function tell_tracking() returns trigger language plpgsql as $$ begin
    insert into events (company_id, type, occurred_at, data) values (new.company_id, tg_argv[0], clock_timestamp(),
      jsonb_strip_nulls(jsonb_build_object('shipmentId', new.id, 'orderId', new.order_id, 'status', new.tracking_status,
        'previousStatus', old.tracking_status)));
    return null;
  end $$;`,
  `create function tell_item() returns trigger language plpgsql as $$ begin
    insert into events (company_id, type, occurred_at, data) values (new.company_id, tg_argv[0], clock_timestamp(),
      jsonb_strip_nulls(jsonb_build_object('orderId', new.order_id, 'shipmentId', new.shipment_id,
        'operationId', new.operation_id, 'errorType', new.result->'errorType',
        'action', (select input->'action' from operations where id = new.operation_id))));
    return null;
  end $$;`,
  `create function tell_manifest() returns trigger language plpgsql as $$ begin
    insert into events (company_id, type, occurred_at, data) values (new.company_id, tg_argv[0], clock_timestamp(),
      jsonb_build_object('manifestId', new.id, 'carrierId', new.carrier_id, 'number', new.number, 'status', new.status));
    return null;
  end $$;`,
];

interface Trigger {
  /** Triggers of one row fire in the order of their names. */
  name: string;
  table: string;
  on: string;
  /** Checked before the function is called: an irrelevant change costs next to nothing. */
  when?: string;
  tells: string;
}

const TRIGGERS: readonly Trigger[] = [
  { name: 'events_1_created', table: 'orders', on: 'insert', tells: `tell_order('order.created')` },
  {
    name: 'events_2_status',
    table: 'orders',
    on: 'update of status',
    when: 'old.status is distinct from new.status',
    tells: `tell_order('order.status_changed')`,
  },
  {
    name: 'events_3_sent',
    table: 'orders',
    on: 'update of sent_to_marketplace_at',
    when: 'old.sent_to_marketplace_at is null and new.sent_to_marketplace_at is not null',
    tells: `tell_order('order.sent_to_marketplace')`,
  },
  {
    name: 'events_1_process',
    table: 'shipments',
    on: 'update of process_status',
    // Steps on the way give no event, and neither does the return to the first status.
    when: `old.process_status is distinct from new.process_status
      and new.process_status in ('created', 'transmitted', 'rejected', 'unknown_outcome', 'cancelled')
      and not (old.process_status = 'transmitting' and new.process_status = 'created')
      and not (old.process_status = 'cancelling' and new.process_status <> 'cancelled')`,
    tells: `tell_shipment('shipment.status_changed')`,
  },
  {
    name: 'events_2_tracking',
    table: 'shipments',
    on: 'update of tracking_status',
    when: 'old.tracking_status is distinct from new.tracking_status',
    tells: `tell_tracking('tracking.status_changed')`,
  },
  {
    name: 'events_3_held',
    table: 'shipments',
    on: 'update of tracking_status',
    when: `old.tracking_status is distinct from new.tracking_status and new.tracking_status = 'held'`,
    tells: `tell_tracking('shipment.held')`,
  },
  {
    name: 'events_1_released',
    table: 'operation_items',
    on: 'update of status',
    when: `new.kind = 'release' and new.status = 'succeeded' and old.status is distinct from new.status`,
    tells: `tell_item('shipment.released')`,
  },
  {
    name: 'events_2_unsent',
    table: 'operation_items',
    on: 'update of status',
    when: `new.kind = 'send' and new.status = 'failed' and old.status is distinct from new.status`,
    tells: `tell_item('order.marketplace_failed')`,
  },
  {
    // Refused before a worker ran.
    name: 'events_3_unsendable',
    table: 'operation_items',
    on: 'insert',
    when: `new.kind = 'send' and new.status = 'failed'`,
    tells: `tell_item('order.marketplace_failed')`,
  },
  { name: 'events_1_created', table: 'manifests', on: 'insert', tells: `tell_manifest('manifest.created')` },
  {
    name: 'events_2_deleted',
    table: 'manifests',
    on: 'update of status',
    when: `old.status is distinct from new.status and new.status = 'deleted'`,
    tells: `tell_manifest('manifest.deleted')`,
  },
];
