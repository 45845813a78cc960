import type { LedgerEntry } from '../sandbox/src/partner.ts';
import { orderStatusOf } from '../src/domain/shipment-status.ts';
import type { TrackingStatus } from '../src/domain/tracking-status.ts';
import type { Books, Finding } from './compare-books.ts';
import { OVER, TAKES_NOTHING_BACK } from './compare-shipments.ts';
import type { OrderRow, ShipmentRow } from './database-book.ts';
import type { Asked, Telling } from './told.ts';

/** Carriers with a confirmation of its own; with the others, creating confirms. */
const CONFIRMS = new Set(['gls-it', 'brt']);

/** Begins the answer about a label whose booking is unknown: it is no word about a confirmation. */
const LABEL_UNKNOWN = 'Unknown whether the label was sold';

interface Case {
  orderId: number;
  told: Partial<Record<Asked, Telling[]>>;
  /** Shipments on the way to the customer, and what the carriers have of them. */
  own: readonly ShipmentRow[];
  entries: readonly LedgerEntry[];
  mayBeCancelled: boolean;
  /** Its street was corrected, which may cancel a label. */
  mayBeCorrected: boolean;
  /** A correction bought a label, and its answer told so. */
  wasRebooked: boolean;
  status: string;
  isAtDesk: boolean;
  sold: ReadonlyMap<string, LedgerEntry>;
}

/** Checks that every answer to a client was true and every promise was kept. */
export function checkTellings(books: Books, sold: ReadonlyMap<string, LedgerEntry>): Finding[] {
  const { clients, database, desk } = books;
  const byOrder = Map.groupBy(clients.tellings, (telling) => telling.orderId);
  const shipmentsOf = Map.groupBy(database.shipments, (shipment) => shipment.orderId);
  const orders = new Map(database.orders.map((order) => [order.id, order]));
  const atDesk = new Set(desk.map((entry) => entry.orderId));
  const perOrder = [...new Set([...orders.keys(), ...byOrder.keys()])].flatMap((orderId) => {
    const all = shipmentsOf.get(orderId) ?? [];
    const own = all.filter(({ direction }) => direction === 'outbound');
    const one: Case = {
      orderId,
      told: Object.groupBy(byOrder.get(orderId) ?? [], (telling) => telling.asked),
      own,
      entries: own.flatMap((shipment) => sold.get(shipment.reference) ?? []),
      mayBeCancelled: clients.cancelAsked.has(orderId),
      mayBeCorrected: clients.edits.has(orderId),
      wasRebooked: clients.edits.get(orderId)?.some(({ outcome }) => outcome !== 'refused') ?? false,
      status: orders.get(orderId)?.status ?? '',
      isAtDesk: atDesk.has(orderId),
      sold,
    };
    return [
      ...checkCreate(one),
      ...checkTransmit(one),
      ...checkCancelled(one),
      ...checkReturn(one, all),
      ...checkReleases(one, all),
      ...checkOrderStatus(orders.get(orderId), own),
    ];
  });
  return [...checkOrders(books), ...perOrder, ...checkManifests(books)];
}

/** Whether a definite no was the last word, with no other word beside it that says otherwise. */
function isSureNo(told: readonly Telling[]): boolean {
  return told.length > 0 && told.every((telling) => telling.outcome === 'failed');
}

