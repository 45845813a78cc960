import { Connection, type Order, type Shipment } from '../../db/entities/index.ts';
import { type Orm, systemEm } from '../../db/orm.ts';
import { lockShipment } from '../../db/queries/move-shipments.ts';
import { callConnection } from '../../engine/call-connection.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { IntegrationError } from '../../lib/errors.ts';
import type { Marketplace, MarketplaceContext } from '../../marketplaces/adapter.ts';
import { cancelForShop } from '../orders/cancel-for-shop.ts';

/** Time limit: a slow or unavailable shop must not stop the warehouse, so the label is bought without the check. */
const PATIENCE_MS = 5_000;
/** How long a check waits for others of the same connection to batch with. */
const BATCH_MS = 20;
/** Pause after an unanswered check: bookings that wait for the shop hold permits that other companies need. */
const AWAY_MS = 60_000;
/** An order that was just imported needs no check. */
const FRESH_MS = 60_000;
/** The other half of the platform's rate limit is for imports and confirmations. */
const SHARE = 0.5;

type Absence = 'cancelled' | 'gone';

const REASON: Record<Absence, string> = {
  cancelled: 'The marketplace cancelled the order',
  gone: 'The marketplace no longer has the order',
};

/**
 * Checks an imported order in its shop before a label is bought for it. If the shop has cancelled or deleted it, cancels shipment and
 * order here too, with the reason, and returns true.
 */
export async function isCancelledInShop(
  deps: Deps,
  { order, shipment }: { order: Order; shipment: Shipment },
  input: JobContext,
): Promise<boolean> {
  const { connectionId, externalOrderId } = order;
  if (connectionId === null || externalOrderId === null || shipment.direction !== 'outbound') return false;
  if (deps.now().getTime() - order.importedAt.getTime() < FRESH_MS) return false;
  const connection = await systemEm(deps.orm).findOne(Connection, {
    id: connectionId,
    companyId: order.companyId,
    isConnected: true,
    deleteFlag: false,
    checkBeforeLabel: true,
  });
  if (!connection) return false;
  let absence: Absence | undefined;
  try {
    absence = (await lookUp(deps, { connection, externalOrderId, input })).get(externalOrderId);
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    deps.log.warn({ connectionId, orderId: order.id, code: error.code }, 'order not checked in its shop');
    return false;
  }
  if (absence === undefined) return false;
  await cancelHere(deps, { order, shipmentId: shipment.id, reason: REASON[absence] });
  return true;
}

async function cancelHere(
  deps: Deps,
  { order, shipmentId, reason }: { order: Order; shipmentId: number; reason: string },
): Promise<void> {
  const { id, companyId } = order;
  await systemEm(deps.orm).transactional(async (tx) => {
    const shipment = await lockShipment(tx, shipmentId);
    if (shipment?.processStatus !== 'queued') return;
    await cancelForShop(tx, { companyId, orderId: id, reason, at: deps.now() });
  });
}

type Answer = Promise<ReadonlyMap<string, Absence>>;

interface Counter {
  /** The next batch, which takes more orders until it is sent. */
  open: { ids: Set<string>; answer: Answer } | undefined;
  /** The running request. The next batch waits for it and collects orders in the meantime. */
  asking: Promise<unknown>;
  /** Epoch milliseconds until which the shop is not called. */
  awayUntil: number;
}

/** State per connection. */
const counters = new WeakMap<Orm, Map<number, Counter>>();

/** Batches concurrent checks of one connection, if the platform can answer about many orders in one call. */
function lookUp(
  deps: Deps,
  { connection, externalOrderId, input }: { connection: Connection; externalOrderId: string; input: JobContext },
): Answer {
  const own = counters.get(deps.orm) ?? new Map<number, Counter>();
  counters.set(deps.orm, own);
  const counter = own.get(connection.id) ?? { open: undefined, asking: Promise.resolve(), awayUntil: 0 };
  own.set(connection.id, counter);
  if (Date.now() < counter.awayUntil) return Promise.resolve(new Map());
  if (counter.open) {
    counter.open.ids.add(externalOrderId);
    return counter.open.answer;
  }
  const ids = new Set([externalOrderId]);
  const pause = new Promise<void>((resolve) => setTimeout(resolve, BATCH_MS));
  const answer = Promise.all([pause, counter.asking]).then(() => {
    counter.open = undefined;
    const asked = ask(deps, { connection, ids: [...ids], input });
    counter.asking = asked.catch(() => {
      counter.awayUntil = Date.now() + AWAY_MS;
    });
    return asked;
  });
  counter.open = { ids, answer };
  return answer;
}

function ask(
  deps: Deps,
  { connection, ids, input }: { connection: Connection; ids: readonly string[]; input: JobContext },
): Promise<ReadonlyMap<string, Absence>> {
  const signal = AbortSignal.any([input.signal, AbortSignal.timeout(PATIENCE_MS)]);
  const { requestId } = input;
  return callConnection(deps, { connection, shipmentId: null }, { requestId, signal }, async (spec, context) => {
    const absent = new Map<string, Absence>();
    const budget = spec.rateLimit && budgetOf(spec.rateLimit, context);
    const { findAbsent } = spec;
    const each = findAbsent ? findAbsent.max : 1;
    for (let at = 0; at < ids.length; at += each) {
      await budget?.take(1, PATIENCE_MS / 2);
      const part = ids.slice(at, at + each);
      const found = findAbsent ? await findAbsent.find(context, part) : await readAlone(spec, context, part[0] ?? '');
      for (const [id, absence] of found) absent.set(id, absence);
    }
    return absent;
  });
}

function budgetOf({ max, durationMs }: NonNullable<Marketplace['rateLimit']>, context: MarketplaceContext<unknown>) {
  const perSecond = (max / durationMs) * 1000 * SHARE;
  return context.budget('before-label', { capacity: Math.max(1, max * SHARE), perSecond });
}

async function readAlone(
  spec: Marketplace,
  context: MarketplaceContext<unknown>,
  externalId: string,
): Promise<ReadonlyMap<string, Absence>> {
  const order = await spec.readOrder(context, externalId);
  if (order === null) return new Map([[externalId, 'gone']]);
  return order.state === 'cancelled' ? new Map([[externalId, 'cancelled']]) : new Map();
}
