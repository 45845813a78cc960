import { type MiraklContext, postMirakl, readMirakl } from './client.ts';
import { minus, orderedPieces, type Pieces, wantedPieces } from './lines.ts';
import type { Look, Mechanism, Sent } from './mechanism.ts';
import { stateOf } from './order-states.ts';
import { refuse, refusedShipment, unreadable } from './refusals.ts';
import { CreatedAnswer, type Order, type Shipment, ShipmentPageAnswer } from './schema.ts';

const CREATE = 'ST01';

/** One shipment of its own (ST01) for the pieces that are not in a shipment with our tracking number yet. */
export const severalShipments: Mechanism = async (context, look) => {
  const { order, confirmation } = look;
  const shipments = await readShipments(context, order);
  const wanted = wantedPieces(order, confirmation);
  const number = confirmation.trackingNumber.toUpperCase();
  const same = shipments.filter(({ tracking }) => tracking.tracking_number.toUpperCase() === number);
  const missing = minus(wanted, piecesIn(same));
  if (same[0] && missing.size === 0) return { sent: shownBy(look, same[0], order.order_state) };
  const left = minus(orderedPieces(order), piecesIn(shipments));
  requireLeft(order, { missing, left });
  const isLast = minus(left, missing).size === 0;
  return {
    write: async () => shownBy(look, await create(context, look, missing), isLast ? 'SHIPPED' : order.order_state),
  };
};

/** ST11, all pages of it. */
async function readShipments(context: MiraklContext, { order_id }: Order): Promise<Shipment[]> {
  const shipments: Shipment[] = [];
  for (let page_token = ''; ; ) {
    const query = { order_id, ...(page_token && { page_token }) };
    const answer = await readMirakl(context, { operation: 'ST11', path: 'shipments', query }, ShipmentPageAnswer);
    shipments.push(...answer.data);
    if (answer.next_page_token === '' || answer.data.length === 0) return shipments;
    page_token = answer.next_page_token;
  }
}

function piecesIn(shipments: readonly Shipment[]): Pieces {
  const pieces = new Map<string, number>();
  for (const { order_line_id, quantity } of shipments.flatMap(({ shipment_lines }) => shipment_lines)) {
    pieces.set(order_line_id, (pieces.get(order_line_id) ?? 0) + quantity);
  }
  return pieces;
}

function requireLeft(order: Order, { missing, left }: { missing: Pieces; left: Pieces }): void {
  const { order_id } = order;
  // One that was shipped as a whole has no shipments.
  if (stateOf(order) === 'shipped' || [...missing.keys()].every((id) => !left.has(id))) {
    throw refuse('already_shipped', `Order ${order_id} was already shipped with another tracking number`);
  }
  if (minus(missing, left).size === 0) return;
  throw refuse('quantity_exceeded', `Order ${order_id} has fewer pieces left to ship than were sent`);
}

/** A 201 holds refusals too. */
async function create(context: MiraklContext, look: Look, pieces: Pieces): Promise<Shipment> {
  const { order, carrier, confirmation } = look;
  const { trackingNumber: tracking_number, trackingUrl } = confirmation;
  const tracking =
    'code' in carrier
      ? { carrier_code: carrier.code, tracking_number }
      : { carrier_name: carrier.name, tracking_number, ...(trackingUrl && { tracking_url: trackingUrl }) };
  const shipment = {
    order_id: order.order_id,
    shipped: true,
    shipment_lines: [...pieces].map(([order_line_id, quantity]) => ({ order_line_id, quantity })),
    tracking,
  };
  const call = { operation: CREATE, path: 'shipments', body: { shipments: [shipment] } };
  const { shipment_success, shipment_errors } = await postMirakl(context, call, CreatedAnswer);
  const [created] = shipment_success;
  if (created) return created;
  if (shipment_errors.length > 0) {
    throw refusedShipment(CREATE, shipment_errors.map(({ message }) => message).join('; '));
  }
  throw unreadable(CREATE, { kind: 'unknown-outcome', code: 'answer-unreadable', status: 201 });
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
