import { buildOrder } from '../support/build-order.ts';

/** Rows of the other company that the demo company tries to reach. */
export interface Targets {
  order: number;
  booked: number;
  bookedOrder: number;
  manifest: number;
  document: number;
  manifestedOrder: number;
  transmittedOrder: number;
  operation: number;
  exchange: number;
  contract: number;
  connection: number;
  warehouse: number;
  endpoint: number;
}

/** Rows of its own that a request also needs. */
export interface Own {
  contract: number;
  carrier: number;
  order: number;
  transmittedOrder: number;
}

/** One request with an id in its path, query or body, and the status that both a foreign and a missing id get. */
export interface Attempt {
  name: string;
  target: keyof Targets;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: (id: number, own: Own) => string;
  body?: (id: number, own: Own) => unknown;
  status: number;
}

const ADDRESS = { provincia: 'MI', city: 'Milano', address: 'Via Torino, 5', zip: '20123' };
const COURIER = { date: '2026-11-23', from: '14:00', to: '18:00' };
const RELEASE = { action: 'REDISPATCH_SAME_ADDRESS' };

/** Every endpoint that takes an id of something a company owns. */
export const ATTEMPTS: readonly Attempt[] = [
  // First, because the attempts below are rows of the company itself.
  {
    name: 'listing who changed an order',
    target: 'order',
    method: 'GET',
    path: (id) => `/audit?target=order:${id}`,
    status: 200,
  },
  { name: 'reading an order', target: 'order', method: 'GET', path: (id) => `/orders/${id}`, status: 404 },
  {
    name: 'correcting an order',
    target: 'order',
    method: 'PATCH',
    path: (id) => `/orders/${id}`,
    body: () => ({ shipping: { zip: '40122' } }),
    status: 404,
  },
  {
    name: 'moving an order to a warehouse',
    target: 'warehouse',
    method: 'PATCH',
    path: (_id, own) => `/orders/${own.order}`,
    body: (id) => ({ warehouse_id: id }),
    status: 422,
  },
  {
    name: 'moving an order to a contract',
    target: 'contract',
    method: 'PATCH',
    path: (_id, own) => `/orders/${own.order}`,
    body: (id) => ({ carrier_company_id: id }),
    status: 422,
  },
  {
    name: 'cancelling an order',
    target: 'order',
    method: 'POST',
    path: (id) => `/orders/${id}/cancel`,
    status: 404,
  },
  {
    name: 'reopening an order',
    target: 'order',
    method: 'POST',
    path: (id) => `/orders/${id}/reopen`,
    status: 404,
  },
  {
    name: 'reading what to pack for an order',
    target: 'order',
    method: 'GET',
    path: (id) => `/orders/${id}/packing`,
    status: 404,
  },
  {
    name: 'reading what happened to an order',
    target: 'order',
    method: 'GET',
    path: (id) => `/orders/${id}/timeline`,
    status: 404,
  },
  {
    name: 'explaining the carrier of an order',
    target: 'order',
    method: 'GET',
    path: (id) => `/orders/${id}/carrier-choice`,
    status: 404,
  },
  {
    name: 'splitting an order',
    target: 'order',
    method: 'POST',
    path: (id) => `/orders/${id}/split`,
    body: () => ({ parts: [{ parcelCount: 1 }] }),
    status: 404,
  },
  {
    name: 'joining an order',
    target: 'order',
    method: 'POST',
    path: () => '/orders/join',
    body: (id, own) => ({ orderIds: [own.order, id] }),
    status: 422,
  },
  {
    name: 'taking an order out of its join',
    target: 'order',
    method: 'DELETE',
    path: (id) => `/orders/${id}/join`,
    status: 404,
  },
  {
    name: 'sending an order to its marketplace',
    target: 'bookedOrder',
    method: 'POST',
    path: (id) => `/orders/${id}/send-to-marketplace`,
    status: 404,
  },
  {
    name: 'pricing an order',
    target: 'order',
    method: 'GET',
    path: (id, own) => `/shipment/quote?orderId=${id}&carrierCompanyId=${own.contract}`,
    status: 404,
  },
  {
    name: 'pricing under a contract',
    target: 'contract',
    method: 'GET',
    path: (id, own) => `/shipment/quote?orderId=${own.order}&carrierCompanyId=${id}`,
    status: 404,
  },
  {
    name: 'comparing the prices of an order',
    target: 'order',
    method: 'GET',
    path: (id) => `/shipment/quotes?orderId=${id}`,
    status: 404,
  },
  {
    name: "asking for a carrier's price of an order",
    target: 'order',
    method: 'GET',
    path: (id, own) => `/shipment/live-rates?orderId=${id}&carrierCompanyId=${own.contract}`,
    status: 404,
  },
  {
    name: "asking for a carrier's price under a contract",
    target: 'contract',
    method: 'GET',
    path: (id, own) => `/shipment/live-rates?orderId=${own.order}&carrierCompanyId=${id}`,
    status: 404,
  },
  {
    name: 'asking for a courier under a contract',
    target: 'contract',
    method: 'POST',
    path: () => '/pickups',
    body: (id) => ({ carrierCompanyId: id, ...COURIER }),
    status: 422,
  },
  {
    name: 'checking an address under a contract',
    target: 'contract',
    method: 'POST',
    path: () => '/shipment/check-address',
    body: (id) => ({ carrierCompanyId: id, ...ADDRESS }),
    status: 422,
  },
  {
    name: 'booking an order',
    target: 'order',
    method: 'POST',
    path: () => '/shipment/create',
    body: (id) => [{ orderId: id }],
    status: 200,
  },
  {
    name: 'booking an order that has its label',
    target: 'bookedOrder',
    method: 'POST',
    path: () => '/shipment/create',
    body: (id) => [{ orderId: id }],
    status: 200,
  },
  {
    name: 'booking under a contract',
    target: 'contract',
    method: 'POST',
    path: () => '/shipment/create',
    body: (id, own) => [{ orderId: own.order, carrierCompanyId: id }],
    status: 200,
  },
  {
    name: 'transmitting an order',
    target: 'bookedOrder',
    method: 'POST',
    path: () => '/shipment/transmit',
    body: (id) => [{ orderId: id }],
    status: 200,
  },
  { name: 'reading a shipment', target: 'booked', method: 'GET', path: (id) => `/shipment/${id}`, status: 404 },
  {
    name: 'following a shipment',
    target: 'booked',
    method: 'GET',
    path: (id) => `/shipment/${id}/tracking`,
    status: 404,
  },
  { name: 'reading a label', target: 'booked', method: 'GET', path: (id) => `/shipment/${id}/label`, status: 404 },
  {
    name: 'listing the documents of a shipment',
    target: 'booked',
    method: 'GET',
    path: (id) => `/shipment/${id}/documents`,
    status: 404,
  },
  {
    name: 'printing the label of a shipment',
    target: 'booked',
    method: 'GET',
    path: (id) => `/labels?shipmentIds=${id}`,
    status: 422,
  },
  {
    name: 'printing the label of an order',
    target: 'bookedOrder',
    method: 'GET',
    path: (id) => `/labels?orderIds=${id}&layout=a4-4`,
    status: 422,
  },
  {
    name: 'printing the labels of a bordero',
    target: 'manifest',
    method: 'GET',
    path: (id) => `/labels?manifestId=${id}`,
    status: 404,
  },
  {
    name: "printing the carrier's list of a bordero",
    target: 'manifest',
    method: 'GET',
    path: (id) => `/bordero/${id}/pdf?source=carrier`,
    status: 404,
  },
  {
    name: 'opening a document without a signature',
    target: 'document',
    method: 'GET',
    path: (id) => `/documents/${id}`,
    status: 404,
  },
  {
    name: 'releasing a held shipment',
    target: 'booked',
    method: 'POST',
    path: (id) => `/shipment/${id}/release-held`,
    body: () => RELEASE,
    status: 404,
  },
  {
    name: 'saying what was decided in the portal',
    target: 'booked',
    method: 'POST',
    path: (id) => `/shipments/held/${id}/done-in-portal`,
    body: () => RELEASE,
    status: 404,
  },
  { name: 'polling a shipment', target: 'booked', method: 'POST', path: (id) => `/shipment/${id}/poll`, status: 404 },
  {
    name: 'marking a label as printed',
    target: 'booked',
    method: 'POST',
    path: (id) => `/shipment/${id}/printed`,
    status: 404,
  },
  {
    name: 'printing a label',
    target: 'booked',
    method: 'POST',
    path: (id) => `/shipment/${id}/print`,
    body: () => ({ printer: 'laser' }),
    status: 404,
  },
  { name: 'cancelling a shipment', target: 'booked', method: 'DELETE', path: (id) => `/shipment/${id}`, status: 404 },
  {
    name: 'putting an order on a bordero',
    target: 'transmittedOrder',
    method: 'POST',
    path: () => '/bordero',
    body: (id, own) => ({ carrierId: own.carrier, orderIds: [own.transmittedOrder, id] }),
    status: 422,
  },
  {
    name: 'putting an order of a bordero on another',
    target: 'manifestedOrder',
    method: 'POST',
    path: () => '/bordero',
    body: (id, own) => ({ carrierId: own.carrier, orderIds: [id] }),
    status: 422,
  },
  { name: 'reading a bordero', target: 'manifest', method: 'GET', path: (id) => `/bordero/${id}`, status: 404 },
  { name: 'printing a bordero', target: 'manifest', method: 'GET', path: (id) => `/bordero/${id}/pdf`, status: 404 },
  {
    name: 'planning to delete a bordero',
    target: 'manifest',
    method: 'DELETE',
    path: (id) => `/bordero/${id}`,
    status: 404,
  },
  {
    name: 'deleting a bordero',
    target: 'manifest',
    method: 'DELETE',
    path: (id) => `/bordero/${id}?confirm=true`,
    status: 404,
  },
  { name: 'reading an operation', target: 'operation', method: 'GET', path: (id) => `/operations/${id}`, status: 404 },
  {
    name: 'cancelling an operation',
    target: 'operation',
    method: 'DELETE',
    path: (id) => `/operations/${id}`,
    status: 404,
  },
  {
    name: 'listing what was said about a shipment',
    target: 'booked',
    method: 'GET',
    path: (id) => `/shipment/${id}/exchanges`,
    status: 404,
  },
  { name: 'looking at the desk', target: 'booked', method: 'GET', path: (id) => `/attention/${id}`, status: 404 },
  {
    name: 'deciding at the desk',
    target: 'booked',
    method: 'POST',
    path: (id) => `/attention/${id}/resolve`,
    body: () => ({ choice: 'cancel' }),
    status: 404,
  },
  {
    name: 'searching lockers under a contract',
    target: 'contract',
    method: 'GET',
    path: (id) => `/carriers/pickup-points?carrierCompanyId=${id}`,
    status: 422,
  },
  { name: 'reading an exchange', target: 'exchange', method: 'GET', path: (id) => `/exchanges/${id}`, status: 404 },
  {
    name: 'an order from a warehouse',
    target: 'warehouse',
    method: 'POST',
    path: () => '/orders',
    body: (id) => buildOrder({ warehouse_id: id }),
    status: 422,
  },
  {
    name: 'an order for a contract',
    target: 'contract',
    method: 'POST',
    path: () => '/orders',
    body: (id) => buildOrder({ carrier_company_id: id }),
    status: 422,
  },
  {
    name: 'an order from a marketplace connection',
    target: 'connection',
    method: 'POST',
    path: () => '/orders',
    body: (id) => buildOrder({ marketplace: { connection_id: id, order_id: '5' } }),
    status: 422,
  },
  {
    name: 'forgetting an event endpoint',
    target: 'endpoint',
    method: 'DELETE',
    path: (id) => `/event-endpoints/${id}`,
    status: 404,
  },
  {
    name: 'changing the secret of an event endpoint',
    target: 'endpoint',
    method: 'POST',
    path: (id) => `/event-endpoints/${id}/rotate-secret`,
    status: 404,
  },
  {
    name: 'detecting a shop again',
    target: 'connection',
    method: 'POST',
    path: (id) => `/marketplace/connected/${id}/detect`,
    status: 404,
  },
  {
    name: 'verifying a carrier contract',
    target: 'contract',
    method: 'POST',
    path: (id) => `/carriers/contracts/${id}/verify`,
    status: 404,
  },
  {
    name: 'pricing past shipments on a contract',
    target: 'contract',
    method: 'GET',
    path: (id) => `/carriers/contracts/${id}/what-if?from=2026-11-01&to=2026-11-30`,
    status: 404,
  },
  {
    name: 'verifying the connection of a shop',
    target: 'connection',
    method: 'POST',
    path: (id) => `/marketplace/connected/${id}/verify`,
    status: 404,
  },
  {
    name: 'importing from a shop now',
    target: 'connection',
    method: 'POST',
    path: (id) => `/marketplace/connected/${id}/import`,
    body: () => ({}),
    status: 404,
  },
  {
    name: 'listing orders of a shop that could not be imported',
    target: 'connection',
    method: 'GET',
    path: (id) => `/marketplace/connected/${id}/import-failures`,
    status: 404,
  },
  {
    name: 'listing what a shop was told',
    target: 'connection',
    method: 'GET',
    path: (id) => `/marketplace/connected/${id}/confirmations`,
    status: 404,
  },
  {
    name: 'enabling an event endpoint',
    target: 'endpoint',
    method: 'POST',
    path: (id) => `/event-endpoints/${id}/enable`,
    body: () => ({}),
    status: 404,
  },
  {
    name: 'changing an event endpoint',
    target: 'endpoint',
    method: 'PATCH',
    path: (id) => `/event-endpoints/${id}`,
    body: () => ({ types: ['order.created'] }),
    status: 404,
  },
  {
    name: 'disabling an event endpoint',
    target: 'endpoint',
    method: 'POST',
    path: (id) => `/event-endpoints/${id}/disable`,
    status: 404,
  },
  {
    name: 'testing an event endpoint',
    target: 'endpoint',
    method: 'POST',
    path: (id) => `/event-endpoints/${id}/test`,
    status: 404,
  },
  {
    name: 'telling an event endpoint again',
    target: 'endpoint',
    method: 'POST',
    path: (id) => `/event-endpoints/${id}/replay`,
    body: () => ({ from: 1 }),
    status: 404,
  },
  {
    name: 'listing what an event endpoint was told',
    target: 'endpoint',
    method: 'GET',
    path: (id) => `/event-endpoints/${id}/deliveries`,
    status: 404,
  },
];
