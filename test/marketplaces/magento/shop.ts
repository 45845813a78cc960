import type { LedgerEntry } from '../../../sandbox/src/partner.ts';
import { createMagentoSandbox } from '../../../sandbox/src/partners/magento/index.ts';
import type { ImportedOrder } from '../../../src/marketplaces/adapter.ts';
import { magento } from '../../../src/marketplaces/magento/index.ts';
import { type Answer, type MarketplaceWorld, marketplaceWorld, useSandbox } from '../marketplace-world.ts';

export { confirmationOf } from '../marketplace-world.ts';

export interface MagentoShop extends Omit<MarketplaceWorld, 'ledger'> {
  /** The interface itself. */
  api(method: string, path: string, body?: unknown): Promise<Answer>;
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
  const world = marketplaceWorld(useSandbox(createMagentoSandbox), {
    marketplace: magento,
    account: (url) => ({ url, accessToken: 'sandbox-token' }),
    order: ORDER,
    idField: 'entity_id',
  });
  const api: MagentoShop['api'] = (method, path, body) =>
    world.send(method, `/rest/default/V1/${path}`, body, { authorization: 'Bearer sandbox-token' });
  return {
    ...world,
    api,
    async shipments({ externalId }) {
      const filter = 'searchCriteria[filter_groups][0][filters][0]';
      const { json } = await api('GET', `shipments?${filter}[field]=order_id&${filter}[value]=${externalId}`);
      return (json as { items: ShownShipment[] }).items;
    },
    async mails({ externalId }) {
      const { json } = await world.send('GET', '/_mails');
      return (json as { orderId: number }[]).filter(({ orderId }) => String(orderId) === externalId).length;
    },
    ledger: ({ externalNumber }) => world.ledger(externalNumber),
  };
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
