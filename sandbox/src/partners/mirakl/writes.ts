import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import { objectIn } from '../../order-partner.ts';
import { sendError, sendInvalid, sendNoOrder } from './answers.ts';
import { linesOf, type MiraklBooks, type StoredOrder, type StoredShipment } from './books.ts';
import { trackingOf } from './carriers.ts';

type Body = Record<string, unknown>;

const MAX_SHIPMENTS = 1000;

/** Handles OR21: a decision on every line. */
export function acceptOrder(books: MiraklBooks): RequestHandler {
  return withOrder(books, (order, request, response) => {
    const decisions = objectIn(request)?.order_lines;
    if (!Array.isArray(decisions)) return sendInvalid(response, 'order_lines is mandatory');
    const ids = linesOf(order).map(({ order_line_id }) => order_line_id);
    const given: unknown[] = decisions.map((decision) => decision?.id);
    const refuse = (code: string) => sendError(response, 400, { code, message: `Order ${order.order_id}: ${code}` });
    if (order.order_state !== 'WAITING_ACCEPTANCE') return refuse('ORDER_INVALID_STATE');
    if (decisions.some((decision) => typeof decision?.accepted !== 'boolean')) return refuse('VALIDATION_ERROR');
    if (given.some((id) => !ids.includes(String(id)))) return refuse('ORDER_LINE_NOT_FOUND');
    if (new Set(given).size < given.length) return refuse('ORDER_LINE_DUPLICATE_ID');
    if (given.length < ids.length) return refuse('ORDER_LINE_ACCEPTANCE_DECISION_MISSING');
    for (const line of linesOf(order)) {
      const { accepted } = decisions.find(({ id }) => id === line.order_line_id);
      if (!accepted) line.order_line_state = 'REFUSED';
    }
    books.moveTo(order, decisions.some(({ accepted }) => accepted) ? 'WAITING_DEBIT_PAYMENT' : 'REFUSED');
    response.status(204).end();
  });
}

/** Handles OR23. */
export function updateTracking(books: MiraklBooks): RequestHandler {
  return withOrder(books, (order, request, response) => {
    const body = objectIn(request) ?? {};
    const tracking = trackingOf(body, body.carrier_url);
    if ('complaint' in tracking) return sendInvalid(response, tracking.complaint);
    if (!['SHIPPING', 'SHIPPED'].includes(order.order_state)) return sendInvalid(response, stateMessage(order));
    books.change(order, {
      shipping_carrier_code: tracking.carrier_code,
      shipping_company: tracking.carrier_name,
      shipping_tracking: tracking.tracking_number,
      shipping_tracking_url: tracking.tracking_url,
    });
    response.status(204).end();
  });
}

/** Handles OR24. */
export function shipOrder(books: MiraklBooks): RequestHandler {
  return withOrder(books, (order, _request, response) => {
    if (order.order_state !== 'SHIPPING') return sendInvalid(response, stateMessage(order));
    books.state.shipped.push(order.order_id);
    books.moveTo(order, 'SHIPPED');
    response.status(204).end();
  });
}

/** Handles ST01: each shipment on its own, so that the 201 holds refusals too. */
export function createShipments(books: MiraklBooks): RequestHandler {
  return (request, response) => {
    const shipments = objectIn(request)?.shipments;
    if (!Array.isArray(shipments) || shipments.length === 0 || shipments.length > MAX_SHIPMENTS) {
      return sendInvalid(response, `shipments must hold 1 to ${MAX_SHIPMENTS} shipments`);
    }
    const shipment_success: StoredShipment[] = [];
    const shipment_errors: { order_id: string; message: string }[] = [];
    for (const given of shipments as Body[]) {
      const made = createShipment(books, given);
      if ('refusal' in made) shipment_errors.push({ order_id: String(given.order_id), message: made.refusal });
      else shipment_success.push(made.shipment);
    }
    response.status(201).json({ shipment_success, shipment_errors });
  };
}

