import { doubtAbout, type LookUp, readLookUp } from '../look-up.ts';
import { allPages } from '../pages.ts';
import { minus, type Pieces, requireLeft, sumPieces } from '../pieces.ts';
import { isReplaced } from '../tracking-numbers.ts';
import { type MiraklContext, postMirakl, readMirakl } from './client.ts';
import { orderedPieces, wantedPieces } from './lines.ts';
import type { Look, Mechanism, Sent } from './mechanism.ts';
import { stateOf } from './order-states.ts';
import { refusals, refuse, refusedShipment } from './refusals.ts';
import { CorrectedAnswer, CreatedAnswer, type Order, Shipment, ShipmentPageAnswer } from './schema.ts';

const CREATE = 'ST01';

/** One shipment of its own (ST01) for the pieces that are not in a shipment with our tracking number yet. */
export const severalShipments: Mechanism = async (context, look) => {
  const { order, confirmation } = look;
  const found = await readShipments(context, order);
  const shipments = found.elements;
  const wanted = wantedPieces(order, confirmation);
  const number = confirmation.trackingNumber.toUpperCase();
  const same = shipments.filter(({ tracking }) => tracking.tracking_number.toUpperCase() === number);
  const dead = shipments.filter(({ tracking }) => isReplaced(confirmation, tracking.tracking_number));
  // Pieces under a dead number will be under the live one.
  const missing = minus(wanted, piecesIn([...same, ...dead]));
  if (same[0] && dead.length === 0 && missing.size === 0) return { sent: shownBy(look, same[0], order.order_state) };
  const doubt = doubtAbout(found.unreadable, 'shipments');
  if (doubt) throw refuse('unknown', doubt);
  const left = minus(orderedPieces(order), piecesIn(shipments));
  if (missing.size > 0) requireAnyLeft(order, { missing, left });
  const isLast = minus(left, missing).size === 0;
  return {
    write: async () => {
      for (const each of dead) await correct(context, look, each);
      const corrected =
        same[0] ?? (dead[0] && { ...dead[0], tracking: { ...dead[0].tracking, ...shownTracking(look) } });
      if (corrected && missing.size === 0) return shownBy(look, corrected, order.order_state);
      return shownBy(look, await create(context, look, missing), isLast ? 'SHIPPED' : order.order_state);
    },
  };
};

/** ST23 (Mirakl's description of multiple shipments, read 2026-11-22): a 200 that holds refusals too. */
async function correct(context: MiraklContext, look: Look, { id }: Shipment): Promise<void> {
  const body = { shipments: [{ id, tracking: trackingOf(look) }] };
  const call = { operation: 'ST23', path: 'shipments/tracking', body };
  const { shipment_success, shipment_errors } = await postMirakl(context, call, {
    answer: CorrectedAnswer,
    status: 200,
  });
  if (shipment_success.some((each) => each.id === id)) return;
  const words = shipment_errors.find((each) => each.id === id)?.message;
  if (words === undefined) {
    throw refusals.unreadable({ operation: 'ST23', effect: 'write' }, { status: 200 });
  }
  const message = `Mirakl keeps another number for order ${look.order.order_id}: ${words}`;
  throw refuse('told_another_number', message, { isAuthoritative: true });
}

/** The tracking of a corrected shipment, but for its link, which Mirakl may make itself. */
function shownTracking({ carrier }: Look): { carrier_code: string; carrier_name: string; tracking_url: string } {
  const isCoded = 'code' in carrier;
  return { carrier_code: isCoded ? carrier.code : '', carrier_name: isCoded ? '' : carrier.name, tracking_url: '' };
}

/** Reads all pages of ST11. */
async function readShipments(context: MiraklContext, { order_id }: Order): Promise<LookUp<Shipment>> {
  const stuck = () => refusals.unreadable({ operation: 'ST11', effect: 'read' }, { status: 200 });
  const raws = await allPages(
    async (page_token) => {
      const query = { order_id, ...(page_token && { page_token }) };
      const answer = await readMirakl(context, { operation: 'ST11', path: 'shipments', query }, ShipmentPageAnswer);
      return { elements: answer.data, next: answer.data.length === 0 ? null : answer.next_page_token || null };
    },
    { stuck },
  );
  return readLookUp(context.log, 'shipments', { schema: Shipment, raws });
}

function piecesIn(shipments: readonly Shipment[]): Pieces {
  const lines = shipments.flatMap(({ shipment_lines }) => shipment_lines);
  return sumPieces(lines.map(({ order_line_id, quantity }) => [order_line_id, quantity]));
}

function requireAnyLeft(order: Order, { missing, left }: { missing: Pieces; left: Pieces }): void {
  // An order that was shipped as a whole has no shipments.
  const isShipped = stateOf(order) === 'shipped';
  requireLeft(refuse, { order: order.order_id, missing, left: isShipped ? new Map() : left });
}

/** A 201 holds refusals too. */
async function create(context: MiraklContext, look: Look, pieces: Pieces): Promise<Shipment> {
  const { order } = look;
  const shipment = {
    order_id: order.order_id,
    shipped: true,
    shipment_lines: [...pieces].map(([order_line_id, quantity]) => ({ order_line_id, quantity })),
    tracking: trackingOf(look),
  };
  const call = { operation: CREATE, path: 'shipments', body: { shipments: [shipment] } };
  const { shipment_success, shipment_errors } = await postMirakl(context, call, { answer: CreatedAnswer, status: 201 });
  const [created] = shipment_success;
  if (created) return created;
  if (shipment_errors.length > 0) {
    throw refusedShipment(CREATE, shipment_errors.map(({ message }) => message).join('; '));
  }
  throw refusals.unreadable({ operation: CREATE, effect: 'write' }, { status: 201 });
}

function trackingOf({ carrier, confirmation }: Look): object {
  const { trackingNumber: tracking_number, trackingUrl } = confirmation;
  if ('code' in carrier) return { carrier_code: carrier.code, tracking_number };
  return { carrier_name: carrier.name, tracking_number, ...(trackingUrl && { tracking_url: trackingUrl }) };
}

function shownBy({ confirmation }: Look, { id, tracking }: Shipment, status: string): Sent {
  return {
    transactionId: id,
    trackingCarrier: tracking.carrier_code || tracking.carrier_name,
    trackingNumber: confirmation.trackingNumber,
    trackingUrl: tracking.tracking_url,
    status,
  };
}
