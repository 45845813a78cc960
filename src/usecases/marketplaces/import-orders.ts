import { Company, Connection, MarketplaceRow } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { callConnection } from '../../engine/call-connection.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { IntegrationError } from '../../lib/errors.ts';
import type { ImportedOrder, OrderPage, OrderWindow } from '../../marketplaces/adapter.ts';
import { marketplaceQueue } from '../../queue/jobs.ts';
import { afterCall } from '../../queue/retry.ts';
import { dueImportFailures, forgetImportFailure, keepImportFailure, readImportFailures } from './import-failures.ts';
import { cancelGone, upsertOrders } from './upsert-order.ts';

/** Overlap with the last window, because clocks differ and shops commit late. */
const OVERLAP_MS = 5 * 60_000;
const FIRST_WINDOW_DAYS = 30;
/** A long window is read in parts. Each finished part is recorded, so an interrupted import resumes there. */
const DAY_MS = 86_400_000;
/** Lease of an import: after this another process takes it over. */
const HOLD_SECONDS = 120;

/**
 * Half of the scheduler's minute. `imported_until` is the time of the job, a moment after its tick. An exact comparison would miss an
 * interval of one minute by that moment and turn it into two.
 */
const HALF_TICK_MS = 30_000;

/** Queues an import for every connection whose interval has passed, with a tolerance of half a tick. */
export async function queueDueImports(deps: Deps): Promise<number> {
  const due = await systemEm(deps.orm).execute<
    { id: number; companyId: number; code: string; imported_until: Date | null }[]
  >(
    `select c.id, c.company_id as "companyId", m.code, c.imported_until from connections c join marketplaces m on m.id = c.marketplace_id
      where c.import_enabled and c.is_connected and not c.delete_flag
        and (c.imported_until is null or c.imported_until <= ?)`,
    [new Date(deps.now().getTime() - deps.settings.importIntervalMs + HALF_TICK_MS)],
  );
  for (const { id, companyId, code, imported_until: importedUntil } of due) {
    await requestImport(deps, { connectionId: id, companyId, marketplace: code, importedUntil }).catch((err) =>
      deps.log.warn({ err, connectionId: id }, 'enqueue of import failed; the next tick will retry'),
    );
  }
  return due.length;
}

/**
 * Returns a job id that allows one import per connection and interval, with any number of schedulers. Intervals count from the last
 * import, because two due imports could share one interval that counts from midnight. A failed import does not move that start.
 */
export async function requestImport(
  deps: Deps,
  input: { connectionId: number; companyId: number; marketplace: string; importedUntil: Date | null },
): Promise<void> {
  const since = input.importedUntil === null ? 0 : new Date(input.importedUntil).getTime();
  const interval = Math.round((deps.now().getTime() - since) / deps.settings.importIntervalMs);
  const id = `import-${input.connectionId}-${since}-${interval}`;
  await deps.queues.add(marketplaceQueue(input.marketplace), [
    { name: 'import', id, companyId: input.companyId, payload: { connectionId: input.connectionId } },
  ]);
}

const SOME_FAILED = ' orders could not be imported';

/** Errors that concern one order only. Any other error concerns all orders. */
const ABOUT_THE_ORDER = new Set(['answer-unreadable', 'validation', 'refused']);