function checkCreate({
  orderId,
  told,
  entries,
  own,
  mayBeCancelled,
  mayBeCorrected,
  wasRebooked,
  status,
  isAtDesk,
}: Case): Finding[] {
  const create = told.create ?? [];
  const live = entries.reduce((sum, entry) => sum + entry.labelsSold, 0);
  const wasTold = create.some((telling) => telling.outcome === 'success');
  if (wasTold && entries.every((entry) => entry.trackingNumbers.length === 0)) {
    return [{ kind: 'lie', orderId, text: 'told created, and the carrier never sold a label' }];
  }
  // A correction that finds no new label says so in the order.
  const isSaid = mayBeCorrected && ['pending', 'error'].includes(status);
  if (wasTold && live === 0 && !mayBeCancelled && !isSaid && !isAtDesk) {
    return [{ kind: 'lost', orderId, text: 'told created, no client cancelled, and there is no live label' }];
  }
  const isKept = own.every(({ status, carrier }) => status === 'cancelled' && TAKES_NOTHING_BACK.has(carrier));
  if (isSureNo(create) && live > 0 && !isAtDesk && !isKept && !wasRebooked) {
    const last = create.at(-1)?.message;
    return [{ kind: 'lie', orderId, text: `never told but "${last}", and there are ${live} live labels` }];
  }
  return [];
}

function checkTransmit({ orderId, told, own, entries, mayBeCancelled, isAtDesk }: Case): Finding[] {
  const transmit = told.transmit ?? [];
  if (transmit.some((telling) => telling.outcome === 'success')) {
    const needsWord = own.every(({ carrier }) => CONFIRMS.has(carrier));
    const hasWord = entries.some((entry) => (needsWord ? entry.confirmed > 0 : entry.trackingNumbers.length > 0));
    if (!hasWord) {
      return [{ kind: 'lie', orderId, text: 'told transmitted, and the carrier has no confirmation' }];
    }
    if (mayBeCancelled || entries.some((entry) => entry.confirmedNumbers.length > 0)) return [];
    return [{ kind: 'lost', orderId, text: 'told transmitted, no client cancelled, and nothing confirmed is live' }];
  }
  const live = own.find(({ status, carrier }) => status === 'created' && CONFIRMS.has(carrier));
  if (!live || isAtDesk) return [];
  const last = transmit.at(-1);
  if (last?.outcome === 'unknown' && !last.message.startsWith(LABEL_UNKNOWN)) {
    return [{ kind: 'lie', orderId, text: 'told that the confirmation is unknown, and the desk is empty' }];
  }
  const isConfirmed = entries.some((entry) => entry.liveNumbers.length > 0 && entry.confirmedNumbers.length > 0);
  if (!isSureNo(transmit) || !isConfirmed) return [];
  return [{ kind: 'lie', orderId, text: 'told that it is not confirmed, and the carrier has the confirmation' }];
}

function checkCancelled({ orderId, told, own, sold, mayBeCorrected }: Case): Finding[] {
  const byShipment = Map.groupBy(told.cancel ?? [], (telling) => telling.shipmentId);
  return [...byShipment].flatMap(([shipmentId, tellings]): Finding[] => {
    const shipment = own.find((row) => row.id === shipmentId);
    if (!shipment) return [{ kind: 'lost', orderId, text: `shipment ${shipmentId} is not there` }];
    const entry = sold.get(shipment.reference);
    const live = TAKES_NOTHING_BACK.has(shipment.carrier) ? 0 : (entry?.labelsSold ?? 0);
    const isOver = OVER.has(shipment.status);
    if (tellings.some((telling) => telling.outcome === 'success') && (!isOver || live > 0)) {
      const text = `told that shipment ${shipmentId} is cancelled, but it is ${shipment.status} with ${live} live labels`;
      return [{ kind: 'lie', orderId, text }];
    }
    const mayBeOver = mayBeCorrected || told['cancel-order'] !== undefined;
    if (isSureNo(tellings) && isOver && !mayBeOver && tellings.length === (told.cancel ?? []).length) {
      const text = `told only "${tellings.at(-1)?.message}" of shipment ${shipmentId}, and it is ${shipment.status}`;
      return [{ kind: 'lie', orderId, text }];
    }
    return [];
  });
}

function checkReturn({ orderId, told, sold }: Case, all: readonly ShipmentRow[]): Finding[] {
  const asked = told.return ?? [];
  const back = all.filter(({ direction }) => direction === 'return');
  const live = back.reduce((sum, { reference }) => sum + (sold.get(reference)?.labelsSold ?? 0), 0);
  if (asked.some((telling) => telling.outcome === 'success') && live === 0) {
    return [{ kind: 'lie', orderId, text: 'told that there is a return label, and there is none' }];
  }
  if (!isSureNo(asked) || live === 0) return [];
  return [{ kind: 'lie', orderId, text: `told "${asked.at(-1)?.message}", and there is a return label` }];
}

