import type { Request, Response } from 'express';
import { objectIn } from '../../order-partner.ts';
import { type EbayError, sendError, sendNoOrder } from './answers.ts';
import { isSuspended } from './auth.ts';
import { type EbayBooks, itemsOf, type StoredFulfillment, type StoredOrder } from './books.ts';

/** Some of ShippingCarrierCodeType. */
const CARRIERS = [
  'UPS',
  'USPS',
  'FedEx',
  'DHL',
  'DHLEXPRESS',
  'GLS',
  'Bartolini',
  'PosteItaliane',
  'SDA',
  'DPD',
  'Other',
];
/** The id of a fulfilment without a tracking number. */
const UNTRACKED = '999';

type Body = Record<string, unknown>;

/** Handles `createShippingFulfillment`: one package. */
export function createFulfillment(books: EbayBooks, request: Request, response: Response): void {
  const order = books.findOrder(request.params.orderId);
  if (!order) return void sendNoOrder(response, String(request.params.orderId));
  const body = request.is('application/json') ? objectIn(request) : null;
  if (!body) return void refuse(response, { errorId: 32600, message: 'Invalid input data' });
  const complaint = complaintAbout(books, order, body) ?? complaintAboutItems(order, body.lineItems);
  if (isSuspended(response)) refuse(response, { errorId: 32400, message: 'Requested user is suspended' });
  else if (complaint) refuse(response, complaint);
  else {
    const made = fulfillmentOf(body, books.world.now());
    const path = `${request.baseUrl}/sell/fulfillment/v1/order/${order.orderId}/shipping_fulfillment/${made.fulfillmentId}`;
    const location = `http://${request.headers.host}${path}`;
    order.fulfillmentHrefs = [...(order.fulfillmentHrefs as string[]), location];
    books.ship(order, made);
    response.status(201).set('Location', location).end();
  }
}

function refuse(response: Response, error: EbayError): void {
  sendError(response, 400, error);
}

function complaintAbout(books: EbayBooks, order: StoredOrder, body: Body): EbayError | null {
  const { trackingNumber, shippingCarrierCode, shippedDate } = body;
  const about = (parameters: Record<string, string>): EbayError => ({
    errorId: 32300,
    message: 'Invalid shipment tracking number or carrier',
    parameters,
  });
  // Both or none.
  if (trackingNumber === undefined && shippingCarrierCode !== undefined) return about({ trackingNumber: '' });
  if (trackingNumber !== undefined) {
    if (!/^[A-Za-z0-9]+$/.test(String(trackingNumber))) return about({ trackingNumber: String(trackingNumber) });
    if (!CARRIERS.includes(String(shippingCarrierCode))) {
      return about({ shippingCarrierCode: String(shippingCarrierCode ?? '') });
    }
  }
  const isDate = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(shippedDate));
  if (shippedDate !== undefined && (!isDate || Date.parse(String(shippedDate)) > books.world.now().getTime())) {
    return { errorId: 32500, message: 'Invalid shipped date' };
  }
  const isThere = books.fulfillmentsOf(order.orderId).some(({ fulfillmentId }) => fulfillmentId === trackingNumber);
  if (!isThere) return null;
  return { errorId: 34500, message: 'Please use PUT operation for updating shipping fulfillment' };
}

function complaintAboutItems(order: StoredOrder, items: unknown): EbayError | null {
  const ordered = new Map(itemsOf(order).map(({ lineItemId, quantity }) => [lineItemId, quantity]));
  if (!Array.isArray(items) || items.length === 0) return { errorId: 32600, message: 'Invalid input data' };
  const ids = items.map((item) => String((item as Body | null)?.lineItemId ?? ''));
  const unknown = ids.find((id) => !ordered.has(id));
  if (unknown !== undefined) return { errorId: 32200, message: `Invalid line item id: ${unknown}` };
  if (new Set(ids).size < ids.length) return { errorId: 32210, message: 'Duplicate line item in the request' };
  const areWhole = items.every(({ lineItemId, quantity = 1 }) => {
    return Number.isInteger(quantity) && quantity > 0 && quantity <= (ordered.get(lineItemId) ?? 0);
  });
  if (!areWhole) return { errorId: 32600, message: 'Invalid input data' };
  const instructions = order.fulfillmentStartInstructions as { ebaySupportedFulfillment?: boolean }[];
  if (items.length > 1 && instructions.some(({ ebaySupportedFulfillment }) => ebaySupportedFulfillment === true)) {
    const message = 'Mark As Shipped for multiple Global Shipping Program line items is not supported';
    return { errorId: 34300, message };
  }
  return null;
}

function fulfillmentOf(body: Body, now: Date): StoredFulfillment {
  const { trackingNumber, shippingCarrierCode, shippedDate, lineItems } = body;
  return {
    fulfillmentId: String(trackingNumber ?? UNTRACKED),
    ...(trackingNumber === undefined
      ? {}
      : { shipmentTrackingNumber: String(trackingNumber), shippingCarrierCode: String(shippingCarrierCode) }),
    shippedDate: String(shippedDate ?? now.toISOString()),
    lineItems: (lineItems as { lineItemId: string; quantity?: number }[]).map(({ lineItemId, quantity = 1 }) => ({
      lineItemId,
      quantity,
    })),
  };
}
