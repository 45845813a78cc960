import type { LedgerEntry } from '../sandbox/src/partner.ts';
import type { Books, Finding } from './compare-books.ts';
import { BOOKED, OVER, TAKES_NOTHING_BACK } from './compare-shipments.ts';
import type { ShipmentRow } from './database-book.ts';
import type { Edit, Telling } from './told.ts';

/** Checks what clients were told about corrected, cancelled and reopened orders. */
export function checkCorrections(books: Books, sold: ReadonlyMap<string, LedgerEntry>): Finding[] {
  const { clients, database } = books;
  const shipmentsOf = Map.groupBy(
    database.shipments.filter(({ direction }) => direction === 'outbound'),
    ({ orderId }) => orderId,
  );
  const tellingsOf = Map.groupBy(clients.tellings, ({ orderId }) => orderId);
  return database.orders.flatMap(({ id, status, street }) => {
    const own = shipmentsOf.get(id) ?? [];
    const told = tellingsOf.get(id) ?? [];
    const edits = clients.edits.get(id) ?? [];
    return [
      ...checkStreet({ orderId: id, street, edits }),
      ...own.flatMap((shipment) => checkLabel(shipment, { edits, sold })),
      ...checkCancelledOrder({ orderId: id, status, told, own, sold }),
    ];
  });
}

/**
 * Returns the streets that a correction has replaced: all before the last one that was answered with 200, and all that were
 * refused. One whose outcome is open may hold.
 */
function replacedStreets(edits: readonly Edit[]): Set<string> {
  const last = edits.findLastIndex(({ outcome }) => outcome === 'done');
  return new Set(edits.flatMap(({ street, outcome }, at) => (at < last || outcome === 'refused' ? [street] : [])));
}

function isAllowed(address: string, edits: readonly Edit[]): boolean {
  const written = edits.find(({ street }) => isOfStreet(address, street));
  if (written) return !replacedStreets(edits).has(written.street);
  // The street of the creation: right until a correction is answered with 200.
  return edits.every(({ outcome }) => outcome !== 'done');
}

/** Carriers print a street in capitals or with a comma before the number, and some add the town. */
function isOfStreet(address: string, street: string): boolean {
  const wordsOf = (text: string) =>
    `${text
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]+/g, ' ')
      .trim()} `;
  return wordsOf(address).startsWith(wordsOf(street));
}

function checkStreet({
  orderId,
  street,
  edits,
}: {
  orderId: number;
  street: string;
  edits: readonly Edit[];
}): Finding[] {
  if (edits.length === 0 || isAllowed(street, edits)) return [];
  return [{ kind: 'lie', orderId, text: `the order goes to ${street}, which a correction replaced or never reached` }];
}

function checkLabel(
  { id, orderId, carrier, reference, status }: ShipmentRow,
  { edits, sold }: { edits: readonly Edit[]; sold: ReadonlyMap<string, LedgerEntry> },
): Finding[] {
  // A locker's label has no street.
  if (edits.length === 0 || carrier === 'inpost-it' || !BOOKED.has(status)) return [];
  return (sold.get(reference)?.liveAddresses ?? [])
    .filter((address) => !isAllowed(address, edits))
    .map((address): Finding => {
      const text = `shipment ${id} (${carrier}) has a live label to ${address}, which a correction replaced`;
      return { kind: 'lie', orderId, text };
    });
}

function checkCancelledOrder({
  orderId,
  status,
  told,
  own,
  sold,
}: {
  orderId: number;
  status: string;
  told: readonly Telling[];
  own: readonly ShipmentRow[];
  sold: ReadonlyMap<string, LedgerEntry>;
}): Finding[] {
  const words = told.filter(({ asked }) => asked === 'cancel-order' || asked === 'reopen');
  if (words.length === 0) return [];
  const isUnsure = words.some(({ outcome }) => outcome === 'unknown');
  const isReopened = words.some(({ asked }) => asked === 'reopen');
  const isToldCancelled = words.some(({ asked, outcome }) => asked === 'cancel-order' && outcome === 'success');
  if (isToldCancelled && !isReopened) {
    const live = own
      .filter(({ carrier, status: row }) => !(OVER.has(row) && TAKES_NOTHING_BACK.has(carrier)))
      .reduce((sum, { reference }) => sum + (sold.get(reference)?.labelsSold ?? 0), 0);
    if (status === 'cancelled' && live === 0) return [];
    return [{ kind: 'lie', orderId, text: `told that it is cancelled, but it is ${status} with ${live} live labels` }];
  }
  if (isToldCancelled || isUnsure || status !== 'cancelled') return [];
  return [{ kind: 'lie', orderId, text: `told only "${words.at(-1)?.message}", and the order is cancelled` }];
}
