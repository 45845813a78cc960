/** An account that each pretend marketplace lets in; see docs/sandbox.md. */
export const ACCOUNTS: Readonly<Record<string, (url: string) => Record<string, unknown>>> = {
  amazon: (url) => ({
    clientId: 'bottega',
    clientSecret: 'sandbox',
    refreshToken: 'Atzr|sandbox',
    baseUrl: url,
    tokenUrl: `${url}/auth/o2/token`,
  }),
  ebay: (url) => ({
    clientId: 'bottega',
    clientSecret: 'sandbox',
    refreshToken: 'sandbox',
    baseUrl: url,
    tokenUrl: `${url}/identity/v1/oauth2/token`,
  }),
  kaufland: (url) => ({ clientKey: 'sandbox', secretKey: 'sandbox-secret-key', baseUrl: `${url}/v2` }),
  magento: (url) => ({ url, accessToken: 'sandbox' }),
  mirakl: (url) => ({ apiKey: 'sandbox', baseUrl: url }),
  prestashop: (url) => ({ url, key: 'SANDBOXKEY0000000000000000000ALL' }),
  shopify: (url) => ({ shop: 'bottega.myshopify.com', accessToken: 'shpat_sandbox', baseUrl: url }),
};
/** The operation that ships, as the sandbox calls it. */
export const WRITES: Readonly<Record<string, string>> = {
  amazon: 'confirmShipment',
  ebay: 'createShippingFulfillment',
  kaufland: 'SendOrderUnit',
  magento: 'order.ship',
  mirakl: 'OR23',
  prestashop: 'order_carriers.patch',
  shopify: 'fulfillmentCreate',
};

/** Where a buyer of Shopify lives, as its sandbox takes it. */
export const SHOPIFY_ADDRESS = {
  name: 'Ada Colombini',
  address1: 'Via San Vitale 77',
  city: 'Bologna',
  zip: '40125',
  province: 'Bologna',
  provinceCode: 'BO',
  countryCodeV2: 'IT',
  phone: '+39 347 5550142',
};
