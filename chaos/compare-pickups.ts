import { carrierReference } from '../src/domain/carrier-reference.ts';
import type { Books, Finding } from './compare-books.ts';
import type { PickupRow } from './database-book.ts';

/** The installation code that `makeCompanies` sets. */
const INSTALLATION = 'CHA';

/** Checks that a courier told as booked comes once, and one told as cancelled or failed does not come. */
export function checkPickups(books: Books): Finding[] {
  const { database, clients } = books;
  const found = database.pickups.flatMap((pickup) => checkPickup(pickup, books));
  const lies = [...clients.pickups].flatMap(([id, told]): Finding[] => {
    const row = database.pickups.find((pickup) => pickup.id === id);
    if (!row)
      return [{ kind: 'lost', orderId: null, text: `pickup ${id} was told as ${told.status} and is not there` }];
    const isRight = told.status === row.status || told.status.startsWith('refused') || row.status === 'cancelled';
    return isRight
      ? []
      : [{ kind: 'lie', orderId: null, text: `pickup ${id} was told as ${told.status} and is ${row.status}` }];
  });
  return [...found, ...lies, ...checkNameless(books)];
}

function checkPickup({ id, carrier, status, confirmation, message }: PickupRow, { pickups }: Books): Finding[] {
  const own = pickups[carrier] ?? [];
  const reference = `P${carrierReference(INSTALLATION, id)}`;
  const isOwn = (entry: (typeof own)[number]): boolean =>
    entry.reference === reference || (confirmation !== '' && entry.confirmation === confirmation);
  const live = own.filter((entry) => !entry.isCancelled && isOwn(entry)).length;
  const finding = (kind: Finding['kind'], text: string): Finding[] => [
    { kind, orderId: null, text: `pickup ${id} at ${carrier} is ${status} ("${message}"): ${text}` },
  ];
  if (live > 1) return finding('duplicate', `${live} couriers come`);
  if (status === 'booked' && live === 0) return finding('lie', 'no courier comes');
  if ((status === 'cancelled' || status === 'failed') && live > 0) return finding('lie', 'a courier comes');
  return [];
}

/** InPost's orders carry no reference of ours: as many as have no name here must be unknown here. */
function checkNameless({ database, pickups }: Books): Finding[] {
  const own = database.pickups.filter(({ carrier }) => carrier === 'inpost-it');
  const named = new Set(own.map(({ confirmation }) => confirmation));
  const nameless = (pickups['inpost-it'] ?? []).filter(({ confirmation }) => !named.has(confirmation)).length;
  const unknown = own.filter(({ status }) => status === 'unknown').length;
  if (nameless <= unknown) return [];
  const text = `InPost sends ${nameless} couriers of which no pickup knows, and ${unknown} pickups are unknown`;
  return [{ kind: 'duplicate', orderId: null, text }];
}
