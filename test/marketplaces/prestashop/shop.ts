import type { LedgerEntry } from '../../../sandbox/src/partner.ts';
import { createPrestashopSandbox } from '../../../sandbox/src/partners/prestashop/index.ts';
import type { ImportedOrder } from '../../../src/marketplaces/adapter.ts';
import { prestashop } from '../../../src/marketplaces/prestashop/index.ts';
import { type MarketplaceWorld, marketplaceWorld, useSandbox } from '../marketplace-world.ts';

export { confirmationOf } from '../marketplace-world.ts';

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

export interface PrestashopShop extends Omit<MarketplaceWorld, 'ledger'> {
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
  const world = marketplaceWorld(useSandbox(createPrestashopSandbox), {
    marketplace: prestashop,
    account: (url) => ({ url, key: KEYS.all }),
    order: ORDER,
    idField: 'id',
  });
  const api: PrestashopShop['api'] = async (method, path, { body, key = KEYS.all } = {}) => {
    const answer = await fetch(`${world.url()}/api/${path}`, {
      method,
      headers: { authorization: `Basic ${btoa(`${key}:`)}` },
      ...(body === undefined ? {} : { body }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  return {
    ...world,
    api,
    async rows(resource, filter) {
      const { text } = await api('GET', `${resource}?display=full&output_format=JSON&${filter}`);
      return (JSON.parse(text) as Record<string, Record<string, string>[]>)[resource] ?? [];
    },
    async mails(orderId) {
      const { json } = await world.send('GET', '/_mails');
      return (json as Mail[]).filter((mail) => mail.orderId === Number(orderId));
    },
    ledger: ({ externalNumber }) => world.ledger(externalNumber),
  };
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