function checkReleases({ orderId, told, isAtDesk, sold }: Case, all: readonly ShipmentRow[]): Finding[] {
  const byShipment = Map.groupBy(told.release ?? [], (telling) => telling.shipmentId);
  return [...byShipment].flatMap(([shipmentId, tellings]): Finding[] => {
    const shipment = all.find((row) => row.id === shipmentId);
    const released = sold.get(shipment?.reference ?? '')?.released ?? 0;
    if (tellings.some((telling) => telling.outcome === 'success') && released === 0) {
      return [{ kind: 'lie', orderId, text: `told that shipment ${shipmentId} is released, and it is not` }];
    }
    if (isSureNo(tellings) && released > 0) {
      const text = `told "${tellings.at(-1)?.message}" of shipment ${shipmentId}, and it was released`;
      return [{ kind: 'lie', orderId, text }];
    }
    if (tellings.at(-1)?.outcome === 'unknown' && shipment?.isHeldOpen && !isAtDesk) {
      return [
        { kind: 'lie', orderId, text: `the release of shipment ${shipmentId} is unknown, and the desk is empty` },
      ];
    }
    return [];
  });
}

/** `GET /orders/{id}` is a telling too. */
function checkOrderStatus(order: OrderRow | undefined, own: readonly ShipmentRow[]): Finding[] {
  // An order in parts has a status between those of its shipments.
  if (!order || own.some(({ partId }) => partId !== null)) return [];
  const active = own.find((shipment) => !OVER.has(shipment.status));
  const moved = active?.trackingStatus ? orderStatusOf(active.trackingStatus as TrackingStatus) : null;
  const right = moved
    ? [moved]
    : !active
      ? ['pending', 'error', 'cancelled']
      : active.status === 'created'
        ? ['shipment_created']
        : active.status === 'transmitted'
          ? ['transmitted', 'manifested']
          : null;
  if (right === null || right.includes(order.status)) return [];
  const text = `the order says ${order.status}, its shipment is ${active?.status ?? 'cancelled'} and ${active?.trackingStatus}`;
  return [{ kind: 'lie', orderId: order.id, text }];
}

/** Every order that a client holds an id of is there, and once. */
function checkOrders({ clients, database }: Books): Finding[] {
  const findings: Finding[] = [];
  const nameOf = ({ connectionId, externalId, orderNumber }: OrderRow): string =>
    externalId === null ? orderNumber : `${connectionId}/${externalId}`;
  const byNumber = Map.groupBy(database.orders, nameOf);
  for (const [name, rows] of byNumber) {
    if (rows.length < 2) continue;
    const ids = rows.map((row) => row.id);
    findings.push({ kind: 'duplicate', orderId: ids[0] ?? null, text: `${name} is there as ${ids.join(', ')}` });
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

function checkManifests({ clients, database }: Books): Finding[] {
  const findings: Finding[] = [];
  for (const [shipmentId, lines] of Map.groupBy(database.manifestLines, (line) => line.shipmentId)) {
    const ids = lines.map((line) => line.manifestId);
    const text = `shipment ${shipmentId} is on the borderos ${ids.join(', ')}`;
    if (ids.length > 1) findings.push({ kind: 'duplicate', orderId: lines[0]?.orderId ?? null, text });
  }
  for (const { id, orderIds } of clients.manifests) {
    const there = new Set(database.manifestLines.filter((line) => line.manifestId === id).map((line) => line.orderId));
    for (const orderId of orderIds.filter((wanted) => !there.has(wanted))) {
      findings.push({ kind: 'lost', orderId, text: `told to be on bordero ${id}, and is not` });
    }
  }
  return findings;
}
