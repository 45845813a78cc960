import { createHmac } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { LedgerEntry } from '../../../sandbox/src/partner.ts';
import { createKauflandSandbox } from '../../../sandbox/src/partners/kaufland/index.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import type { ImportedOrder, ShipmentConfirmation } from '../../../src/marketplaces/adapter.ts';
import { kaufland } from '../../../src/marketplaces/kaufland/index.ts';
import { type SandboxClient, sandboxClient } from '../../support/sandbox-client.ts';
import { type Caller, callerOf } from '../call-marketplace.ts';

export interface KauflandWorld extends Pick<SandboxClient, 'fault'> {
  url(): string;
  caller(account?: Record<string, unknown>): Caller;
  /** Puts an order into the books, exactly as given, and answers its id. */
  seed(order: Record<string, unknown>): Promise<string>;
  /** Places an ordinary order with changes, and reads it as the adapter does. */
  place(changes?: Record<string, unknown>): Promise<ImportedOrder>;
  /** The interface itself, as a seller. */
  api(method: string, path: string, options?: ApiOptions): Promise<{ status: number; json: unknown }>;
  /** Marks one unit as sent, behind the adapter's back. */
  send(unitId: string, trackingNumber: string): Promise<void>;
  ledger(orderId: string): Promise<LedgerEntry | undefined>;
}

interface ApiOptions {
  body?: unknown;
  /** Instead of those that are signed. */
  headers?: Record<string, string>;
}

export const SECRET_KEY = 'sandbox-secret-key';

/** As Kaufland's documentation signs, apart from the adapter. */
export function signedHeaders(request: { method: string; url: string; body: string; secretKey?: string }) {
  const { method, url, body, secretKey = SECRET_KEY } = request;
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', secretKey).update(`${method}\n${url}\n${body}\n${timestamp}`).digest('hex');
  return {
    'shop-client-key': 'sandbox-client',
    'shop-timestamp': timestamp,
    'shop-signature': signature,
    'user-agent': 'test',
    accept: 'application/json',
    'content-type': 'application/json',
  };
}

/** Starts the sandbox for the tests of one file. */
export function useKaufland(): KauflandWorld {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createKauflandSandbox] });
  });
  afterAll(() => sandbox.close());

  const url = () => `${sandbox.url}/kaufland`;
  const account = () => ({ clientKey: 'sandbox-client', secretKey: SECRET_KEY, baseUrl: `${url()}/v2` });
  const world: KauflandWorld = {
    url,
    caller: (more = {}) => callerOf(kaufland, { account: { ...account(), ...more } }),
    async seed(order) {
      const answer = await fetch(`${url()}/_seed/orders`, { method: 'POST', body: JSON.stringify(order) });
      return ((await answer.json()) as { id_order: string }).id_order;
    },
    async place(changes = {}) {
      const order = await world.caller().read(await world.seed({ ...ORDER, ...changes }));
      if (!order) throw new Error('The order is not there');
      return order;
    },
    async api(method, path, { body, headers } = {}) {
      const address = `${url()}/v2${path}`;
      const text = body === undefined ? '' : JSON.stringify(body);
      const answer = await fetch(address, {
        method,
        headers: headers ?? signedHeaders({ method, url: address, body: text }),
        ...(text === '' ? {} : { body: text }),
      });
      const answered = await answer.text();
      return { status: answer.status, json: answered === '' ? null : (JSON.parse(answered) as unknown) };
    },
    async send(unitId, trackingNumber) {
      const body = { tracking_numbers: trackingNumber, carrier_code: 'DHL' };
      const { status } = await world.api('PATCH', `/order-units/${unitId}/send`, { body });
      if (status !== 204) throw new Error(`The unit was not sent: ${status}`);
    },
    fault: (operation, fault) => sandboxClient(sandbox, 'kaufland').fault(operation, fault),
    ledger: (orderId) => sandboxClient(sandbox, 'kaufland').ledger(orderId),
  };
  return world;
}

export const ADDRESS = {
  first_name: 'Ilaria',
  last_name: 'Montaldo',
  company_name: null,
  street: 'Corso Traiano',
  house_number: '8',
  postcode: '00184',
  additional_field: 'Scala B',
  city: 'Roma',
  phone: '+39 333 5550177',
  country: 'IT',
};

export const CUP = { id_offer: 'TAZ', price: 1220, shipping_rate: 490, vat: 22, product: { title: 'Tazza' } };
export const PLATE = { id_offer: 'PIA', price: 1000, shipping_rate: 0, vat: 10, product: { title: 'Piatto' } };

/** An ordinary order of three pieces, as the platform shows it. */
export const ORDER = {
  ts_created_iso: '2026-11-20T09:00:00Z',
  billing_address: ADDRESS,
  shipping_address: ADDRESS,
  buyer: { id_buyer: 1, email: 'ilaria.montaldo@kaufland.example' },
  order_units: [CUP, { ...CUP, shipping_rate: 0 }, PLATE],
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
