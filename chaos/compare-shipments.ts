import type { LedgerEntry } from '../sandbox/src/partner.ts';
import type { Books, Finding } from './compare-books.ts';
import type { ShipmentRow } from './database-book.ts';

export const BOOKED = new Set(['created', 'transmitting', 'transmitted', 'cancelling']);
export const OVER = new Set(['cancelled', 'rejected']);
/** Carriers without a cancellation: the label stays valid there, as the contract says. */
export const TAKES_NOTHING_BACK = new Set(['dhl-express', 'poste-it']);
/** One PDF holds the labels of every parcel. */
const ONE_FILE = new Set(['ups']);

/** Checks each shipment's row against the labels under its reference, and looks for labels that no row has. */
export function checkShipments(books: Books, sold: ReadonlyMap<string, LedgerEntry>): Finding[] {
  const { shipments } = books.database;
  const known = new Set(shipments.map((shipment) => shipment.reference));
  const strangers = [...sold.values()].filter((entry) => entry.labelsSold > 0 && !known.has(entry.reference));
  return [
    ...shipments.flatMap((shipment) => checkShipment(shipment, sold.get(shipment.reference), books)),
    ...strangers.map(({ reference }): Finding => {
      return { kind: 'duplicate', orderId: null, text: `no shipment has the label of ${reference}` };
    }),
    ...checkTwins(shipments),
  ];
}

function checkShipment(shipment: ShipmentRow, entry: LedgerEntry | undefined, { clients }: Books): Finding[] {
  const { orderId, reference, status, parcelCount, carrier } = shipment;
  const live = entry?.labelsSold ?? 0;
  const what = `${shipment.direction} shipment ${shipment.id} (${carrier} ${reference}) is ${status}`;
  const finding = (kind: Finding['kind'], text: string): Finding => ({ kind, orderId, text: `${what}: ${text}` });
  const byHand = clients.settledByHand.has(shipment.id);
  const findings: Finding[] = [];
  if (shipment.releasesMade > shipment.releases) {
    const text = `${shipment.releasesMade} releases for ${shipment.releases} decisions`;
    findings.push(finding('duplicate', text));
  }
  if (!BOOKED.has(status)) {
    const isKept = status === 'cancelled' && TAKES_NOTHING_BACK.has(carrier);
    const allowed = status === 'unknown_outcome' || isKept ? parcelCount : 0;
    if (live > allowed && !byHand) {
      findings.push(finding('duplicate', `${live} live labels, at most ${allowed} can be right`));
    }
    return findings;
  }
  const isBeingCancelled = status === 'cancelling';
  const numbers = entry?.liveNumbers ?? [];
  const isSurplusKnown = shipment.needsPerson || byHand;
  if (live > parcelCount && !isSurplusKnown) {
    findings.push(finding('duplicate', `${live} live labels for ${parcelCount} parcels`));
  }
  if (live < parcelCount && !isBeingCancelled) {
    findings.push(finding('lost', `${live} live labels for ${parcelCount} parcels`));
  }
  if (numbers.length === 1 && numbers[0] !== shipment.trackingNumber) {
    findings.push(finding('lie', `it names ${shipment.trackingNumber}, the carrier ${numbers[0]}`));
  }
  const files = ONE_FILE.has(carrier) ? 1 : parcelCount;
  if (shipment.labels < files && !shipment.isLabelMissing && !byHand) {
    findings.push(finding('lost', `${shipment.labels} label files for ${parcelCount} parcels`));
  }
  return findings;
}

/** One way out and one way back at a time, of an order or of each of its parts. */
function checkTwins(shipments: readonly ShipmentRow[]): Finding[] {
  const active = shipments.filter(
    ({ status, direction, isDelivered }) => !OVER.has(status) && (direction === 'outbound' || !isDelivered),
  );
  return [...Map.groupBy(active, ({ orderId, direction }) => `${orderId} ${direction}`).values()]
    .filter((own) => own.length > new Set(own.flatMap(({ partId }) => partId ?? [])).size && own.length > 1)
    .map(([first, ...rest]): Finding => {
      const ids = [first, ...rest].map((shipment) => shipment?.id).join(', ');
      return { kind: 'duplicate', orderId: first?.orderId ?? null, text: `active twice: shipments ${ids}` };
    });
}

/** Checks that each open shipment was reported to a person, and that the desk shows it. */
export function checkOpen({ database, desk }: Books): Finding[] {
  const { shipments, openItems } = database;
  const shown = new Set(desk.map((entry) => entry.shipmentId));
  const isOver = ({ status, needsPerson, handedBack }: ShipmentRow): boolean =>
    (BOOKED.has(status) && status !== 'transmitting' && status !== 'cancelling') ||
    OVER.has(status) ||
    needsPerson ||
    handedBack;
  return [
    ...shipments
      .filter((shipment) => !isOver(shipment))
      .map(({ id, orderId, status }): Finding => ({ kind: 'lost', orderId, text: `shipment ${id} stays ${status}` })),
    ...shipments
      .filter(({ id, needsPerson, handedBack }) => (needsPerson || handedBack) && !shown.has(id))
      .map(({ id, orderId, status }): Finding => {
        return { kind: 'lie', orderId, text: `shipment ${id} is ${status}, needs a person, and is not at the desk` };
      }),
    ...openItems.map(({ id, orderId, kind, status }): Finding => {
      return { kind: 'lost', orderId, text: `${kind} ${id} stays ${status}` };
    }),
  ];
}
