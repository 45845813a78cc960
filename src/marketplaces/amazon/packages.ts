import { sha256 } from '../../lib/crypto.ts';
import { type Pieces, sumPieces } from '../pieces.ts';
import { compactNumber } from '../tracking-numbers.ts';
import { Line, type Order, type Package } from './schema.ts';

export function orderedPieces({ orderItems }: Order): Pieces {
  const lines = (orderItems ?? []).flatMap((raw) => Line.safeParse(raw).data ?? []);
  return new Map(lines.map(({ orderItemId, quantityOrdered }) => [orderItemId, quantityOrdered]));
}

/** Lists the packages that were not cancelled. */
export function livePackages({ packages }: Order): Package[] {
  return packages.filter(({ packageStatus }) => packageStatus.status !== 'CANCELLED');
}

/** Counts the packages that do not say what is in them. */
export function unreadablePackages(order: Order): number {
  return livePackages(order).filter(
    ({ packageReferenceId, packageItems }) =>
      packageReferenceId === '' ||
      packageItems.some(({ orderItemId, quantity }) => orderItemId === '' || Number.isNaN(quantity)),
  ).length;
}

/** Adds up the pieces that the packages hold, by the id of their line. */
export function piecesIn(packages: readonly Package[]): Pieces {
  return sumPieces(
    packages.flatMap(({ packageItems }) => packageItems).map((item) => [item.orderItemId, item.quantity || 0]),
  );
}

/**
 * Returns the positive number that Amazon wants for a package, which no other package of the order has. It is made of the
 * tracking number. So it stays the same when the shipment is confirmed again before Amazon shows the package: Amazon
 * then changes that package instead of adding one.
 */
export function packageReferenceOf(trackingNumber: string, { packages }: Order): string {
  const taken = new Set(packages.map(({ packageReferenceId }) => packageReferenceId));
  let reference = 1 + Number.parseInt(sha256(compactNumber(trackingNumber)).slice(0, 7), 16);
  while (taken.has(String(reference))) reference += 1;
  return String(reference);
}
