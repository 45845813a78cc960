import { createEbaySandbox } from '../../../sandbox/src/partners/ebay/index.ts';
import { ebay } from '../../../src/marketplaces/ebay/index.ts';
import { type Answer, type MarketplaceWorld, marketplaceWorld, useSandbox } from '../marketplace-world.ts';

export { confirmationOf } from '../marketplace-world.ts';

export interface EbayWorld extends MarketplaceWorld {
  /** The interface itself, as a seller; `null` where there is no body. */
  api(method: string, path: string, body?: unknown): Promise<Answer>;
}

export const VERIFICATION_TOKEN = 'private-verification-token-0123456789';

/** Starts the sandbox for the tests of one file. */
export function useEbay(): EbayWorld {
  const world = marketplaceWorld(useSandbox(createEbaySandbox), {
    marketplace: ebay,
    account: accountAt,
    order: ORDER,
    idField: 'orderId',
  });
  return {
    ...world,
    async api(method, path, body) {
      const login = 'grant_type=refresh_token&refresh_token=sandbox-seller';
      const { json } = await world.send('POST', '/identity/v1/oauth2/token', login, {
        authorization: `Basic ${btoa('app:sandbox-secret')}`,
        'content-type': 'application/x-www-form-urlencoded',
      });
      const { access_token } = json as { access_token: string };
      return world.send(method, path, body, { authorization: `Bearer ${access_token}` });
    },
  };
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
