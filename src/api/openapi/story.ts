/** One request that a fresh demo answers with `status`, after the requests before it. */
export interface Example {
  /** Method and path of the route. */
  of: string;
  /** Distinguishes several bodies of one route. */
  name?: string;
  params?: Readonly<Record<string, number>>;
  query?: Readonly<Record<string, string | number | boolean>>;
  body?: unknown;
  /** A file as the body, instead of JSON. */
  upload?: { type: string; text: string };
  /** True: does not wait for the carrier, so that the answer is a 202. */
  isAsync?: true;
  status: number;
  /** Precondition in the demo: see `test/support/walk-examples.ts`. */
  after?: 'shop-imported' | 'booking-exhausted' | 'parcels-held' | 'event-tried' | 'printer-declared';
}

const PRICES = 'Peso;Italia;Venezia laguna\nfino a 3 kg;7,20;14,90\nfino a 10 kg;9,50;21,00\n';

const PLAIN_ORDER = {
  customer: { full_name: 'Marta Colombini', email: 'marta.colombini@example.com', phone: '+39 333 5550111' },
  billing: {
    address: 'Via Mazzini 48',
    city: 'Bologna',
    province: 'BO',
    zip: '40137',
    country_code: 'IT',
    tax_code: 'CLMMRT85A41A944X',
  },
  shipping: {
    full_name: 'Marta Colombini',
    phone: '+39 333 5550111',
    address: 'Via Mazzini 48',
    address2: 'Interno 5',
    city: 'Bologna',
    province: 'BO',
    zip: '40137',
    country_code: 'IT',
  },
  items: [{ sku: 'MUG-01', name: 'Tazza in ceramica', quantity: 2, price: 14.9 }],
  shipping_cost: 6.9,
  payment_method: 'PREPAID',
  note: 'Citofono Colombini, secondo piano',
};

const MEASURED_ORDER = {
  customer: { full_name: 'Alvise Zorzan', email: 'alvise.zorzan@example.com', phone: '+39 041 5550144' },
  shipping: {
    full_name: 'Alvise Zorzan',
    phone: '+39 041 5550144',
    address: 'Cannaregio 3021',
    city: 'Venezia',
    province: 'VE',
    zip: '30121',
    country_code: 'IT',
  },
  items: [{ sku: 'MUG-01', name: 'Tazza in ceramica', quantity: 6, price: 14.9 }],
  shipping_cost: 14.9,
  parcels: [{ weight_kg: 2.6, length_cm: 40, width_cm: 30, height_cm: 20 }],
};

/** The simulated carriers hold a parcel whose street contains GIACENZA. */
const HELD_ORDER = { ...PLAIN_ORDER, shipping: { ...PLAIN_ORDER.shipping, address: 'Via Mazzini 48 GIACENZA' } };

/** The last order has no postal code. */
const SHEET = `Numero ordine;Nome;Indirizzo;CAP;Città;Codice articolo;Quantità;Prezzo;Corsia
W-1001;Lucia Farinelli;Via Mazzini 48;40137;Bologna;MUG-01;2;14,90;A3
W-1001;;;;;TEA-03;1;8,50;B1
W-1002;Piero Santangelo;Via dei Mille 7;;Roma;MUG-01;6;14,90;A3
`;

const ADDRESS = { carrierCompanyId: 1, provincia: 'MI', city: 'Milano', address: 'Via Torino 5', zip: '20123' };
/** The pickup date in the recorded examples. Senders replace it with `laterPickups`, because it passes. */
const PICKUP_DAY = '2026-12-01';

/** Returns JSON text of the examples with a pickup date one week after `now`. */
export function laterPickups(json: string, now: Date): string {
  return json.replaceAll(PICKUP_DAY, new Date(now.getTime() + 7 * 86_400_000).toISOString().slice(0, 10));
}

const PICKUP = { carrierCompanyId: 3, date: PICKUP_DAY, from: '14:00', to: '18:00', note: 'Citofonare magazzino' };
const LOCKERS = { carrierCompanyId: 7, zip: '20121', city: 'Milano' };

