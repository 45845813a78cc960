import type { LedgerEntry } from '../sandbox/src/partner.ts';
import { checkCorrections } from './compare-corrections.ts';
import { checkEvents } from './compare-events.ts';
import { checkPickups } from './compare-pickups.ts';
import { checkOpen, checkShipments } from './compare-shipments.ts';
import { checkShops } from './compare-shops.ts';
import { checkTellings } from './compare-tellings.ts';
import type { DatabaseBook } from './database-book.ts';
import type { DeskEntry } from './desk.ts';
import type { TakenEvent } from './receiver.ts';
import type { Ledgers, PickupBooks } from './sandbox-judge.ts';
import type { ClientBook } from './told.ts';

export interface Books {
  clients: ClientBook;
  database: DatabaseBook;
  ledgers: Ledgers;
  pickups: PickupBooks;
  desk: readonly DeskEntry[];
  taken: readonly TakenEvent[];
}

/** Something that must never be. */
export interface Finding {
  kind: 'duplicate' | 'lost' | 'lie';
  orderId: number | null;
  text: string;
}

export interface Verdict {
  orders: number;
  imported: number;
  /** Labels that are live at the carriers. */
  labels: number;
  returns: number;
  /** Shop orders that have a tracking number. */
  shopsTold: number;
  pickups: number;
  released: number;
  events: number;
  stillUnknown: number;
  needingPerson: number;
  handedBack: number;
  findings: Finding[];
}

/** Holds what clients, shops and receivers were told, what the rows say and what the partners wrote down against each other. */
export function compareBooks(books: Books): Verdict {
  const { shipments, orders, pickups, events } = books.database;
  const references = new Set(shipments.map((shipment) => shipment.reference));
  const sold = soldByReference(books);
  const own = [...sold.values()];
  const shopOrders = Object.values(books.ledgers)
    .flat()
    .filter((entry) => entry.labelsSold === 0 && !references.has(entry.reference));
  return {
    orders: orders.length,
    imported: orders.filter(({ externalId }) => externalId !== null).length,
    labels: own.reduce((sum, entry) => sum + entry.labelsSold, 0),
    returns: shipments.filter(({ direction }) => direction === 'return').length,
    shopsTold: shopOrders.filter(({ trackingNumbers }) => trackingNumbers.length > 0).length,
    pickups: pickups.length,
    released: own.reduce((sum, entry) => sum + entry.released, 0),
    events: events.length,
    stillUnknown: shipments.filter((shipment) => shipment.status === 'unknown_outcome').length,
    needingPerson: books.desk.length,
    handedBack: shipments.filter((shipment) => shipment.handedBack).length,
    findings: [
      ...checkShipments(books, sold),
      ...checkOpen(books),
      ...checkTellings(books, sold),
      ...checkCorrections(books, sold),
      ...checkShops(books),
      ...checkPickups(books),
      ...checkEvents(books),
    ],
  };
}

/** Ledger entries of carriers, keyed by our reference, which is unique across carriers. */
function soldByReference({ ledgers }: Books): Map<string, LedgerEntry> {
  const shops = new Set(SHOPS);
  const entries = Object.entries(ledgers).flatMap(([partner, own]) => (shops.has(partner) ? [] : own));
  return new Map(entries.map((entry) => [entry.reference, entry]));
}

const SHOPS = ['amazon', 'ebay', 'kaufland', 'magento', 'mirakl', 'prestashop', 'shopify', 'woocommerce'];
