import type { LedgerEntry } from '../sandbox/src/partner.ts';
import type { Books, Finding } from './compare-books.ts';
import { OVER } from './compare-shipments.ts';
import type { OrderRow, ShipmentRow } from './database-book.ts';

const TOLD_WRONG = ['marketplace-told-another-number', 'marketplace-not-told'];

/** Checks that each purchase is imported once, and that each shop has the live number or the desk says that it has not. */
export function checkShops(books: Books): Finding[] {
  const { clients, database, ledgers } = books;
  const byExternal = new Map(database.orders.map((order) => [`${order.connectionId}/${order.externalId}`, order]));
  const lost = clients.placed
    .filter(({ connectionId, externalId }) => !byExternal.has(`${connectionId}/${externalId}`))
    .map(({ marketplace, externalId }): Finding => {
      return { kind: 'lost', orderId: null, text: `${marketplace} order ${externalId} was never imported` };
    });
  const entries = new Map(
    Object.entries(ledgers).flatMap(([partner, own]) => own.map((entry) => [`${partner}/${entry.reference}`, entry])),
  );
  const shipmentsOf = Map.groupBy(database.shipments, (shipment) => shipment.orderId);
  const told = database.orders.flatMap((order) => {
    if (order.marketplace === null) return [];
    const entry =
      entries.get(`${order.marketplace}/${order.externalNumber}`) ??
      entries.get(`${order.marketplace}/${order.externalId}`);
    const own = (shipmentsOf.get(order.id) ?? []).filter(({ direction }) => direction === 'outbound');
    if (entry) return checkOrder(order, { entry, own }, books);
    return [
      { kind: 'lost' as const, orderId: order.id, text: `${order.marketplace} does not know ${order.externalId}` },
    ];
  });
  return [...lost, ...told];
}

function checkOrder(
  order: OrderRow,
  { entry, own }: { entry: LedgerEntry; own: readonly ShipmentRow[] },
  { clients, database, desk }: Books,
): Finding[] {
  const orderId = order.id;
  const what = `${order.marketplace} order ${order.externalId}`;
  const finding = (kind: Finding['kind'], text: string): Finding => ({ kind, orderId, text: `${what} ${text}` });
  // PrestaShop keeps the numbers of all parts in one text.
  const numbers = entry.trackingNumbers.flatMap((text) => text.split(', '));
  const lives = own.filter(({ status }) => !OVER.has(status));
  const isAtDesk = desk.some(
    (one) => one.orderId === orderId && one.reasons.some((reason) => TOLD_WRONG.includes(reason)),
  );
  const isSettledByHand = own.some(({ id }) => clients.settledByHand.has(id));
  const sends = clients.tellings.filter((telling) => telling.asked === 'send' && telling.orderId === orderId);
  const lastSend = database.sends.find((item) => item.orderId === orderId);
  const findings: Finding[] = [];

  if (new Set(numbers).size < numbers.length)
    findings.push(finding('duplicate', `was told twice: ${numbers.join(', ')}`));
  const strangers = numbers.filter((told) => own.every(({ trackingNumber }) => trackingNumber !== told));
  if (strangers.length > 0) findings.push(finding('lie', `has a number of no shipment: ${strangers.join(', ')}`));
  if (isAtDesk || isSettledByHand) return findings;

  const dead = numbers.filter((told) => lives.every(({ trackingNumber }) => trackingNumber !== told));
  const untold = lives.filter(({ trackingNumber }) => trackingNumber === null || !numbers.includes(trackingNumber));
  // Beside a label that is not transmitted yet, the old number is replaced when that one is.
  const isMistold = lives.length === 0 || untold.some(({ status }) => status === 'transmitted');
  const isRefused = lastSend?.status === 'failed' && lastSend.failureKind === 'permanent';
  if (dead.length > 0 && isMistold) {
    const now = lives.map(({ trackingNumber }) => trackingNumber).join(', ') || null;
    findings.push(finding('lie', `has ${dead.join(', ')}, the parcel travels under ${now}, and the desk is empty`));
  }
  for (const { trackingNumber: number, status } of untold) {
    if (number !== null && sends.some(({ outcome, message }) => outcome === 'success' && message === number)) {
      findings.push(finding('lie', `was said to have ${number}, and has ${numbers.join(', ') || 'nothing'}`));
    }
    if (order.isAutomatic && status === 'transmitted' && !isRefused) {
      findings.push(finding('lost', `was not told ${number} by itself, and the desk is empty: ${lastSend?.message}`));
    }
  }
  for (const { trackingNumber: number, toldNumber } of lives.filter((live) => !untold.includes(live))) {
    if (isRefused && toldNumber !== number) {
      findings.push(finding('lie', `was said to be told nothing ("${lastSend.message}"), and has ${number}`));
    }
  }
  return findings;
}
