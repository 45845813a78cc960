import { afterAll, beforeAll } from 'vitest';
import type { LedgerEntry } from '../../../sandbox/src/partner.ts';
import { createMiraklSandbox } from '../../../sandbox/src/partners/mirakl/index.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import type { ImportedOrder, ShipmentConfirmation } from '../../../src/marketplaces/adapter.ts';
import { mirakl } from '../../../src/marketplaces/mirakl/index.ts';
import { type SandboxClient, sandboxClient } from '../../support/sandbox-client.ts';
import { type Caller, callerOf } from '../call-marketplace.ts';

export interface MiraklWorld extends Pick<SandboxClient, 'fault'> {
  caller(account?: Record<string, unknown>): Caller;
  /** Puts an order into the books, exactly as given, and answers its id. */
  seed(order: Record<string, unknown>): Promise<string>;
  /** Moves an order on, as the operator does. */
  move(orderId: string, order_state: string): Promise<void>;
  /** Places an ordinary order with changes, and reads it as the adapter does. */
  place(changes?: Record<string, unknown>): Promise<ImportedOrder>;
  /** The interface itself, as a shop. */
  api(method: string, path: string, body?: unknown, key?: string): Promise<{ status: number; json: unknown }>;
  ledger(orderId: string): Promise<LedgerEntry | undefined>;
}

/** Starts the sandbox for the tests of one file. */
export function useMirakl(): MiraklWorld {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createMiraklSandbox] });
  });
  afterAll(() => sandbox.close());

  const url = () => `${sandbox.url}/mirakl`;
  const world: MiraklWorld = {
    caller: (more = {}) => callerOf(mirakl, { account: { baseUrl: url(), apiKey: 'sandbox-shop', ...more } }),
    async seed(order) {
      const { json } = await world.api('POST', '/_seed/orders', order);
      return (json as { order_id: string }).order_id;
    },
    async move(orderId, order_state) {
      await world.api('POST', `/_seed/orders/${orderId}`, { order_state });
    },
    async place(changes = {}) {
      const order = await world.caller().read(await world.seed({ ...ORDER, ...changes }));
      if (!order) throw new Error('The order is not there');
      return order;
    },
    async api(method, path, body, key = 'sandbox-shop') {
      const headers = { authorization: key, 'content-type': 'application/json' };
      const options = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await fetch(`${url()}${path}`, options);
      const text = await response.text();
      return { status: response.status, json: text === '' ? null : (JSON.parse(text) as unknown) };
    },
    fault: (operation, fault) => sandboxClient(sandbox, 'mirakl').fault(operation, fault),
    ledger: (orderId) => sandboxClient(sandbox, 'mirakl').ledger(orderId),
  };
  return world;
}

export const ADDRESS = {
  firstname: 'Ilaria',
  lastname: 'Montaldo',
  street_1: 'Corso Traiano 8',
  city: 'Roma',
  state: 'RM',
  zip_code: '00184',
  country: 'Italia',
  country_iso_code: 'ITA',
  phone: '+39 333 5550177',
  additional_info: 'Al piano terra 🎁',
};

const vat = (amount: number) => [{ code: 'IVA-22', rate: 22, amount }];

export const CUPS = {
  product_title: 'Tazza',
  offer_sku: 'TAZ',
  quantity: 2,
  price_unit: 12.2,
  price: 24.4,
  taxes: vat(4.4),
};
export const PLATE = {
  product_title: 'Piatto',
  offer_sku: 'PIA',
  quantity: 1,
  price_unit: 12.2,
  price: 12.2,
  taxes: vat(2.2),
  shipping_price: 6.1,
  shipping_taxes: vat(1.1),
};

export const customerWith = (changes: object) => ({
  customer: { ...ORDER.customer, shipping_address: { ...ADDRESS, ...changes } },
});

/** An ordinary order of two lines, as the platform shows it. */
export const ORDER = {
  created_date: '2026-11-20T09:00:00Z',
  customer: { firstname: 'Ilaria', lastname: 'Montaldo', shipping_address: ADDRESS, billing_address: ADDRESS },
  customer_notification_email: 'notifica+d4@operator.example',
  price: 36.6,
  shipping_price: 6.1,
  total_price: 42.7,
  order_lines: [CUPS, PLATE],
};

/** The shipment of a whole order, unless told otherwise. */
export function confirmationOf(order: ImportedOrder, more: Partial<ShipmentConfirmation> = {}): ShipmentConfirmation {
  return {
    externalOrderId: order.externalId,
    lines: order.lines.map(({ externalLineId, quantity }) => ({ externalLineId, quantity })),
    trackingNumber: 'BR512345678',
    carrierId: 'brt',
    carrierName: 'BRT',
    trackingUrl: 'https://track.example/brt/BR512345678',
    shippedOn: '2026-11-21',
    ...more,
  };
}
