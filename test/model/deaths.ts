import type { TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';

const NEVER = -1_000_000_000;
const WRITTEN = [
  'shipments',
  'parcels',
  'shipment_attempts',
  'documents',
  'tracking_events',
  'orders',
  'operations',
  'operation_items',
  'manifests',
  'manifest_items',
  'exchanges',
];
const MESSAGE = 'the process died';

/**
 * A process that dies is one whose statements stop arriving: a countdown that no rollback resets makes the n-th write from now,
 * and every one after it, fail until the test says that a new process runs.
 */
export async function installDeaths(test: TestApp): Promise<void> {
  const em = database(test);
  await em.execute(`create sequence model_death minvalue ${NEVER} start ${NEVER}`);
  await em.execute(`create function model_die() returns trigger language plpgsql security definer as $$ begin
    if nextval('model_death') >= 0 then raise exception '${MESSAGE}'; end if;
    return null;
  end $$`);
  for (const table of WRITTEN) {
    await em.execute(
      `create trigger model_death before insert or update on ${table} for each statement execute function model_die()`,
    );
  }
}

/** The process will not get past its n-th write from now; 1 is the next one. */
export async function dieAtWrite(test: TestApp, count: number): Promise<void> {
  await database(test).execute(`select setval('model_death', ?)`, [-count]);
}

/** A new process takes the place of the dead one. */
export async function revive(test: TestApp): Promise<void> {
  await database(test).execute(`select setval('model_death', ?)`, [NEVER]);
}

export function isDeath(error: unknown): boolean {
  return error instanceof Error && error.message.includes(MESSAGE);
}
