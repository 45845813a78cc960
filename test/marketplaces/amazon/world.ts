import { createAmazonSandbox } from '../../../sandbox/src/partners/amazon/index.ts';
import { amazon } from '../../../src/marketplaces/amazon/index.ts';
import { type Answer, type MarketplaceWorld, marketplaceWorld, useSandbox } from '../marketplace-world.ts';

export { confirmationOf } from '../marketplace-world.ts';

export interface AmazonWorld extends MarketplaceWorld {
  /** The interface itself; `null` where there is no body. */
  api(method: string, path: string, body?: unknown): Promise<Answer>;
}

let sellers = 0;

/** Starts the sandbox for the tests of one file. Each caller is a seller of its own, whose usage plans are full. */
export function useAmazon(): AmazonWorld {
  const world = marketplaceWorld(useSandbox(createAmazonSandbox), {
    marketplace: amazon,
    account: sellerAt,
    order: ORDER,
    idField: 'orderId',
  });
  return {
    ...world,
    async api(method, path, body) {
      const { refreshToken, clientId, clientSecret } = sellerAt(world.url());
      const { json } = await world.send('POST', '/auth/o2/token', {
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        client_secret: clientSecret,
      });
      return world.send(method, path, body, { 'x-amz-access-token': (json as { access_token: string }).access_token });
    },
  };
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
