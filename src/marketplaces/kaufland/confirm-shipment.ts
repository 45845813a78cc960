import { IntegrationError } from '../../lib/errors.ts';
import type { ConfirmedShipment, ShipmentConfirmation } from '../adapter.ts';
import { carrierCodeOf } from './carriers.ts';
import { getOrder, type KauflandContext, sendOrderUnit } from './client.ts';
import { refuse } from './refusals.ts';
import type { Unit } from './schema.ts';
import { isCancelled, isSent, unitsOf } from './units.ts';

/**
 * Reads the order, then marks each wanted unit as sent that is not so yet: one call per unit. Not by `confirmOnce`,
 * since the number that Kaufland has cannot be read back.
 */
export async function confirmShipment(
  context: KauflandContext,
  input: { confirmation: ShipmentConfirmation },
): Promise<ConfirmedShipment> {
  const { confirmation } = input;
  const trackingNumber = normalise(confirmation.trackingNumber);
  const before = await readWanted(context, confirmation);
  const carrier = await carrierCodeOf(context, confirmation);
  const sent = {
    transactionId: confirmation.externalOrderId,
    trackingCarrier: carrier,
    trackingNumber,
    trackingUrl: '',
  };
  const left = unitsLeft(context, before);
  const isDoubtful = (confirmation.replacedNumbers ?? []).some(
    (number) => number.replace(/\s/g, '') !== trackingNumber,
  );
  if (left.length === 0 && isDoubtful) throw keepsAnother(confirmation);
  if (left.length === 0) return { alreadySent: true, ...sent, status: statusOf(before) };
  try {
    const body = { tracking_numbers: trackingNumber, carrier_code: carrier };
    for (const { id_order_unit } of left) await sendOrderUnit(context, id_order_unit, body);
  } catch (error) {
    if (!(error instanceof IntegrationError) || error.code !== 'already_shipped') throw error;
    // Perhaps by us: a call whose answer was lost may have come to light since we read.
    const after = await readWanted(context, confirmation);
    if (unitsLeft(context, after).length > 0) throw error;
    return { alreadySent: true, ...sent, status: statusOf(after) };
  }
  if (isDoubtful && before.some(isSent)) throw keepsAnother(confirmation);
  const after = before.map((unit) => (left.includes(unit) ? { ...unit, status: 'sent' } : unit));
  return { alreadySent: false, ...sent, status: statusOf(after) };
}

/**
 * Kaufland shows no tracking number and changes none. It only takes a further parcel of a sent unit, which a repeat
 * would add once more (its description 2.27.0, read 2026-11-22).
 */
function keepsAnother({ externalOrderId, replacedNumbers = [] }: ShipmentConfirmation): IntegrationError {
  const message = `Kaufland may keep ${replacedNumbers.join(', ')} for order ${externalOrderId}, and takes no correction`;
  return refuse('told_another_number', message);
}

/** Kaufland takes several numbers in one field, with commas between them. */
function normalise(trackingNumber: string): string {
  const compact = trackingNumber.replace(/\s/g, '');
  if (compact === '') throw refuse('tracking_invalid', 'The shipment has no tracking number');
  if (!compact.includes(',')) return compact;
  throw refuse('tracking_invalid', `Kaufland would take ${trackingNumber} for several tracking numbers`);
}

/** The units of the shipment as they are now; without lines all of the order. */
async function readWanted(context: KauflandContext, { externalOrderId, lines }: ShipmentConfirmation): Promise<Unit[]> {
  const { units, unreadable } = unitsOf(await getOrder(context, externalOrderId));
  if (lines.length === 0) {
    if (unreadable.length > 0) throw refuse('validation', `Units of order ${externalOrderId} could not be read`);
    return requireAny(units);
  }
  const byId = new Map(units.map((unit) => [unit.id_order_unit, unit]));
  const pieces = new Map<string, number>();
  for (const { externalLineId, quantity } of lines) {
    pieces.set(externalLineId, (pieces.get(externalLineId) ?? 0) + quantity);
  }
  const wanted: Unit[] = [];
  for (const [id, quantity] of pieces) {
    const unit = byId.get(id);
    if (!unit) throw refuse('line_not_found', `Order ${externalOrderId} has no unit ${id}`);
    if (quantity > 1) throw refuse('quantity_exceeded', `Unit ${id} is one piece, and ${quantity} were sent`);
    if (quantity === 1) wanted.push(unit);
  }
  return requireAny(wanted);
}

function requireAny(units: Unit[]): Unit[] {
  if (units.length === 0) throw refuse('validation', 'The shipment has no units to confirm');
  return units;
}

/** Whether one can be sent whose status we do not know is for Kaufland to say. */
function unitsLeft(context: KauflandContext, wanted: Unit[]): Unit[] {
  const cancelled = wanted.filter(isCancelled);
  if (cancelled.length === wanted.length) {
    throw refuse('order_not_shippable', 'All units of the shipment are cancelled at Kaufland');
  }
  // The others are not to wait for one that was cancelled while the parcel was on its way.
  if (cancelled.length > 0) context.log.warn({ cancelled: cancelled.length }, 'cancelled units are not confirmed');
  return wanted.filter((unit) => !isSent(unit) && !isCancelled(unit));
}

function statusOf(units: readonly Unit[]): string {
  return [...new Set(units.map(({ status }) => status))].join(', ');
}
