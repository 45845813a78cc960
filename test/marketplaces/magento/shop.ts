import { afterAll, beforeAll } from 'vitest';
import type { LedgerEntry } from '../../../sandbox/src/partner.ts';
import { createMagentoSandbox } from '../../../sandbox/src/partners/magento/index.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import type { ImportedOrder, ShipmentConfirmation } from '../../../src/marketplaces/adapter.ts';
import { magento } from '../../../src/marketplaces/magento/index.ts';
import { type SandboxClient, sandboxClient } from '../../support/sandbox-client.ts';
import { type Caller, callerOf } from '../call-marketplace.ts';

export interface MagentoShop extends Pick<SandboxClient, 'fault'> {
  caller(account?: Record<string, unknown>): Caller;
  /** Puts an order into the books, exactly as given, and answers its id. */
  seed(order: Record<string, unknown>): Promise<string>;
  /** Places an ordinary order with changes, and reads it as the adapter does. */
  place(changes?: Record<string, unknown>, account?: Record<string, unknown>): Promise<ImportedOrder>;
  /** The interface itself. */
  api(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }>;
  shipments(order: ImportedOrder): Promise<ShownShipment[]>;
  mails(order: ImportedOrder): Promise<number>;
  ledger(order: ImportedOrder): Promise<LedgerEntry | undefined>;
}

export interface ShownShipment {
  entity_id: number;
  items: { order_item_id: number; qty: number }[];
  tracks: { track_number: string; title: string; carrier_code: string }[];
}

/** What signs a request in the sandbox. */
export const SIGNATURE = {
  consumerKey: 'sandbox-consumer',
  consumerSecret: 'sandbox-consumer-secret',
  accessTokenSecret: 'sandbox-token-secret',
};

/** Starts the sandbox for the tests of one file. */
export function useMagento(): MagentoShop {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createMagentoSandbox] });
  });
  afterAll(() => sandbox.close());

  const url = () => `${sandbox.url}/magento`;
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url()}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: 'Bearer sandbox-token' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as unknown };
  };
  const shop: MagentoShop = {
    caller: (more = {}) => callerOf(magento, { account: { url: url(), accessToken: 'sandbox-token', ...more } }),
    async seed(order) {
      const { json } = await send('POST', '/_seed/orders', order);
      return String((json as { entity_id: number }).entity_id);
    },
    async place(changes = {}, account = {}) {
      const order = await shop.caller(account).read(await shop.seed({ ...ORDER, ...changes }));
      if (!order) throw new Error('The order is not there');
      return order;
    },
    api: (method, path, body) => send(method, `/rest/default/V1/${path}`, body),
    async shipments({ externalId }) {
      const filter = 'searchCriteria[filter_groups][0][filters][0]';
      const { json } = await shop.api('GET', `shipments?${filter}[field]=order_id&${filter}[value]=${externalId}`);
      return (json as { items: ShownShipment[] }).items;
    },
    async mails({ externalId }) {
      const { json } = await send('GET', '/_mails');
      return (json as { orderId: number }[]).filter(({ orderId }) => String(orderId) === externalId).length;
    },
    fault: (operation, fault) => sandboxClient(sandbox, 'magento').fault(operation, fault),
    ledger: ({ externalNumber }) => sandboxClient(sandbox, 'magento').ledger(externalNumber),
  };
  return shop;
}

export const ADDRESS = {
  firstname: 'Ilaria',
  lastname: 'Montaldo',
  company: null,
  street: ['Corso Traiano 8'],
  city: 'Roma',
  region: 'Roma',
  region_code: 'RM',
  postcode: '00184',
  country_id: 'IT',
  telephone: '+39 333 5550177',
};

export const CUPS = { sku: 'TAZ', name: 'Tazza', qty_ordered: 2, row_total: 16.39, tax_amount: 3.61 };
export const PLATE = { sku: 'PIA', name: 'Piatto', qty_ordered: 1, row_total: 8.2, tax_amount: 1.8 };

export const assigned = (...addresses: object[]) => ({
  shipping_assignments: addresses.map((address) => ({ shipping: { address, method: 'flatrate_flatrate' } })),
});

/** An ordinary paid order of two lines, as the platform shows it. */
export const ORDER = {
  created_at: '2026-11-20 09:00:00',
  updated_at: '2026-11-20 10:30:00',
  customer_firstname: 'Ilaria',
  customer_lastname: 'Montaldo',
  customer_email: 'ilaria.montaldo@example.com',
  billing_address: ADDRESS,
  extension_attributes: assigned(ADDRESS),
  payment: { method: 'paypal_express' },
  items: [CUPS, PLATE],
  shipping_amount: 4.1,
  shipping_tax_amount: 0.9,
  tax_amount: 6.31,
  grand_total: 35,
  total_due: 0,
};

/** The shipment of a whole order, unless told otherwise. */
export function confirmationOf(order: ImportedOrder, more: Partial<ShipmentConfirmation> = {}): ShipmentConfirmation {
  return {
    externalOrderId: order.externalId,
    lines: order.lines.map(({ externalLineId, quantity }) => ({ externalLineId, quantity })),
    trackingNumber: 'RM512345678',
    carrierId: 'gls-it',
    carrierName: 'GLS Italy',
    trackingUrl: 'https://track.example/gls/RM512345678',
    shippedOn: '2026-11-21',
    ...more,
  };
}
