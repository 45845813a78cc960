import { IntegrationError } from '../../lib/errors.ts';
import type { ConfirmedShipment, ShipmentConfirmation } from '../adapter.ts';
import { doubtAbout, type LookUp } from '../look-up.ts';
import { listByIds, lookUpByIds, type ShopContext, writeRow } from './client.ts';
import { readDetails } from './follow-ups.ts';
import { findOrder } from './list-orders.ts';
import { meaningOf, shippedState, statesFor } from './order-states.ts';
import { refuse, saysUnableToSave } from './refusals.ts';
import { Carrier, type Order, OrderCarrier, type OrderState } from './schema.ts';

export interface ConfirmInput {
  confirmation: ShipmentConfirmation;
  detected: Record<string, unknown>;
}

const MAX_TRACKING_LENGTH = 64;

/** Reads the order and its carrier rows, then writes the missing half only: the number, then the state, whose mail prints it. */
export async function confirmShipment(context: ShopContext, input: ConfirmInput): Promise<ConfirmedShipment> {
  const { confirmation, detected } = input;
  const { account } = context;
  const trackingNumber = normalTracking(confirmation);
  const order = await findOrder(context, confirmation.externalOrderId);
  if (!order) throw refuse('order_not_found', `The shop has no order ${confirmation.externalOrderId}`);
  const states = await statesFor(context, detected, order.current_state);
  const current = states.find(({ id }) => id === order.current_state);
  const meaning = current ? meaningOf(account, current) : 'held';
  const rows = await readRows(context, order);
  const dead = rows.elements.filter((each) => isDead(confirmation, trackingNumber, each));
  const row = chooseRow(order, rows, { trackingNumber, dead });
  // A second row under a dead number only misleads: it loses its number.
  const misleading = dead.filter((each) => each !== row);
  const [carrier] = await listByIds(context, { resource: 'carriers', field: 'id', ids: [row.id_carrier] }, Carrier);
  const sent = {
    transactionId: row.id,
    trackingCarrier: carrier?.name || confirmation.carrierName,
    trackingNumber,
    trackingUrl: carrier?.url.replaceAll('@', confirmation.trackingNumber.trim()) || confirmation.trackingUrl,
  };

  const hasNumber = row.tracking_number === trackingNumber;
  if (hasNumber && meaning !== 'open' && misleading.length === 0) {
    return { alreadySent: true, ...sent, status: current?.name ?? order.current_state };
  }
  if (!current || (meaning !== 'open' && meaning !== 'shipped')) {
    throw refuse(
      'order_not_shippable',
      `Order ${nameOf(order)} is "${current?.name ?? order.current_state}" in the shop`,
    );
  }
  await requireLines(context, order, confirmation);
  const target = meaning === 'open' ? shippedState(account, states) : current;

  if (!hasNumber) await writeTracking(context, { order, row, trackingNumber });
  for (const each of misleading) await writeTracking(context, { order, row: each, trackingNumber: '' });
  if (target !== current) await writeState(context, order, target);
  return { alreadySent: false, ...sent, status: target.name };
}

/** Returns the text for the one field that the shop has: the number, or the numbers of all parts. */
function normalTracking({ trackingNumber, parts = [] }: ShipmentConfirmation): string {
  const given = parts.length > 0 ? parts.map((part) => part.trackingNumber) : [trackingNumber];
  const text = given.map((number) => number.trim()).join(', ');
  if (given.some((number) => number.trim() === '')) {
    throw refuse('tracking_invalid', 'The shipment has no tracking number');
  }
  if (text.length <= MAX_TRACKING_LENGTH) return text;
  throw refuse('tracking_invalid', `PrestaShop keeps ${MAX_TRACKING_LENGTH} characters of a tracking number`);
}

