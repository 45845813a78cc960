import pg from 'pg';
import type { Transitions } from '../../src/domain/machine.ts';
import { MANIFEST_TRANSITIONS } from '../../src/domain/manifest-status.ts';
import { ORDER_TRANSITIONS } from '../../src/domain/order-status.ts';
import { SHIPMENT_TRANSITIONS } from '../../src/domain/shipment-status.ts';
import { TRACKING_STATUSES } from '../../src/domain/tracking-status.ts';
import type { TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';

/** What a client was told stays told; only a failure that may be repeated by hand is taken up again. */
const ITEM_TRANSITIONS: Transitions<'pending' | 'running' | 'succeeded' | 'failed'> = {
  pending: ['running', 'succeeded', 'failed'],
  running: ['pending', 'succeeded', 'failed'],
  succeeded: [],
  failed: ['running', 'pending'],
};

interface Machine {
  table: string;
  column: string;
  transitions: Transitions<string>;
  born: string | null;
}

const MACHINES: readonly Machine[] = [
  { table: 'shipments', column: 'process_status', transitions: SHIPMENT_TRANSITIONS, born: 'queued' },
  { table: 'orders', column: 'status', transitions: ORDER_TRANSITIONS, born: 'pending' },
  { table: 'manifests', column: 'status', transitions: MANIFEST_TRANSITIONS, born: 'created' },
  { table: 'operation_items', column: 'status', transitions: ITEM_TRANSITIONS, born: null },
];
const FENCED = ['shipments', 'operation_items'];
const KEPT_FOR_EVER = ['shipment_attempts', 'tracking_events'];

const FUNCTIONS = `
  create sequence model_forbidden;

  -- The sequence outlives the transaction that is rolled back: nobody can swallow it.
  create function model_forbid(what text) returns void language plpgsql security definer as $$ begin
    perform nextval('model_forbidden');
    raise exception 'forbidden: %', what;
  end $$;

  create function model_check_birth() returns trigger language plpgsql as $$ begin
    if to_jsonb(new)->>tg_argv[0] <> tg_argv[1] then
      perform model_forbid(format('%s born %s', tg_table_name, to_jsonb(new)->>tg_argv[0]));
    end if;
    return new;
  end $$;

  create function model_check_step() returns trigger language plpgsql as $$
  declare
    before text := to_jsonb(old)->>tg_argv[0];
    after text := to_jsonb(new)->>tg_argv[0];
  begin
    if before <> after and not (tg_argv[1]::jsonb->before ? after) then
      perform model_forbid(format('%s %s from %s to %s', tg_table_name, old.id, before, after));
    end if;
    return new;
  end $$;

  create function model_check_fence() returns trigger language plpgsql as $$ begin
    if new.attempt < old.attempt then
      perform model_forbid(format('%s %s attempt from %s to %s', tg_table_name, old.id, old.attempt, new.attempt));
    end if;
    return new;
  end $$;

  create function model_check_tracking() returns trigger language plpgsql as $$
  declare
    before int := (tg_argv[0]::jsonb->>old.tracking_status)::int;
    after int := (tg_argv[0]::jsonb->>new.tracking_status)::int;
  begin
    if old.tracking_status is not null and old.tracking_status is distinct from new.tracking_status
       and (after is null or before = 9 or (after < before and not (before in (2, 3) and after in (2, 3)))) then
      perform model_forbid(format('shipment %s tracking from %s to %s', old.id, old.tracking_status, new.tracking_status));
    end if;
    return new;
  end $$;

  create function model_check_kept() returns trigger language plpgsql as $$ begin
    perform model_forbid(format('%s %s deleted', tg_table_name, old.id));
    return old;
  end $$;
`;

/** Triggers made of the product's own tables: every statement is checked, whatever wrote it. */
export async function installGuard(test: TestApp): Promise<void> {
  const ranks = JSON.stringify(TRACKING_STATUSES);
  const triggers = [
    ...MACHINES.map(
      ({ table, column, transitions }) =>
        `create trigger model_step before update on ${table} for each row
           execute function model_check_step('${column}', '${JSON.stringify(transitions)}')`,
    ),
    ...MACHINES.filter(({ born }) => born !== null).map(
      ({ table, column, born }) =>
        `create trigger model_birth before insert on ${table} for each row
           execute function model_check_birth('${column}', '${born}')`,
    ),
    ...FENCED.map(
      (table) =>
        `create trigger model_fence before update on ${table} for each row execute function model_check_fence()`,
    ),
    ...KEPT_FOR_EVER.map(
      (table) => `create trigger model_kept before delete on ${table} for each row execute function model_check_kept()`,
    ),
    `create trigger model_tracking before update on shipments for each row execute function model_check_tracking('${ranks}')`,
  ];
  await run(test, [FUNCTIONS, ...triggers]);
}

/** How often anything tried what is forbidden. */
export async function countForbidden(test: TestApp): Promise<number> {
  const [row] = await database(test).execute<{ count: number }[]>(
    'select (case when is_called then last_value else 0 end)::int as count from model_forbidden',
  );
  return row?.count ?? 0;
}

/** Literal question marks of the statements would be taken for parameters by the ORM. */
async function run(test: TestApp, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: test.app.config.databaseUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
