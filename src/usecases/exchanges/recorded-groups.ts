import { Exchange } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { unpackBodies } from '../../engine/exchange-bodies.ts';
import type { TapedExchange } from '../../lib/tape.ts';
import { planOf } from './recorded-steps.ts';
import type { Replayed } from './replay-call.ts';
import { notReplayable, replayGroup } from './replay-group.ts';

/** Rows per page, each with at most eight kilobytes of texts. */
const PAGE_ROWS = 500;
/** Rows of one call are written together; other processes may write between them. */
const NEIGHBOURS = 200;

/** Replays all stored exchanges of a shipment with today's adapters, oldest first. */
export async function replayShipment(deps: Deps, shipmentId: number): Promise<Replayed[]> {
  const rows = await systemEm(deps.orm).find(Exchange, { shipmentId }, { orderBy: { id: 'asc' } });
  const replayed: Replayed[] = [];
  for (const group of grouped(rows).values()) replayed.push(...(await replayRows(deps, group)));
  return replayed;
}

/** Replays all exchanges since a moment, of all companies. Memory holds one page of rows, and calls that a page border cuts. */
export async function* replaySince(deps: Deps, since: Date): AsyncGenerator<Replayed> {
  let held: Exchange[] = [];
  let afterId = 0;
  for (;;) {
    const page = await systemEm(deps.orm).find(
      Exchange,
      { startedAt: { $gte: since }, id: { $gt: afterId } },
      { orderBy: { id: 'asc' }, limit: PAGE_ROWS },
    );
    const isLast = page.length < PAGE_ROWS;
    afterId = page.at(-1)?.id ?? afterId;
    const next: Exchange[] = [];
    for (const group of grouped([...held, ...page]).values()) {
      const isOpen = !isLast && (group.at(-1)?.id ?? 0) > afterId - NEIGHBOURS && group.length < NEIGHBOURS;
      if (isOpen) next.push(...group);
      else yield* await replayRows(deps, await wholeAttempt(deps, group));
    }
    if (isLast) return;
    held = next;
  }
}

/**
 * Reads the rest of an attempt by its shipment, because a look-up may come hours after its booking. Returns nothing for an attempt that
 * began earlier: it was replayed with its beginning, or began before the requested time.
 */
async function wholeAttempt(deps: Deps, group: Exchange[]): Promise<Exchange[]> {
  const [first] = group;
  if (!first?.attemptId || first.shipmentId === null) return group;
  const { attemptId, shipmentId } = first;
  const rows = await systemEm(deps.orm).find(Exchange, { shipmentId, attemptId }, { orderBy: { id: 'asc' } });
  return rows[0]?.id === first.id ? rows : [];
}

/** Groups rows by attempt, else by their shipment or request. */
function grouped(rows: readonly Exchange[]): Map<string, Exchange[]> {
  return Map.groupBy(rows, ({ companyId, provider, attemptId, shipmentId, requestId }) =>
    attemptId === null
      ? `${companyId} ${provider} ${shipmentId} ${shipmentId === null ? requestId : ''}`
      : `attempt ${attemptId} ${provider}`,
  );
}

async function replayRows(deps: Deps, rows: readonly Exchange[]): Promise<Replayed[]> {
  const [first] = rows;
  if (!first) return [];
  const { provider: partner, shipmentId } = first;
  const exchanges = await Promise.all(rows.map(tapedOf));
  const whole = { partner, shipmentId, exchanges };
  if (rows.some(({ bodies }) => bodies === null)) return [notReplayable(whole, 'the retention of its texts is over')];
  try {
    const plan = await planOf(deps, first);
    if ('reason' in plan) return [notReplayable(whole, plan.reason)];
    const group = { ...whole, ...plan };
    return await replayGroup(deps, group, deps.settings.callLimitMs);
  } catch (error) {
    // One malformed row must not stop the replay of a whole week.
    return [notReplayable(whole, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))];
  }
}

async function tapedOf(row: Exchange): Promise<TapedExchange> {
  const { request, response } = row.bodies === null ? NO_TEXTS : await unpackBodies(row.bodies as Buffer);
  const { operation, effect, method, status, error, startedAt } = row;
  return {
    operation,
    effect: effect === 'write' ? 'write' : 'read',
    method,
    path: URL.canParse(row.url) ? new URL(row.url).pathname : row.url,
    status,
    error,
    startedAt: startedAt.toISOString(),
    request,
    response,
  };
}

const NO_TEXTS = { request: '', response: '' };
