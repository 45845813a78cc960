import { sha256 } from '../../lib/crypto.ts';
import { Line, type Order, type Package } from './schema.ts';

/** Pieces by the id of their order line. */
export type Pieces = Map<string, number>;

export function orderedPieces({ orderItems }: Order): Pieces {
  const lines = (orderItems ?? []).flatMap((raw) => Line.safeParse(raw).data ?? []);
  return new Map(lines.map(({ orderItemId, quantityOrdered }) => [orderItemId, quantityOrdered]));
}

/** Those that were not cancelled. */
export function livePackages({ packages }: Order): Package[] {
  return packages.filter(({ packageStatus }) => packageStatus.status !== 'CANCELLED');
}

/** How many of them do not tell what is in them, or nothing at all. */
export function unreadablePackages(order: Order): number {
  return livePackages(order).filter(
    ({ packageReferenceId, packageItems }) =>
      packageReferenceId === '' ||
      packageItems.some(({ orderItemId, quantity }) => orderItemId === '' || Number.isNaN(quantity)),
  ).length;
}

export function isSameNumber(a: string, b: string): boolean {
  return compact(a) === compact(b);
}

export function sum(packages: readonly Package[]): Pieces {
  const pieces: Pieces = new Map();
  for (const { orderItemId, quantity } of packages.flatMap(({ packageItems }) => packageItems)) {
    pieces.set(orderItemId, (pieces.get(orderItemId) ?? 0) + (quantity || 0));
  }
  return pieces;
}

/** What remains of `pieces`; lines of which nothing remains are left out. */
export function minus(pieces: Pieces, taken: Pieces): Pieces {
  return new Map(
    [...pieces].map(([id, quantity]) => [id, quantity - (taken.get(id) ?? 0)] as const).filter(([, left]) => left > 0),
  );
}

/**
 * Amazon wants a positive number that no other package of the order has. Made of the tracking number, it is the same when the
 * shipment is confirmed again before Amazon shows the package, and Amazon then changes that package instead of adding one.
 */
export function packageReferenceOf(trackingNumber: string, { packages }: Order): string {
  const taken = new Set(packages.map(({ packageReferenceId }) => packageReferenceId));
  let reference = 1 + Number.parseInt(sha256(compact(trackingNumber)).slice(0, 7), 16);
  while (taken.has(String(reference))) reference += 1;
  return String(reference);
}

function compact(trackingNumber: string): string {
  return trackingNumber.replace(/\s/g, '').toUpperCase();
}
