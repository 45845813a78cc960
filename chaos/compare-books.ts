import type { LedgerEntry } from '../src/sandbox/partner.ts';
import type { DatabaseBook, OrderRow, ShipmentRow } from './database-book.ts';
import type { ClientBook, Telling } from './told.ts';

export interface Books {
  clients: ClientBook;
  database: DatabaseBook;
  ledger: readonly LedgerEntry[];
}

/** Something that must never be. */
export interface Finding {
  kind: 'duplicate' | 'lost' | 'lie';
  orderId: number | null;
  text: string;
}

export interface Verdict {
  orders: number;
  /** Labels that are live at the carrier. */
  labels: number;
  stillUnknown: number;
  needingPerson: number;
  handedBack: number;
  findings: Finding[];
}

const BOOKED = new Set(['created', 'transmitting', 'transmitted', 'cancelling']);
const OVER = new Set(['cancelled', 'rejected']);

/** Holds what clients were told, what the rows say and what the carrier wrote down against each other. */
export function compareBooks(books: Books): Verdict {
  const { shipments, orders } = books.database;
  const sold = new Map(books.ledger.map((entry) => [entry.reference, entry]));
  const findings = [
    ...shipments.flatMap((shipment) => checkShipment(shipment, sold.get(shipment.reference))),
    ...checkStrangers(books),
    ...checkOrders(books),
    ...checkOpen(books.database),
    ...checkTellings(books, sold),
    ...checkManifests(books),
  ];
  return {
    orders: orders.length,
    labels: books.ledger.reduce((sum, entry) => sum + entry.labelsSold, 0),
    stillUnknown: shipments.filter((shipment) => shipment.status === 'unknown_outcome').length,
    needingPerson: shipments.filter((shipment) => shipment.needsPerson).length,
    handedBack: shipments.filter((shipment) => shipment.handedBack).length,
    findings,
  };
}

/** One shipment's row against the labels under its reference. */
function checkShipment(shipment: ShipmentRow, entry: LedgerEntry | undefined): Finding[] {
  const { orderId, reference, status, parcelCount } = shipment;
  const live = entry?.labelsSold ?? 0;
  const what = `shipment ${shipment.id} (${reference}) is ${status}`;
  const finding = (kind: Finding['kind'], text: string): Finding => ({ kind, orderId, text: `${what}: ${text}` });
  if (BOOKED.has(status)) {
    const findings: Finding[] = [];
    const numbers = entry?.liveNumbers ?? [];
    if (live > parcelCount) findings.push(finding('duplicate', `${live} live labels for ${parcelCount} parcels`));
    if (live < parcelCount) findings.push(finding('lost', `${live} live labels for ${parcelCount} parcels`));
    if (numbers.length === 1 && numbers[0] !== shipment.trackingNumber) {
      findings.push(finding('lie', `it names ${shipment.trackingNumber}, the carrier ${numbers[0]}`));
    }
    if (shipment.labels < parcelCount) {
      findings.push(finding('lost', `${shipment.labels} label files for ${parcelCount} parcels`));
    }
    return findings;
  }
  const allowed = status === 'unknown_outcome' ? parcelCount : 0;
  return live > allowed ? [finding('duplicate', `${live} live labels, at most ${allowed} can be right`)] : [];
}

/** Labels under a reference that no shipment has. */
function checkStrangers({ ledger, database }: Books): Finding[] {
  const known = new Set(database.shipments.map((shipment) => shipment.reference));
  return ledger
    .filter((entry) => entry.labelsSold > 0 && !known.has(entry.reference))
    .map(({ reference }) => ({ kind: 'duplicate', orderId: null, text: `nobody has the label of ${reference}` }));
}

/** Every order that a client holds an id of is there, and once. */
function checkOrders({ clients, database }: Books): Finding[] {
  const findings: Finding[] = [];
  const byNumber = Map.groupBy(database.orders, (order) => order.orderNumber);
  for (const [orderNumber, rows] of byNumber) {
    if (rows.length < 2) continue;
    const ids = rows.map((row) => row.id);
    findings.push({ kind: 'duplicate', orderId: ids[0] ?? null, text: `${orderNumber} is there as ${ids.join(', ')}` });
  }
  for (const { orderNumber, ids } of clients.orders.values()) {
    const known = new Set((byNumber.get(orderNumber) ?? []).map((row) => row.id));
    for (const id of ids.filter((told) => !known.has(told))) {
      findings.push({ kind: 'lost', orderId: id, text: `${orderNumber} was accepted as ${id} and is not there` });
    }
    if (ids.length > 1) {
      findings.push({ kind: 'lie', orderId: ids[0] ?? null, text: `${orderNumber} was told as ${ids.join(' and ')}` });
    }
  }
  for (const request of clients.unanswered) {
    findings.push({ kind: 'lost', orderId: null, text: `never answered: ${request}` });
  }
  return findings;
}

/** Nothing may stay open without a person being told. */
function checkOpen({ shipments, openItems }: DatabaseBook): Finding[] {
  const isOver = ({ status, needsPerson, handedBack }: ShipmentRow): boolean =>
    BOOKED.has(status) || OVER.has(status) || needsPerson || handedBack;
  const stuck = shipments.filter((shipment) => !isOver(shipment));
  const moving = shipments.filter(({ status }) => status === 'transmitting' || status === 'cancelling');
  return [
    ...[...stuck, ...moving].map(
      ({ id, orderId, status }): Finding => ({ kind: 'lost', orderId, text: `shipment ${id} stays ${status}` }),
    ),
    ...openItems.map(
      ({ id, orderId, kind, status }): Finding => ({ kind: 'lost', orderId, text: `${kind} ${id} stays ${status}` }),
    ),
  ];
}

