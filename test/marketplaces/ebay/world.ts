import { afterAll, beforeAll } from 'vitest';
import type { LedgerEntry } from '../../../sandbox/src/partner.ts';
import { createEbaySandbox } from '../../../sandbox/src/partners/ebay/index.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import type { ImportedOrder, ShipmentConfirmation } from '../../../src/marketplaces/adapter.ts';
import { ebay } from '../../../src/marketplaces/ebay/index.ts';
import { type SandboxClient, sandboxClient } from '../../support/sandbox-client.ts';
import { type Caller, callerOf } from '../call-marketplace.ts';

export interface EbayWorld extends Pick<SandboxClient, 'fault'> {
  url(): string;
  caller(account?: Record<string, unknown>): Caller;
  /** Puts an order into the books, exactly as given, and answers its id. */
  seed(order: Record<string, unknown>): Promise<string>;
  /** Places an ordinary order with changes, and reads it as the adapter does. */
  place(changes?: Record<string, unknown>): Promise<ImportedOrder>;
  /** The interface itself, as a seller; `null` where there is no body. */
  api(method: string, path: string, body?: unknown): Promise<{ status: number; json: unknown }>;
  ledger(orderId: string): Promise<LedgerEntry | undefined>;
}

export const VERIFICATION_TOKEN = 'private-verification-token-0123456789';

/** Starts the sandbox for the tests of one file. */
export function useEbay(): EbayWorld {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createEbaySandbox] });
  });
  afterAll(() => sandbox.close());

  const url = () => `${sandbox.url}/ebay`;
  const send = async (path: string, options: RequestInit) => {
    const response = await fetch(`${url()}${path}`, options);
    const text = await response.text();
    return { status: response.status, json: text === '' ? null : (JSON.parse(text) as unknown) };
  };
  const world: EbayWorld = {
    url,
    caller: (more = {}) => callerOf(ebay, { account: { ...accountAt(url()), ...more } }),
    async seed(order) {
      const { json } = await send('/_seed/orders', { method: 'POST', body: JSON.stringify(order) });
      return (json as { orderId: string }).orderId;
    },
    async place(changes = {}) {
      const order = await world.caller().read(await world.seed({ ...ORDER, ...changes }));
      if (!order) throw new Error('The order is not there');
      return order;
    },
    async api(method, path, body) {
      const { json } = await send('/identity/v1/oauth2/token', {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('app:sandbox-secret')}` },
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'sandbox-seller' }),
      });
      const { access_token } = json as { access_token: string };
      const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
      return send(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    },
    fault: (operation, fault) => sandboxClient(sandbox, 'ebay').fault(operation, fault),
    ledger: (orderId) => sandboxClient(sandbox, 'ebay').ledger(orderId),
  };
  return world;
}

function accountAt(url: string) {
  return {
    clientId: 'Smista-Prova-PRD',
    clientSecret: 'sandbox-secret',
    refreshToken: 'sandbox-seller',
    baseUrl: url,
    tokenUrl: `${url}/identity/v1/oauth2/token`,
  };
}

export const euro = (value: string) => ({ value, currency: 'EUR' });

export const CONTACT = {
  fullName: 'Ilaria Montaldo',
  email: 'ilaria.montaldo@members.example',
  primaryPhone: { phoneNumber: '+39 333 5550177' },
  contactAddress: {
    addressLine1: 'Corso Traiano 8',
    city: 'Roma',
    stateOrProvince: 'RM',
    postalCode: '00184',
    countryCode: 'IT',
  },
};

export const shipTo = (contact: object, more: object = {}) => ({
  fulfillmentInstructionsType: 'SHIP_TO',
  shippingStep: { shipTo: contact, ...more },
});

export const CUPS = { title: 'Tazza', sku: 'TAZ', quantity: 2, lineItemCost: euro('20.00') };
export const PLATE = { title: 'Piatto', sku: 'PIA', quantity: 1, lineItemCost: euro('10.00') };

/** An ordinary order of two lines, as the platform shows it. */
export const ORDER = {
  creationDate: '2026-11-20T09:00:00.000Z',
  buyer: { username: 'ilaria_m', buyerRegistrationAddress: CONTACT },
  buyerCheckoutNotes: 'Al piano terra 🎁',
  pricingSummary: { priceSubtotal: euro('30.00'), deliveryCost: euro('5.00'), total: euro('35.00') },
  fulfillmentStartInstructions: [shipTo(CONTACT)],
  lineItems: [CUPS, PLATE],
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
