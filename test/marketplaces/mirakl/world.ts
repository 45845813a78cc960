import { createMiraklSandbox } from '../../../sandbox/src/partners/mirakl/index.ts';
import type { ImportedOrder, ShipmentConfirmation } from '../../../src/marketplaces/adapter.ts';
import { mirakl } from '../../../src/marketplaces/mirakl/index.ts';
import {
  type Answer,
  confirmationOf as confirmationOfGls,
  type MarketplaceWorld,
  marketplaceWorld,
  useSandbox,
} from '../marketplace-world.ts';

export interface MiraklWorld extends MarketplaceWorld {
  /** Moves an order on, as the operator does. */
  move(orderId: string, order_state: string): Promise<void>;
  /** The interface itself, as a shop. */
  api(method: string, path: string, body?: unknown, key?: string): Promise<Answer>;
}

/** Starts the sandbox for the tests of one file. */
export function useMirakl(): MiraklWorld {
  const world = marketplaceWorld(useSandbox(createMiraklSandbox), {
    marketplace: mirakl,
    account: (url) => ({ baseUrl: url, apiKey: 'sandbox-shop' }),
    order: ORDER,
    idField: 'order_id',
  });
  return {
    ...world,
    async move(orderId, order_state) {
      await world.send('POST', `/_seed/orders/${orderId}`, { order_state });
    },
    api: (method, path, body, key = 'sandbox-shop') => world.send(method, path, body, { authorization: key }),
  };
}

/** Returns the shipment of a whole order with BRT, unless told otherwise. */
export function confirmationOf(order: ImportedOrder, more: Partial<ShipmentConfirmation> = {}): ShipmentConfirmation {
  return confirmationOfGls(order, {
    trackingNumber: 'BR512345678',
    carrierId: 'brt',
    carrierName: 'BRT',
    trackingUrl: 'https://track.example/brt/BR512345678',
    ...more,
  });
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
