import { createWoocommerceSandbox } from '../../../sandbox/src/partners/woocommerce.ts';
import type { Sandbox } from '../../../sandbox/src/server.ts';
import { woocommerce } from '../../../src/marketplaces/woocommerce/index.ts';
import { type Answer, type MarketplaceWorld, marketplaceWorld, useSandbox } from '../marketplace-world.ts';

export { confirmationOf } from '../marketplace-world.ts';

export type ShopName = 'core' | 'tracking' | 'ast' | 'note';

export interface Mail {
  orderId: number;
  kind: string;
  trackingNumbers: string[];
}

/** One pretend shop and the adapter that speaks to it. */
export interface Shop extends MarketplaceWorld {
  /** The shop's own interface, spoken to over a pretend HTTPS proxy. */
  api(method: string, path: string, body?: unknown): Promise<Answer>;
  mails(orderId: string): Promise<Mail[]>;
}

const HTTPS = { authorization: `Basic ${btoa('ck_sandbox:cs_sandbox')}`, 'x-forwarded-proto': 'https' };

/** Starts the sandbox for the tests of one file. */
export function useShops(): { shop(name: ShopName): Shop } {
  const sandbox = useSandbox(createWoocommerceSandbox);
  return { shop: (name) => shopAt(sandbox, name) };
}

function shopAt(sandbox: () => Sandbox, name: ShopName): Shop {
  const world = marketplaceWorld(sandbox, {
    marketplace: woocommerce,
    path: name === 'core' ? 'woocommerce' : `woocommerce/shops/${name}`,
    account: (url) => ({ url, consumerKey: 'ck_sandbox', consumerSecret: 'cs_sandbox' }),
    order: ORDER,
    idField: 'id',
  });
  return {
    ...world,
    api: (method, path, body) => world.send(method, `/wp-json/${path}`, body, HTTPS),
    async mails(orderId) {
      const { json } = await world.send('GET', '/_mails');
      return (json as Mail[]).filter((mail) => mail.orderId === Number(orderId));
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
