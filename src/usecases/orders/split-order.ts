import { isDeepStrictEqual } from 'node:util';
import { Order, OrderItem, OrderPart, Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { lockActiveShipments } from '../../db/queries/move-shipments.ts';
import { type Pieces, piecesByItem, remainingPieces, shareCents } from '../../domain/order-parts.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound, unprocessable } from '../../engine/find.ts';
import { markMade, type Origin } from '../../engine/idempotency.ts';
import { refuseJoined } from './lock-join.ts';

/** How an order is divided: by pieces of its lines, or by how many of its parcels travel together. */
export type Division = { by: 'lines'; parts: readonly Pieces[][] } | { by: 'parcels'; parts: readonly number[] };

/** A part before it is stored. */
type NewPart = Pick<OrderPart, 'lines' | 'parcels'> & { weight: number };

type Fault = { pointer: string; message: string };

const OVER: readonly Order['status'][] = ['cancelled', 'delivered', 'returned'];

/**
 * Divides what has no label yet into parts, each with a shipment of its own; parts that have a label stay as they are. What
 * the parts leave over becomes the last part. Throws a `Problem` that points at each fault.
 */
export async function splitOrder(
  deps: Pick<Deps, 'orm' | 'now'>,
  input: Pick<Origin, 'companyId' | 'once'> & { orderId: number; division: Division },
): Promise<void> {
  const { companyId, orderId, division } = input;
  await companyEm(deps.orm, companyId).transactional(async (tx) => {
    const { order, kept, items } = await lockForSplit(tx, { companyId, orderId });
    const parts =
      division.by === 'lines' ? byLines(division.parts, { items, kept }) : byParcels(division.parts, { order, kept });
    if (parts.length + kept.length < 2) {
      throw unprocessable('One part is no split', [
        { pointer: '/parts', message: 'must leave something for another part' },
      ]);
    }
    await replaceParts(tx, { order, kept, parts, at: deps.now() });
    await markMade(tx, input.once, orderId);
  });
}

/** Locks the order, so that no shipment of it begins meanwhile: one that was planned before names an older revision. */
async function lockForSplit(tx: Em, { companyId, orderId }: { companyId: number; orderId: number }) {
  await lockActiveShipments(tx, { companyId, orderIds: [orderId] });
  await tx.execute('select id from orders where id = ? and company_id = ? for update', [orderId, companyId]);
  const order = await tx.findOne(Order, orderId);
  if (!order) throw notFound('order');
  refuseJoined(order);
  if (OVER.includes(order.status)) throw unprocessable(`The order is ${order.status}: it cannot be split`, []);
  const live = await tx.find(Shipment, {
    orderId,
    direction: 'outbound',
    processStatus: { $nin: ['cancelled', 'rejected'] },
  });
  if (live.some(({ partId }) => partId === null)) {
    throw unprocessable('The order has a shipment already: cancel that before you split the order', []);
  }
  const shipped = new Set(live.map(({ partId }) => partId));
  const parts = await tx.find(OrderPart, { orderId, replacedAt: null }, { orderBy: { position: 'asc' } });
  const items = await tx.find(OrderItem, { orderId }, { orderBy: { position: 'asc' } });
  return { order, items, kept: parts.filter(({ id }) => shipped.has(id)) };
}

function byLines(
  wanted: readonly Pieces[][],
  { items, kept }: { items: readonly OrderItem[]; kept: readonly OrderPart[] },
): NewPart[] {
  if (kept.some(({ lines }) => lines.length === 0)) throw otherKind('parcels');
  const all = items.map(({ id, quantity }) => ({ itemId: id, quantity }));
  const open = remainingPieces(
    all,
    kept.flatMap(({ lines }) => lines),
  );
  const left = piecesByItem(open);
  const faults: Fault[] = [];
  for (const [at, lines] of wanted.entries()) {
    for (const [index, { itemId, quantity }] of lines.entries()) {
      const pointer = `/parts/${at}/lines/${index}`;
      const rest = left.get(itemId);
      if (!items.some(({ id }) => id === itemId)) {
        faults.push({ pointer: `${pointer}/itemId`, message: `The order has no line ${itemId}` });
      } else if (rest === undefined || quantity > rest) {
        faults.push({
          pointer: `${pointer}/quantity`,
          message: `${rest ?? 0} of line ${itemId} are left, and ${quantity} were named`,
        });
      } else left.set(itemId, rest - quantity);
    }
  }
  if (faults.length > 0) throw unprocessable('The order cannot be split so', faults);
  const rest = remainingPieces(open, wanted.flat());
  return [...wanted, ...(rest.length > 0 ? [rest] : [])].map((lines) => {
    const pieces = [...piecesByItem(lines)].map(([itemId, quantity]) => ({ itemId, quantity }));
    return { lines: pieces, parcels: [], weight: grossOf(pieces, items) };
  });
}

function grossOf(lines: readonly Pieces[], items: readonly OrderItem[]): number {
  return lines.reduce((sum, { itemId, quantity }) => {
    const item = items.find(({ id }) => id === itemId);
    return sum + (item ? Math.round((item.totalGrossCents * quantity) / item.quantity) : 0);
  }, 0);
}

function byParcels(
  wanted: readonly number[],
  { order, kept }: { order: Order; kept: readonly OrderPart[] },
): NewPart[] {
  if (kept.some(({ lines }) => lines.length > 0)) throw otherKind('lines');
  const open = [...order.parcels];
  for (const parcel of kept.flatMap(({ parcels }) => parcels)) {
    open.splice(
      open.findIndex((one) => isDeepStrictEqual(one, parcel)),
      1,
    );
  }
  const parts: NewPart[] = [];
  for (const [at, count] of wanted.entries()) {
    if (count > open.length) {
      throw unprocessable('The order cannot be split so', [
        { pointer: `/parts/${at}/parcelCount`, message: `${open.length} parcels are left, and ${count} were named` },
      ]);
    }
    parts.push({ lines: [], parcels: open.splice(0, count), weight: count });
  }
  return open.length === 0 ? parts : [...parts, { lines: [], parcels: open, weight: open.length }];
}

function otherKind(kind: 'lines' | 'parcels') {
  return unprocessable(`The order was split by ${kind}, and a part of it has its label: go on by ${kind}`, []);
}

async function replaceParts(
  tx: Em,
  { order, kept, parts, at }: { order: Order; kept: readonly OrderPart[]; parts: readonly NewPart[]; at: Date },
): Promise<void> {
  const { id: orderId, companyId } = order;
  await tx.nativeUpdate(
    OrderPart,
    { orderId, replacedAt: null, id: { $nin: kept.map(({ id }) => id) } },
    { replacedAt: at },
  );
  const sumOf = (name: 'codCents' | 'valueCents') => kept.reduce((sum, part) => sum + (part[name] ?? 0), 0);
  const weights = parts.map(({ weight }) => weight);
  const cod = order.codCents === null ? null : shareCents(order.codCents - sumOf('codCents'), weights);
  const values = shareCents(order.grossCents - sumOf('valueCents'), weights);
  const [last] = await tx.find(OrderPart, { orderId }, { orderBy: { position: 'desc' }, limit: 1 });
  await tx.insertMany(
    OrderPart,
    parts.map(({ lines, parcels }, index) => ({
      companyId,
      orderId,
      position: (last?.position ?? 0) + index + 1,
      lines,
      parcels,
      codCents: cod?.[index] ?? null,
      valueCents: values[index] ?? 0,
    })),
  );
  await tx.execute(
    'update orders set is_split = true, revision = revision + 1, updated_at = now() where id = ? and company_id = ?',
    [orderId, companyId],
  );
}