export interface ImportCount {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

/** State of a running import of one connection. */
interface Run {
  company: Company;
  connection: Connection;
  marketplace: MarketplaceRow;
  input: JobContext;
  count: ImportCount;
  /** Earlier failures by the marketplace's order id. */
  failing: Set<string>;
}

/** Returns true while a worker imports from the connection. */
export function isImporting({ importingUntil }: Connection, now: Date): boolean {
  return importingUntil !== null && importingUntil > now;
}

const NOTHING: ImportCount = { created: 0, updated: 0, unchanged: 0, failed: 0 };

/** Runs the import of a connection for the queue, which retries it. */
export async function importOrders(deps: Deps, input: { connectionId: number } & JobContext): Promise<ImportCount> {
  return (await importChanges(deps, input).catch(retried)) ?? NOTHING;
}

function retried(error: unknown): never {
  throw error instanceof IntegrationError ? afterCall(error) : error;
}

/**
 * Imports every order that changed since the last import. Returns null while another worker is importing, because a slow platform may
 * exceed the interval. One bad order cannot stop the others.
 */
export async function importChanges(
  deps: Deps,
  input: { connectionId: number } & JobContext,
): Promise<ImportCount | null> {
  const count = { ...NOTHING };
  if (!(await holdImport(deps, input.connectionId, { isOurs: false }))) return null;
  const beat = setInterval(
    () => {
      holdImport(deps, input.connectionId, { isOurs: true }).catch((err) =>
        deps.log.warn({ err }, 'import lease not renewed'),
      );
    },
    (HOLD_SECONDS * 1000) / 4,
  );
  try {
    const run = await openRun(deps, input, count);
    return run ? await importWindow(deps, run) : count;
  } finally {
    clearInterval(beat);
    await systemEm(deps.orm).nativeUpdate(Connection, { id: input.connectionId }, { importingUntil: null });
  }
}

/** Takes or renews the lease on the import of a connection. Returns false while another worker has it. */
async function holdImport(deps: Deps, connectionId: number, { isOurs }: { isOurs: boolean }): Promise<boolean> {
  const rows = await systemEm(deps.orm).execute<object[]>(
    `update connections set importing_until = now() + make_interval(secs => ?)
      where id = ? and (? or importing_until is null or importing_until < now()) returning id`,
    [HOLD_SECONDS, connectionId, isOurs],
  );
  return rows.length > 0;
}

async function importWindow(deps: Deps, run: Run): Promise<ImportCount> {
  const { connection, count } = run;
  const until = deps.now();
  let from = new Date(
    connection.importedUntil === null
      ? until.getTime() - FIRST_WINDOW_DAYS * DAY_MS
      : connection.importedUntil.getTime() - OVERLAP_MS,
  );
  const partMs = (deps.marketplaces.get(run.marketplace.code)?.windowDays ?? 1) * DAY_MS;
  try {
    while (from < until) {
      const modifiedBefore = new Date(Math.min(from.getTime() + partMs, until.getTime()));
      await importPart(deps, run, { modifiedAfter: from, modifiedBefore });
      const importedUntil = new Date(Math.max(modifiedBefore.getTime(), connection.importedUntil?.getTime() ?? 0));
      await update(deps, connection, { importedUntil });
      from = modifiedBefore;
    }
    for (const externalId of await dueImportFailures(deps, connection)) await importAlone(deps, run, externalId);
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    await update(deps, connection, { lastImportError: error.message, lastImportAt: deps.now() });
    throw error;
  }
  const lastImportError = count.failed > 0 ? `${count.failed}${SOME_FAILED}` : null;
  await update(deps, connection, { lastImportError, lastImportAt: deps.now() });
  deps.log.info({ connectionId: connection.id, ...count }, 'orders imported');
  return count;
}

/** Tells whether a run itself went well, and only single orders failed. */
export function onlyOrdersFailed(lastImportError: string): boolean {
  return lastImportError.endsWith(SOME_FAILED);
}

/** Imports one order now, after a webhook of its marketplace. */
export async function importOneOrder(deps: Deps, input: OneOrder): Promise<ImportCount> {
  return importOrder(deps, input).catch(retried);
}

type OneOrder = { connectionId: number; externalId: string } & JobContext;

/** Imports one order now. Throws an `IntegrationError` when the shop does not answer. */
export async function importOrder(deps: Deps, input: OneOrder): Promise<ImportCount> {
  const count = { ...NOTHING };
  const run = await openRun(deps, input, count);
  if (run) await importAlone(deps, run, input.externalId);
  return count;
}

async function openRun(
  deps: Deps,
  input: { connectionId: number } & JobContext,
  count: ImportCount,
): Promise<Run | null> {
  const em = systemEm(deps.orm);
  const connection = await em.findOne(Connection, { id: input.connectionId, deleteFlag: false, isConnected: true });
  if (!connection) return null;
  const marketplace = await em.findOneOrFail(MarketplaceRow, connection.marketplaceId);
  const company = await em.findOneOrFail(Company, connection.companyId);
  const failing = await readImportFailures(deps, connection);
  return { company, connection, marketplace, input, count, failing };
}

/** Imports all pages of one part of the window. Memory holds one page at a time. */
async function importPart(deps: Deps, run: Run, part: Omit<OrderWindow, 'page'>): Promise<void> {
  const { connection, input } = run;
  let page: string | null = null;
  do {
    const window: OrderWindow = { ...part, page };
    const listed: OrderPage = await callConnection(deps, { connection, shipmentId: null }, input, (spec, context) =>
      spec.listOrders(context, window),
    );
    await keep(deps, run, listed.orders);
    for (const { externalId, reason } of listed.unreadable) await fail(deps, run, { externalId, reason });
    page = listed.next;
  } while (page !== null);
}

/** Imports one order by its id. If the marketplace deleted it, its failure is deleted too. */
async function importAlone(deps: Deps, run: Run, externalId: string): Promise<void> {
  const { connection, input } = run;
  let order: ImportedOrder | null;
  try {
    order = await callConnection(deps, { connection, shipmentId: null }, input, (spec, context) =>
      spec.readOrder(context, externalId),
    );
  } catch (error) {
    if (!(error instanceof IntegrationError) || !ABOUT_THE_ORDER.has(error.code)) throw error;
    return fail(deps, run, { externalId, reason: error.message });
  }
  if (order) return keep(deps, run, [order]);
  if (await cancelGone(deps, { connection, externalId })) run.count.updated += 1;
  await forgetImportFailure(deps, connection, externalId);
}

async function keep(deps: Deps, run: Run, orders: readonly ImportedOrder[]): Promise<void> {
  const { company, connection, marketplace, count, failing } = run;
  const failed = new Set<string>();
  const done = await upsertOrders(deps, { company, connection, marketplace, orders }, async ({ externalId }, err) => {
    deps.log.error({ err, connectionId: connection.id, externalId }, 'order not imported');
    failed.add(externalId);
    await fail(deps, run, { externalId, reason: err instanceof Error ? err.message : String(err) });
  });
  count.created += done.created;
  count.updated += done.updated;
  count.unchanged += done.unchanged;
  for (const { externalId } of orders) {
    if (failing.has(externalId) && !failed.has(externalId)) {
      failing.delete(externalId);
      await forgetImportFailure(deps, connection, externalId);
    }
  }
}

async function fail(deps: Deps, run: Run, failure: { externalId: string; reason: string }): Promise<void> {
  run.count.failed += 1;
  run.failing.add(failure.externalId);
  await keepImportFailure(deps, run.connection, failure);
}

async function update(deps: Deps, connection: Connection, set: Partial<Connection>): Promise<void> {
  const { id, companyId } = connection;
  await systemEm(deps.orm).nativeUpdate(Connection, { id, companyId }, set);
}