/** What a client heard last must be true. */
function checkTellings({ clients, database }: Books, sold: ReadonlyMap<string, LedgerEntry>): Finding[] {
  const byOrder = Map.groupBy(clients.tellings, (telling) => telling.orderId);
  const shipmentsOf = Map.groupBy(database.shipments, (shipment) => shipment.orderId);
  const orders = new Map(database.orders.map((order) => [order.id, order]));
  return [...new Set([...orders.keys(), ...byOrder.keys()])].flatMap((orderId) => {
    const own = shipmentsOf.get(orderId) ?? [];
    const entries = own.flatMap((shipment) => sold.get(shipment.reference) ?? []);
    const tellings = byOrder.get(orderId) ?? [];
    const mayBeCancelled = clients.cancelAsked.has(orderId);
    return [
      ...checkLastCreate(orderId, tellings, { own, entries, mayBeCancelled }),
      ...checkLastTransmit(orderId, tellings, { own, entries, mayBeCancelled }),
      ...checkCancelled(orderId, tellings, { own, sold }),
      ...checkOrderStatus(orders.get(orderId), own),
    ];
  });
}

interface OrderFacts {
  own: readonly ShipmentRow[];
  entries: readonly LedgerEntry[];
  mayBeCancelled: boolean;
}

function checkLastCreate(orderId: number, tellings: readonly Telling[], facts: OrderFacts): Finding[] {
  const told = tellings.filter((telling) => telling.asked === 'create');
  const live = facts.entries.reduce((sum, entry) => sum + entry.labelsSold, 0);
  const wasTold = told.some((telling) => telling.outcome === 'success');
  if (wasTold && facts.entries.every((entry) => entry.trackingNumbers.length === 0)) {
    return [{ kind: 'lie', orderId, text: 'told created, and the carrier never sold a label' }];
  }
  if (wasTold && live === 0 && !facts.mayBeCancelled) {
    return [{ kind: 'lost', orderId, text: 'told created, nobody cancelled, and there is no live label' }];
  }
  const last = told.at(-1);
  const saysSo = facts.own.some(({ status }) => BOOKED.has(status) || status === 'unknown_outcome');
  if (last?.outcome === 'failed' && live > 0 && !saysSo) {
    return [{ kind: 'lie', orderId, text: `told "${last.message}", and there are ${live} live labels` }];
  }
  return [];
}

function checkLastTransmit(orderId: number, tellings: readonly Telling[], facts: OrderFacts): Finding[] {
  const wasTold = tellings.some((telling) => telling.asked === 'transmit' && telling.outcome === 'success');
  if (!wasTold) return [];
  if (facts.entries.every((entry) => entry.confirmed === 0)) {
    return [{ kind: 'lie', orderId, text: 'told transmitted, and the carrier has no confirmation' }];
  }
  if (facts.mayBeCancelled || facts.entries.some((entry) => entry.confirmedNumbers.length > 0)) return [];
  return [{ kind: 'lost', orderId, text: 'told transmitted, nobody cancelled, and nothing confirmed is live' }];
}

function checkCancelled(
  orderId: number,
  tellings: readonly Telling[],
  { own, sold }: { own: readonly ShipmentRow[]; sold: ReadonlyMap<string, LedgerEntry> },
): Finding[] {
  const told = tellings.filter((telling) => telling.asked === 'cancel' && telling.outcome === 'success');
  return [...new Set(told.map((telling) => telling.shipmentId))].flatMap((shipmentId): Finding[] => {
    const shipment = own.find((row) => row.id === shipmentId);
    const live = sold.get(shipment?.reference ?? '')?.labelsSold ?? 0;
    if (shipment && OVER.has(shipment.status) && live === 0) return [];
    const text = `told that shipment ${shipmentId} is cancelled, but it is ${shipment?.status} with ${live} live labels`;
    return [{ kind: 'lie', orderId, text }];
  });
}

/** `GET /orders/{id}` is a telling too. */
function checkOrderStatus(order: OrderRow | undefined, own: readonly ShipmentRow[]): Finding[] {
  if (!order) return [];
  const active = own.find((shipment) => !OVER.has(shipment.status));
  const right = !active
    ? ['pending', 'error']
    : active.status === 'created'
      ? ['shipment_created']
      : active.status === 'transmitted'
        ? ['transmitted', 'manifested']
        : null;
  if (right === null || right.includes(order.status)) return [];
  const text = `the order says ${order.status}, its shipment is ${active?.status ?? 'no more'}`;
  return [{ kind: 'lie', orderId: order.id, text }];
}

function checkManifests({ clients, database }: Books): Finding[] {
  const findings: Finding[] = [];
  for (const [orderId, lines] of Map.groupBy(database.manifestLines, (line) => line.orderId)) {
    const ids = lines.map((line) => line.manifestId);
    if (ids.length > 1) findings.push({ kind: 'duplicate', orderId, text: `it is on the borderos ${ids.join(', ')}` });
  }
  for (const { id, orderIds } of clients.manifests) {
    const there = new Set(database.manifestLines.filter((line) => line.manifestId === id).map((line) => line.orderId));
    for (const orderId of orderIds.filter((wanted) => !there.has(wanted))) {
      findings.push({ kind: 'lost', orderId, text: `told to be on bordero ${id}, and is not` });
    }
  }
  return findings;
}
