import { afterAll, beforeAll } from 'vitest';
import type { FaultName, LedgerEntry } from '../../../sandbox/src/partner.ts';
import { createWoocommerceSandbox } from '../../../sandbox/src/partners/woocommerce.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import type { ImportedOrder, ShipmentConfirmation } from '../../../src/marketplaces/adapter.ts';
import { woocommerce } from '../../../src/marketplaces/woocommerce/index.ts';
import { type Caller, callerOf } from '../call-marketplace.ts';

export type ShopName = 'core' | 'tracking' | 'ast' | 'note';

export interface Mail {
  orderId: number;
  kind: string;
  trackingNumbers: string[];
}

/** One pretend shop and the adapter that speaks to it. */
export interface Shop {
  caller(account?: Record<string, unknown>): Caller;
  /** Puts an order into the shop's books, exactly as given. */
  seed(order: Record<string, unknown>): Promise<void>;
  /** Places an order and reads it as the adapter does. */
  place(order?: Record<string, unknown>): Promise<ImportedOrder>;
  /** The shop's own interface, spoken to over a pretend HTTPS proxy. */
  api(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }>;
  mails(orderId: string): Promise<Mail[]>;
  ledger(orderId: string): Promise<LedgerEntry | undefined>;
  fault(operation: string, fault: FaultName, times?: number): Promise<void>;
}

const BASIC = `Basic ${Buffer.from('ck_sandbox:cs_sandbox').toString('base64')}`;

/** Starts the sandbox for the tests of one file. */
export function useShops(): { shop(name: ShopName): Shop } {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createWoocommerceSandbox] });
  });
  afterAll(() => sandbox.close());
  return { shop: (name) => shopAt(sandbox.url, name) };
}

function shopAt(sandboxUrl: string, name: ShopName): Shop {
  const url = `${sandboxUrl}/woocommerce${name === 'core' ? '' : `/shops/${name}`}`;
  const account = { url, consumerKey: 'ck_sandbox', consumerSecret: 'cs_sandbox' };
  const send = async (address: string, method: string, body?: unknown) => {
    const headers = { authorization: BASIC, 'x-forwarded-proto': 'https' };
    const response = await fetch(address, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, json: (await response.json()) as unknown };
  };
  return {
    caller: (more = {}) => callerOf(woocommerce, { account: { ...account, ...more } }),
    async seed(order) {
      await send(`${url}/_seed/orders`, 'POST', order);
    },
    async place(order = {}) {
      const { json } = await send(`${url}/_seed/orders`, 'POST', { ...ORDER, ...order });
      const { id } = json as { id: number };
      const orders = await callerOf(woocommerce, { account }).listAll({
        modifiedAfter: new Date(0),
        modifiedBefore: new Date(Date.now() + 60_000),
      });
      const found = orders.find(({ externalId }) => externalId === String(id));
      if (!found) throw new Error(`Order ${id} is not in the list`);
      return found;
    },
    api: (method, path, body) => send(`${url}/wp-json/${path}`, method, body),
    async mails(orderId) {
      const { json } = await send(`${url}/_mails`, 'GET');
      return (json as Mail[]).filter((mail) => mail.orderId === Number(orderId));
    },
    async ledger(orderId) {
      const { json } = await send(`${sandboxUrl}/_control/ledger`, 'GET');
      return (json as { woocommerce: LedgerEntry[] }).woocommerce.find(({ reference }) => reference === orderId);
    },
    async fault(operation, fault, times = 1) {
      await send(`${sandboxUrl}/_control/faults`, 'POST', { partner: 'woocommerce', operation, fault, times });
    },
  };
}

const PLACE = {
  first_name: 'Ilaria',
  last_name: 'Montaldo',
  company: '',
  address_1: 'Corso Traiano 8',
  address_2: '',
  city: 'Roma',
  state: 'RM',
  postcode: '00184',
  country: 'IT',
  phone: '+39 333 5550177',
};

/** An ordinary order of two lines, as the platform shows it. */
export const ORDER = {
  billing: { ...PLACE, email: 'ilaria.montaldo@example.com' },
  shipping: PLACE,
  line_items: [
    { name: 'Tazza', sku: 'TAZ', quantity: 2, total: '16.39', total_tax: '3.61' },
    { name: 'Piatto', sku: 'PIA', quantity: 1, total: '8.20', total_tax: '1.80' },
  ],
  shipping_lines: [{ id: 1, method_title: 'Corriere', method_id: 'flat_rate', total: '4.10' }],
  shipping_total: '4.10',
  shipping_tax: '0.90',
  total: '35.00',
  total_tax: '6.31',
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
