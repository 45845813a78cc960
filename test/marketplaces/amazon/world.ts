import { afterAll, beforeAll } from 'vitest';
import type { LedgerEntry } from '../../../sandbox/src/partner.ts';
import { createAmazonSandbox } from '../../../sandbox/src/partners/amazon/index.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import type { ImportedOrder, ShipmentConfirmation } from '../../../src/marketplaces/adapter.ts';
import { amazon } from '../../../src/marketplaces/amazon/index.ts';
import { type SandboxClient, sandboxClient } from '../../support/sandbox-client.ts';
import { type Caller, callerOf } from '../call-marketplace.ts';

export interface AmazonWorld extends Pick<SandboxClient, 'fault' | 'advance'> {
  /** A seller of its own, whose usage plans are full. */
  caller(account?: Record<string, unknown>): Caller;
  /** Puts an order into the books, exactly as given, and answers its id. */
  seed(order: Record<string, unknown>): Promise<string>;
  /** Places an ordinary order with changes, and reads it as the adapter does. */
  place(changes?: Record<string, unknown>): Promise<ImportedOrder>;
  /** The interface itself; `null` where there is no body. */
  api(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }>;
  ledger(orderId: string): Promise<LedgerEntry | undefined>;
}

let sellers = 0;

/** Starts the sandbox for the tests of one file. */
export function useAmazon(): AmazonWorld {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createAmazonSandbox] });
  });
  afterAll(() => sandbox.close());

  const url = () => `${sandbox.url}/amazon`;
  const send = async (method: string, path: string, body?: unknown, token = '') => {
    const response = await fetch(`${url()}${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-amz-access-token': token },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? null : (JSON.parse(text) as unknown) };
  };
  const world: AmazonWorld = {
    caller: (more = {}) => callerOf(amazon, { account: { ...sellerAt(url()), ...more } }),
    async seed(order) {
      const { json } = await send('POST', '/_seed/orders', order);
      return (json as { orderId: string }).orderId;
    },
    async place(changes = {}) {
      const order = await world.caller().read(await world.seed({ ...ORDER, ...changes }));
      if (!order) throw new Error('The order is not there');
      return order;
    },
    async api(method, path, body) {
      const { refreshToken, clientId, clientSecret } = sellerAt(url());
      const login = {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        client_secret: clientSecret,
      };
      const { json } = await send('POST', '/auth/o2/token', login);
      return send(method, path, body, (json as { access_token: string }).access_token);
    },
    fault: (operation, fault) => sandboxClient(sandbox, 'amazon').fault(operation, fault),
    advance: (hours) => sandboxClient(sandbox, 'amazon').advance(hours),
    ledger: (orderId) => sandboxClient(sandbox, 'amazon').ledger(orderId),
  };
  return world;
}

function sellerAt(url: string) {
  sellers += 1;
  return {
    clientId: 'amzn1.application-oa2-client.sandbox',
    clientSecret: 'sandbox-secret',
    refreshToken: `Atzr|sandbox-${sellers}`,
    baseUrl: url,
    tokenUrl: `${url}/auth/o2/token`,
  };
}

export const euro = (amount: string) => ({ amount, currencyCode: 'EUR' });

export const ADDRESS = {
  name: 'Ilaria Montaldo',
  addressLine1: 'Corso Traiano 8',
  city: 'Roma',
  stateOrRegion: 'RM',
  postalCode: '00184',
  countryCode: 'IT',
  phone: '+39 333 5550177',
  addressType: 'RESIDENTIAL',
};

export const CUPS = {
  quantityOrdered: 2,
  product: { asin: 'B000000001', title: 'Tazza', sellerSku: 'TAZ' },
  proceeds: {
    proceedsTotal: euro('25.00'),
    breakdowns: [
      { type: 'ITEM', subtotal: euro('16.39') },
      { type: 'SHIPPING', subtotal: euro('4.10') },
      {
        type: 'TAX',
        subtotal: euro('4.51'),
        detailedBreakdowns: [
          { subtype: 'ITEM', value: euro('3.61') },
          { subtype: 'SHIPPING', value: euro('0.90') },
        ],
      },
    ],
  },
};

export const PLATE = {
  quantityOrdered: 1,
  product: { asin: 'B000000002', title: 'Piatto', sellerSku: 'PIA' },
  proceeds: {
    proceedsTotal: euro('10.00'),
    breakdowns: [
      { type: 'ITEM', subtotal: euro('8.20') },
      { type: 'TAX', subtotal: euro('1.80'), detailedBreakdowns: [{ subtype: 'ITEM', value: euro('1.80') }] },
    ],
  },
};

/** An ordinary order of two lines, as the platform shows it. */
export const ORDER = {
  createdTime: '2026-11-20T09:00:00Z',
  buyer: { buyerName: 'Ilaria Montaldo', buyerEmail: 'x7y8@marketplace.example' },
  recipient: { deliveryAddress: ADDRESS, deliveryPreference: { addressInstruction: 'Al piano terra 🎁' } },
  proceeds: { grandTotal: euro('35.00') },
  payment: { paymentExecutions: [{ paymentMethod: 'CreditCard' }] },
  orderItems: [CUPS, PLATE],
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
