import { createHmac } from 'node:crypto';
import { createKauflandSandbox } from '../../../sandbox/src/partners/kaufland/index.ts';
import { kaufland } from '../../../src/marketplaces/kaufland/index.ts';
import { type Answer, type MarketplaceWorld, marketplaceWorld, useSandbox } from '../marketplace-world.ts';

export { confirmationOf } from '../marketplace-world.ts';

export interface KauflandWorld extends Omit<MarketplaceWorld, 'send'> {
  /** The interface itself, as a seller. */
  api(method: string, path: string, options?: ApiOptions): Promise<Answer>;
  /** Marks one unit as sent, behind the adapter's back. */
  send(unitId: string, trackingNumber: string): Promise<void>;
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
  const world = marketplaceWorld(useSandbox(createKauflandSandbox), {
    marketplace: kaufland,
    account: (url) => ({ clientKey: 'sandbox-client', secretKey: SECRET_KEY, baseUrl: `${url}/v2` }),
    order: ORDER,
    idField: 'id_order',
  });
  const api: KauflandWorld['api'] = (method, path, { body, headers } = {}) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const signed = headers ?? signedHeaders({ method, url: `${world.url()}/v2${path}`, body: text });
    return world.send(method, `/v2${path}`, text || undefined, signed);
  };
  return {
    ...world,
    api,
    async send(unitId, trackingNumber) {
      const body = { tracking_numbers: trackingNumber, carrier_code: 'DHL' };
      const { status } = await api('PATCH', `/order-units/${unitId}/send`, { body });
      if (status !== 204) throw new Error(`The unit was not sent: ${status}`);
    },
  };
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