/** Orders 1 to 3 come from the demo's shop; contracts are numbered as in `src/demo/demo-contracts.ts`. */
export const STORY: readonly Example[] = [
  { of: 'GET /orders', query: { limit: 2 }, status: 200, after: 'shop-imported' },
  { of: 'GET /orders/{id}', params: { id: 1 }, status: 200 },
  { of: 'GET /warehouses', status: 200 },
  { of: 'GET /carriers/contracts', status: 200 },
  { of: 'GET /carriers/{carrierId}/services', params: { carrierId: 1 }, status: 200 },
  { of: 'POST /carriers/contracts/{id}/verify', params: { id: 1 }, status: 200 },
  { of: 'POST /carriers/contracts/{id}/verify', params: { id: 1 }, isAsync: true, status: 202 },
  { of: 'GET /carriers/state', status: 200 },
  {
    of: 'POST /carriers/contracts/{id}/price-list',
    params: { id: 1 },
    query: { dryRun: true, from: '2027-01-01' },
    upload: { type: 'text/csv', text: PRICES },
    status: 200,
  },
  {
    of: 'GET /carriers/contracts/{id}/what-if',
    params: { id: 1 },
    query: { from: '2026-11-01', to: '2026-11-30' },
    status: 200,
  },
  { of: 'GET /marketplace/connected', status: 200 },
  { of: 'POST /marketplace/connected/{id}/detect', params: { id: 1 }, status: 200 },
  { of: 'POST /orders', name: 'plain', body: PLAIN_ORDER, status: 201 },
  { of: 'POST /orders', name: 'with measured parcels', body: MEASURED_ORDER, status: 201 },
  { of: 'POST /orders', name: 'held by the pretend carrier', body: HELD_ORDER, status: 201 },
  { of: 'POST /orders', name: 'held by the pretend carrier', body: HELD_ORDER, status: 201 },
  { of: 'POST /orders', name: 'held by the pretend carrier', body: HELD_ORDER, status: 201 },

  {
    of: 'PUT /rules',
    body: { rules: [{ key: 'islands', when: { zip: ['07*', '09*', '90010-98199'] }, then: { options: ['ISLANDS'] } }] },
    status: 200,
  },
  { of: 'GET /rules', status: 200 },
  { of: 'GET /orders/{id}/carrier-choice', params: { id: 4 }, status: 200 },
  { of: 'GET /orders/{id}/packing', params: { id: 4 }, status: 200 },
  { of: 'GET /orders/{id}/timeline', params: { id: 1 }, status: 200 },

  { of: 'GET /shipment/quote', query: { orderId: 1, carrierCompanyId: 1 }, status: 200 },
  { of: 'GET /shipment/quotes', query: { orderId: 1, explain: true }, status: 200 },
  // Answers are cached, so only the first request reaches the carrier.
  { of: 'GET /shipment/live-rates', query: { orderId: 5, carrierCompanyId: 3 }, isAsync: true, status: 202 },
  { of: 'GET /shipment/live-rates', query: { orderId: 5, carrierCompanyId: 3 }, status: 200 },
  { of: 'POST /shipment/check-address', body: ADDRESS, status: 200 },
  { of: 'POST /shipment/check-address', body: ADDRESS, isAsync: true, status: 202 },
  { of: 'GET /carriers/pickup-points', query: LOCKERS, status: 200 },
  { of: 'GET /carriers/pickup-points', query: LOCKERS, isAsync: true, status: 202 },

  { of: 'POST /shipment/create', name: 'two orders', body: [{ orderId: 1 }, { orderId: 2 }], status: 200 },
  { of: 'POST /shipment/create', name: 'held', body: [{ orderId: 6 }, { orderId: 7 }, { orderId: 8 }], status: 200 },
  {
    of: 'POST /shipment/create',
    name: 'with another contract',
    body: [{ orderId: 5, carrierCompanyId: 3 }],
    isAsync: true,
    status: 202,
  },
  { of: 'GET /operations/{id}', params: { id: 7 }, status: 200 },
  { of: 'GET /shipment/{id}/label', params: { id: 1 }, query: { format: 'a6' }, status: 200 },
  { of: 'GET /labels', query: { shipmentIds: '1,2', layout: 'a4-4' }, status: 200 },
  { of: 'POST /shipment/{id}/printed', params: { id: 1 }, body: { printed: true }, status: 200 },
  {
    of: 'POST /shipment/{id}/print',
    params: { id: 2 },
    body: { printer: 'laser' },
    after: 'printer-declared',
    status: 200,
  },
  {
    of: 'POST /shipment/{id}/print',
    name: 'a copy',
    params: { id: 2 },
    body: { printer: 'laser', isCopy: true },
    isAsync: true,
    status: 202,
  },
  { of: 'GET /printers', status: 200 },
  { of: 'GET /shipment/{id}/documents', params: { id: 1 }, status: 200 },
  { of: 'GET /documents/{id}', params: { id: 1 }, status: 200 },
  { of: 'GET /shipment/{id}/exchanges', params: { id: 1 }, query: { limit: 2 }, status: 200 },
  { of: 'GET /exchanges/{id}', params: { id: 1 }, status: 200 },

  { of: 'POST /shipment/return', body: [{ orderId: 1, carrierCompanyId: 4 }], status: 200 },
  { of: 'POST /shipment/return', body: [{ orderId: 2, carrierCompanyId: 4 }], isAsync: true, status: 202 },
  { of: 'DELETE /shipment/{id}', params: { id: 7 }, status: 200 },
  { of: 'DELETE /shipment/{id}', params: { id: 8 }, isAsync: true, status: 202 },

  { of: 'PATCH /orders/{id}', params: { id: 4 }, body: { shipping: { zip: '40138' } }, status: 200 },
  { of: 'POST /orders/{id}/cancel', params: { id: 4 }, body: { reason: 'ordered twice' }, status: 200 },
  { of: 'POST /orders/{id}/reopen', params: { id: 4 }, status: 200 },
  {
    of: 'POST /orders/{id}/split',
    name: 'by lines',
    params: { id: 4 },
    body: { parts: [{ lines: [{ itemId: 5, quantity: 1 }] }] },
    status: 200,
  },
  { of: 'POST /pickups', body: PICKUP, status: 200 },
  { of: 'POST /pickups', body: PICKUP, isAsync: true, status: 202 },
  { of: 'GET /pickups', query: { limit: 2 }, status: 200 },
  { of: 'GET /pickups/{id}', params: { id: 1 }, status: 200 },
  { of: 'DELETE /pickups/{id}', params: { id: 1 }, status: 200 },
  { of: 'DELETE /pickups/{id}', params: { id: 2 }, isAsync: true, status: 202 },

  { of: 'POST /shipment/transmit', body: [{ orderId: 1 }, { orderId: 2 }], status: 200 },
  { of: 'POST /shipment/transmit', body: [{ orderId: 7 }, { orderId: 8 }], status: 200 },
  { of: 'POST /shipment/transmit', body: [{ orderId: 6 }], isAsync: true, status: 202 },
  { of: 'GET /bordero/open', status: 200 },
  { of: 'GET /overview', status: 200 },
  { of: 'POST /bordero', name: 'two orders', body: { carrierId: 1, orderIds: [1, 2] }, status: 201 },
  { of: 'POST /bordero', name: 'everything open', body: { allTransmitted: true }, status: 201 },
  { of: 'POST /shipment/{id}/poll', params: { id: 1 }, status: 200 },
  { of: 'POST /shipment/{id}/poll', params: { id: 2 }, isAsync: true, status: 202 },
  { of: 'GET /bordero', query: { limit: 10 }, status: 200 },
  { of: 'GET /bordero/{id}', params: { id: 1 }, status: 200 },
  { of: 'GET /bordero/{id}/pdf', params: { id: 1 }, status: 200 },
  { of: 'DELETE /bordero/{id}', params: { id: 1 }, status: 200 },
  { of: 'POST /orders/{id}/send-to-marketplace', params: { id: 1 }, status: 200 },
  { of: 'POST /orders/{id}/send-to-marketplace', params: { id: 2 }, isAsync: true, status: 202 },
  { of: 'POST /marketplace/connected/{id}/verify', params: { id: 1 }, status: 200 },
  { of: 'POST /marketplace/connected/{id}/verify', params: { id: 1 }, isAsync: true, status: 202 },
  { of: 'POST /marketplace/connected/{id}/import', name: 'all changes', params: { id: 1 }, body: {}, status: 200 },
  {
    of: 'POST /marketplace/connected/{id}/import',
    name: 'one order',
    params: { id: 1 },
    body: { marketplaceOrderId: '1001' },
    isAsync: true,
    status: 202,
  },
  { of: 'GET /marketplace/state', status: 200 },
  { of: 'GET /marketplace/connected/{id}/import-failures', params: { id: 1 }, query: { limit: 2 }, status: 200 },
  {
    of: 'GET /marketplace/connected/{id}/confirmations',
    params: { id: 1 },
    query: { state: 'told', limit: 2 },
    status: 200,
  },

  {
    of: 'POST /attention/{id}/resolve',
    params: { id: 9 },
    body: { choice: 'resubmit' },
    status: 200,
    after: 'booking-exhausted',
  },
  {
    of: 'POST /attention/{id}/resolve',
    params: { id: 10 },
    body: { choice: 'resubmit' },
    isAsync: true,
    status: 202,
    after: 'booking-exhausted',
  },
  {
    of: 'PATCH /orders/{id}',
    params: { id: 9 },
    query: { rebook: true },
    body: { shipping: { address: 'Via Mazzini 50' } },
    isAsync: true,
    status: 202,
  },
  { of: 'POST /orders/{id}/cancel', params: { id: 10 }, body: { reason: 'ordered twice' }, isAsync: true, status: 202 },
  { of: 'GET /shipments/held', query: { status: 'open', limit: 1 }, status: 200, after: 'parcels-held' },
  {
    of: 'POST /orders/batch',
    body: [PLAIN_ORDER, { ...PLAIN_ORDER, carrier_company_id: 999 }],
    status: 200,
  },
  { of: 'POST /orders', name: 'plain', body: PLAIN_ORDER, status: 201 },
  { of: 'POST /orders/join', body: { orderIds: [11, 12] }, status: 200 },
  { of: 'DELETE /orders/{id}/join', params: { id: 12 }, status: 200 },
  { of: 'POST /orders/import', upload: { type: 'text/csv', text: SHEET }, status: 200 },
  { of: 'GET /limits', status: 200 },
  { of: 'GET /operations', query: { kind: 'create', limit: 2 }, status: 200 },
  { of: 'DELETE /operations/{id}', params: { id: 1 }, status: 200 },
  { of: 'GET /shipments', query: { status: 'held', limit: 2 }, status: 200 },
  { of: 'GET /shipment/{id}', params: { id: 3 }, status: 200 },
  { of: 'GET /search', query: { q: 'marta colombni', limit: 2 }, status: 200 },
  { of: 'GET /attention', query: { limit: 1 }, status: 200 },
  { of: 'GET /attention/{id}', params: { id: 3 }, status: 200 },
  { of: 'GET /shipment/{id}/tracking', params: { id: 3 }, status: 200 },
  {
    of: 'POST /shipment/{id}/release-held',
    params: { id: 3 },
    body: { action: 'REDISPATCH_SAME_ADDRESS' },
    status: 200,
  },
  {
    of: 'POST /shipment/{id}/release-held',
    params: { id: 4 },
    body: { action: 'REDISPATCH_SAME_ADDRESS' },
    isAsync: true,
    status: 202,
  },
  {
    of: 'POST /shipments/held/{shipmentId}/done-in-portal',
    params: { shipmentId: 5 },
    body: { action: 'RETURN_TO_SENDER', note: 'by Anna' },
    status: 200,
  },

  {
    of: 'POST /event-endpoints',
    body: { url: 'https://erp.example.com/smista-events', types: ['order.created', 'shipment.held'] },
    status: 201,
  },
  { of: 'GET /event-endpoints', status: 200 },
  { of: 'POST /event-endpoints/{id}/replay', params: { id: 1 }, body: { from: 1, to: 3 }, status: 202 },
  {
    of: 'GET /event-endpoints/{id}/deliveries',
    params: { id: 1 },
    query: { limit: 2 },
    status: 200,
    after: 'event-tried',
  },
  { of: 'POST /event-endpoints/{id}/rotate-secret', params: { id: 1 }, status: 200 },
  { of: 'POST /event-endpoints/{id}/enable', params: { id: 1 }, body: {}, status: 200 },
  { of: 'PATCH /event-endpoints/{id}', params: { id: 1 }, body: { types: ['order.created'] }, status: 200 },
  { of: 'POST /event-endpoints/{id}/disable', params: { id: 1 }, status: 200 },
  { of: 'POST /event-endpoints/{id}/test', params: { id: 1 }, status: 200 },
  { of: 'POST /event-endpoints/{id}/test', params: { id: 1 }, isAsync: true, status: 202 },
  { of: 'DELETE /event-endpoints/{id}', params: { id: 1 }, status: 200 },
  { of: 'GET /events', query: { after: 0, limit: 3 }, status: 200 },
  { of: 'GET /audit', query: { target: 'order:1', limit: 2 }, status: 200 },
];