/** Handles ST23: each shipment on its own, as ST01. */
export function correctShipments(books: MiraklBooks): RequestHandler {
  return (request, response) => {
    const shipments = objectIn(request)?.shipments;
    if (!Array.isArray(shipments) || shipments.length === 0 || shipments.length > MAX_SHIPMENTS) {
      return sendInvalid(response, `shipments must hold 1 to ${MAX_SHIPMENTS} shipments`);
    }
    const shipment_success: { id: string }[] = [];
    const shipment_errors: { id: string; message: string }[] = [];
    for (const given of shipments as Body[]) {
      const id = String(given.id);
      const shipment = books.state.shipments.find((each) => each.id === id);
      const tracking = (given.tracking ?? {}) as Body;
      const shown = trackingOf(tracking, tracking.tracking_url);
      if (!shipment) shipment_errors.push({ id, message: `No shipment with id '${id}'.` });
      else if ('complaint' in shown) shipment_errors.push({ id, message: shown.complaint });
      else {
        shipment.tracking = shown;
        shipment_success.push({ id });
        books.world.touch();
      }
    }
    response.json({ shipment_errors, shipment_success });
  };
}

function createShipment(books: MiraklBooks, given: Body): { shipment: StoredShipment } | { refusal: string } {
  const order = books.findOrder(given.order_id);
  if (!order) return { refusal: `Order with id '${String(given.order_id)}' does not exist.` };
  if (order.order_state !== 'SHIPPING') return { refusal: stateMessage(order) };
  const lines = linesOfShipment(books, order, given.shipment_lines);
  if ('refusal' in lines) return lines;
  const tracking = given.tracking as Body | undefined;
  const shown = trackingOf(tracking ?? {}, tracking?.tracking_url);
  if ('complaint' in shown) return { refusal: shown.complaint };
  const isShipped = given.shipped === true;
  const now = books.world.now().toISOString();
  const shipment: StoredShipment = {
    id: randomUUID(),
    order_id: order.order_id,
    invoice_reference: given.invoice_reference ?? null,
    status: isShipped ? 'SHIPPED' : 'SHIPPING',
    created_date: now,
    shipped_date: isShipped ? now : null,
    shipment_lines: lines.lines,
    tracking: shown,
  };
  books.state.shipments.push(shipment);
  const isAll = linesOf(order).every((line) => leftOf(books, order, line) === 0);
  if (isAll) books.moveTo(order, 'SHIPPED');
  else books.change(order, {});
  return { shipment };
}

function linesOfShipment(
  books: MiraklBooks,
  order: StoredOrder,
  given: unknown,
): { lines: StoredShipment['shipment_lines'] } | { refusal: string } {
  if (!Array.isArray(given) || given.length === 0) return { refusal: 'Shipment lines are mandatory.' };
  const lines: StoredShipment['shipment_lines'] = [];
  for (const { order_line_id, offer_sku, quantity } of given) {
    const line = linesOf(order).find((each) => each.order_line_id === order_line_id || each.offer_sku === offer_sku);
    if (!line) return { refusal: `Order line '${String(order_line_id ?? offer_sku)}' does not exist.` };
    const isFit = Number.isInteger(quantity) && quantity > 0 && quantity <= leftOf(books, order, line);
    if (!isFit) return { refusal: 'Shipment quantity is invalid.' };
    lines.push({ order_line_id: line.order_line_id, offer_sku: line.offer_sku, quantity });
  }
  return { lines };
}

function leftOf(books: MiraklBooks, order: StoredOrder, line: { order_line_id: string; quantity: number }): number {
  const taken = books
    .shipmentsOf(order.order_id)
    .flatMap(({ shipment_lines }) => shipment_lines)
    .filter(({ order_line_id }) => order_line_id === line.order_line_id)
    .reduce((sum, { quantity }) => sum + quantity, 0);
  return line.quantity - taken;
}

function withOrder(
  books: MiraklBooks,
  handle: (order: StoredOrder, request: Request, response: Response) => void,
): RequestHandler {
  return (request, response) => {
    const order = books.findOrder(request.params.orderId);
    if (order) handle(order, request, response);
    else sendNoOrder(response, request.params.orderId);
  };
}

function stateMessage({ order_state }: StoredOrder): string {
  return `The order status must be 'SHIPPING' but it is '${order_state}'.`;
}