function isDead(
  { replacedNumbers = [] }: ShipmentConfirmation,
  trackingNumber: string,
  { tracking_number }: OrderCarrier,
): boolean {
  if (tracking_number === trackingNumber) return false;
  const numbers = tracking_number.split(',').map((number) => number.trim());
  return replacedNumbers.some((each) => numbers.includes(each.trim()));
}

function readRows(context: ShopContext, { id }: Order): Promise<LookUp<OrderCarrier>> {
  return lookUpByIds(context, { resource: 'order_carriers', field: 'id_order', ids: [id] }, OrderCarrier);
}

/** The row that has the number; else one whose number no longer holds; else the first that has none. */
function chooseRow(
  order: Order,
  rows: LookUp<OrderCarrier>,
  { trackingNumber, dead }: { trackingNumber: string; dead: readonly OrderCarrier[] },
): OrderCarrier {
  const same = rows.elements.find(({ tracking_number }) => tracking_number === trackingNumber);
  if (same) return same;
  const doubt = doubtAbout(rows.unreadable, 'carrier rows');
  if (doubt) throw refuse('unknown', doubt);
  const row = dead[0] ?? rows.elements.find(({ tracking_number }) => tracking_number === '');
  if (row) return row;
  const [other] = rows.elements;
  if (!other) throw refuse('order_not_shippable', `Order ${nameOf(order)} has no carrier in the shop`);
  throw refuse('already_shipped', `Order ${nameOf(order)} was already shipped with ${other.tracking_number}`);
}

async function requireLines(context: ShopContext, order: Order, { lines }: ShipmentConfirmation): Promise<void> {
  if (lines.length === 0) return;
  const ordered = new Map((await readDetails(context, [order.id])).map((each) => [each.id, each.product_quantity]));
  for (const { externalLineId, quantity } of lines) {
    const pieces = ordered.get(externalLineId);
    if (pieces === undefined) throw refuse('line_not_found', `Order ${nameOf(order)} has no line ${externalLineId}`);
    if (quantity > pieces) {
      throw refuse('quantity_exceeded', `Line ${externalLineId} of order ${nameOf(order)} has ${pieces} pieces`);
    }
  }
}

interface TrackingWrite {
  order: Order;
  row: OrderCarrier;
  trackingNumber: string;
}

async function writeTracking(context: ShopContext, { order, row, trackingNumber }: TrackingWrite): Promise<void> {
  const target = { resource: 'order_carriers', element: 'order_carrier', id: row.id };
  const changed = { id: row.id, tracking_number: trackingNumber };
  const isSilent = trackingNumber === '';
  const write = async () => {
    try {
      await writeRow(context, { ...target, method: 'PATCH', fields: changed, isSilent });
    } catch (error) {
      // An old shop, a host that blocks the verb, or a key that has no right to it.
      if (!(error instanceof IntegrationError) || error.status !== 405) throw error;
      await writeRow(context, { ...target, method: 'PUT', fields: { ...fieldsOf(row), ...changed }, isSilent });
    }
  };
  await orReadBack(write, async () =>
    (await readRows(context, order)).elements.some(
      ({ id, tracking_number }) => id === row.id && tracking_number === trackingNumber,
    ),
  );
}

/** A full update nulls what it does not give, so every field goes back as it came. */
function fieldsOf(row: OrderCarrier): Record<string, string> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );
}

async function writeState(context: ShopContext, order: Order, state: OrderState): Promise<void> {
  const fields = { id_order: order.id, id_order_state: state.id };
  const write = () =>
    writeRow(context, { method: 'POST', resource: 'order_histories', element: 'order_history', fields });
  await orReadBack(write, async () => (await findOrder(context, order.id))?.current_state === state.id);
}

/** "Unable to save" may only mean that the mail failed: whether the row is there decides. */
async function orReadBack(write: () => Promise<unknown>, isThere: () => Promise<boolean>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (!saysUnableToSave(error) || !(await isThere())) throw error;
  }
}

function nameOf(order: Order): string {
  return order.reference || order.id;
}
