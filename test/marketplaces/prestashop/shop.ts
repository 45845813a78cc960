import { afterAll, beforeAll } from 'vitest';
import type { LedgerEntry } from '../../../sandbox/src/partner.ts';
import { createPrestashopSandbox } from '../../../sandbox/src/partners/prestashop/index.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import type { ImportedOrder, ShipmentConfirmation } from '../../../src/marketplaces/adapter.ts';
import { prestashop } from '../../../src/marketplaces/prestashop/index.ts';
import { type SandboxClient, sandboxClient } from '../../support/sandbox-client.ts';
import { type Caller, callerOf } from '../call-marketplace.ts';

export const KEYS = {
  all: 'SANDBOXKEY0000000000000000000ALL',
  readOnly: 'SANDBOXKEY00000000000000READONLY',
  none: 'SANDBOXKEY0000000000000000000NIL',
  ordersOnly: 'SANDBOXKEY00000000000000000ORDER',
  inactive: 'SANDBOXKEY00000000000000INACTIVE',
  oldShop: 'SANDBOXKEY00000000000000000OLDER',
};

export interface Mail {
  orderId: number;
  kind: string;
  trackingNumbers: string[];
}

export interface PrestashopShop extends Pick<SandboxClient, 'fault'> {
  caller(account?: Record<string, unknown>): Caller;
  /** Puts an order into the books, exactly as given, and answers its id. */
  seed(order: Record<string, unknown>): Promise<string>;
  /** Places an ordinary order with changes, and reads it as the adapter does. */
  place(changes?: Record<string, unknown>): Promise<ImportedOrder>;
  /** The webservice itself. */
  api(
    method: string,
    path: string,
    options?: { body?: string; key?: string },
  ): Promise<{ status: number; text: string }>;
  /** The rows of a list, all fields. */
  rows(resource: string, filter: string): Promise<Record<string, string>[]>;
  mails(orderId: string): Promise<Mail[]>;
  ledger(order: ImportedOrder): Promise<LedgerEntry | undefined>;
}

/** Starts the sandbox for the tests of one file. */
export function usePrestashop(): PrestashopShop {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createPrestashopSandbox] });
  });
  afterAll(() => sandbox.close());

  const url = () => `${sandbox.url}/prestashop`;
  const shop: PrestashopShop = {
    caller: (more = {}) => callerOf(prestashop, { account: { url: url(), key: KEYS.all, ...more } }),
    async seed(order) {
      const answer = await fetch(`${url()}/_seed/orders`, { method: 'POST', body: JSON.stringify(order) });
      return String(((await answer.json()) as { id: number }).id);
    },
    async place(changes = {}) {
      const order = await shop.caller().read(await shop.seed({ ...ORDER, ...changes }));
      if (!order) throw new Error('The order is not there');
      return order;
    },
    async api(method, path, { body, key = KEYS.all } = {}) {
      const answer = await fetch(`${url()}/api/${path}`, {
        method,
        headers: { authorization: `Basic ${btoa(`${key}:`)}` },
        ...(body === undefined ? {} : { body }),
      });
      return { status: answer.status, text: await answer.text() };
    },
    async rows(resource, filter) {
      const { text } = await shop.api('GET', `${resource}?display=full&output_format=JSON&${filter}`);
      return (JSON.parse(text) as Record<string, Record<string, string>[]>)[resource] ?? [];
    },
    async mails(orderId) {
      const answer = await fetch(`${url()}/_mails`);
      return ((await answer.json()) as Mail[]).filter((mail) => mail.orderId === Number(orderId));
    },
    fault: (operation, fault) => sandboxClient(sandbox, 'prestashop').fault(operation, fault),
    ledger: ({ externalNumber }) => sandboxClient(sandbox, 'prestashop').ledger(externalNumber),
  };
  return shop;
}

export const ADDRESS = {
  firstname: 'Ilaria',
  lastname: 'Montaldo',
  address1: 'Corso Traiano 8',
  postcode: '00184',
  city: 'Roma',
  country: 'IT',
  state: 'RM',
  phone_mobile: '+39 333 5550177',
};

export const CUPS = {
  product_name: 'Tazza',
  product_reference: 'TAZ',
  product_quantity: '2',
  unit_price_tax_incl: '10.000000',
  total_price_tax_incl: '20.000000',
  total_price_tax_excl: '16.390000',
};

export const PLATE = {
  product_name: 'Piatto',
  product_reference: 'PIA',
  product_quantity: '1',
  unit_price_tax_incl: '10.000000',
  total_price_tax_incl: '10.000000',
  total_price_tax_excl: '8.200000',
};

/** An ordinary paid order of two lines, as the shop keeps it. */
export const ORDER = {
  customer: { firstname: 'Ilaria', lastname: 'Montaldo', email: 'ilaria.montaldo@example.com' },
  delivery: ADDRESS,
  order_details: [CUPS, PLATE],
  total_paid_tax_incl: '35.000000',
  total_paid_tax_excl: '28.690000',
  total_shipping_tax_incl: '5.000000',
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
