import { createHmac, randomUUID } from 'node:crypto';
import type { PlacedOrder } from './told.ts';

const WOO_SECRET = 'whs_sandbox';
const SHOPIFY_SECRET = 'sandbox-app-secret';
const SHOPIFY_DOMAIN = 'chaos.myshopify.com';

/** Lists a connection with every marketplace; every other one is told as soon as a shipment is transmitted. */
export function connectionsOf(sandboxUrl: string): { key: string; marketplace: string }[] {
  const at = (marketplace: string): string => `${sandboxUrl}/${marketplace}`;
  const accounts: Record<string, object> = {
    woocommerce: {
      url: at('woocommerce'),
      consumerKey: 'ck_sandbox',
      consumerSecret: 'cs_sandbox',
      webhookSecret: WOO_SECRET,
    },
    shopify: {
      shop: SHOPIFY_DOMAIN,
      accessToken: 'shpat_sandbox',
      clientId: 'chaos',
      clientSecret: SHOPIFY_SECRET,
      baseUrl: at('shopify'),
    },
    amazon: {
      clientId: 'chaos',
      clientSecret: 'sandbox',
      refreshToken: 'Atzr|sandbox',
      baseUrl: at('amazon'),
      tokenUrl: at('amazon/auth/o2/token'),
    },
    ebay: {
      clientId: 'chaos',
      clientSecret: 'sandbox',
      refreshToken: 'sandbox',
      baseUrl: at('ebay'),
      tokenUrl: at('ebay/identity/v1/oauth2/token'),
    },
    kaufland: { clientKey: 'sandbox', secretKey: 'sandbox-secret-key', baseUrl: at('kaufland/v2') },
    magento: { url: at('magento'), accessToken: 'sandbox' },
    mirakl: { baseUrl: at('mirakl'), apiKey: 'sandbox', multipleShipments: true },
    prestashop: { url: at('prestashop'), key: 'SANDBOXKEY0000000000000000000ALL' },
  };
  return Object.entries(accounts).map(([marketplace, account], index) => ({
    key: marketplace,
    label: marketplace,
    marketplace,
    import_orders: true,
    account,
    confirm_when_transmitted: index % 2 === 0,
  }));
}

const PLACE = { city: 'Torino', zip: '10124' };

/** An ordinary paid order of each shop, as `docs/sandbox.md` shows them; `street` may hold a word for the journey. */
const ORDERS: Record<string, (street: string) => object> = {
  woocommerce: (address_1) => ({
    total: '12.00',
    billing: {
      first_name: 'Ada',
      last_name: 'Prova',
      address_1,
      city: PLACE.city,
      state: 'TO',
      postcode: PLACE.zip,
      country: 'IT',
      email: 'ada@example.com',
      phone: '3330000002',
    },
    line_items: [{ name: 'Tazza', sku: 'MUG-01', quantity: 1, total: '12.00', total_tax: '0.00' }],
  }),
  shopify: (address1) => ({
    email: 'ada@example.com',
    shippingAddress: {
      name: 'Ada Prova',
      address1,
      city: PLACE.city,
      provinceCode: 'TO',
      zip: PLACE.zip,
      countryCodeV2: 'IT',
      phone: '3330000002',
    },
    lineItems: [{ name: 'Tazza', sku: 'MUG-01', quantity: 2, unitPrice: '12.00', taxRate: 0.22 }],
  }),
  amazon: (addressLine1) => ({
    recipient: {
      deliveryAddress: {
        name: 'Ada Prova',
        addressLine1,
        city: PLACE.city,
        stateOrRegion: 'TO',
        postalCode: PLACE.zip,
        countryCode: 'IT',
        phone: '3330000002',
      },
    },
    proceeds: { grandTotal: { amount: '12.00', currencyCode: 'EUR' } },
    orderItems: [
      {
        quantityOrdered: 1,
        product: { title: 'Tazza', sellerSku: 'MUG-01' },
        proceeds: { proceedsTotal: { amount: '12.00', currencyCode: 'EUR' }, breakdowns: [] },
      },
    ],
  }),
  ebay: (addressLine1) => ({
    pricingSummary: { total: { value: '12.00', currency: 'EUR' } },
    fulfillmentStartInstructions: [
      {
        fulfillmentInstructionsType: 'SHIP_TO',
        shippingStep: {
          shipTo: {
            fullName: 'Ada Prova',
            primaryPhone: { phoneNumber: '3330000002' },
            contactAddress: {
              addressLine1,
              city: PLACE.city,
              stateOrProvince: 'TO',
              postalCode: PLACE.zip,
              countryCode: 'IT',
            },
          },
        },
      },
    ],
    lineItems: [{ title: 'Tazza', sku: 'MUG-01', quantity: 1, lineItemCost: { value: '12.00', currency: 'EUR' } }],
  }),
  kaufland: (street) => ({
    shipping_address: {
      first_name: 'Ada',
      last_name: 'Prova',
      street,
      house_number: '1',
      postcode: PLACE.zip,
      city: PLACE.city,
      country: 'IT',
      phone: '3330000002',
    },
    order_units: [{ id_offer: 'MUG-01', price: 1200, shipping_rate: 490, product: { title: 'Tazza' } }],
  }),
  magento: (street) => ({
    grand_total: 12,
    tax_amount: 2.16,
    payment: { method: 'banktransfer' },
    customer_email: 'ada@example.com',
    extension_attributes: {
      shipping_assignments: [
        {
          shipping: {
            address: {
              firstname: 'Ada',
              lastname: 'Prova',
              street: [street],
              city: PLACE.city,
              region_code: 'TO',
              postcode: PLACE.zip,
              country_id: 'IT',
              telephone: '3330000002',
            },
          },
        },
      ],
    },
    items: [{ name: 'Tazza', sku: 'MUG-01', qty_ordered: 1, row_total: 9.84, tax_amount: 2.16 }],
  }),
  mirakl: (street_1) => ({
    total_price: 12,
    customer: {
      firstname: 'Ada',
      lastname: 'Prova',
      shipping_address: {
        firstname: 'Ada',
        lastname: 'Prova',
        street_1,
        city: PLACE.city,
        state: 'TO',
        zip_code: PLACE.zip,
        country_iso_code: 'ITA',
        phone: '3330000002',
      },
    },
    order_lines: [{ product_title: 'Tazza', offer_sku: 'MUG-01', quantity: 1, price_unit: 12, price: 12 }],
  }),
  prestashop: (address1) => ({
    customer: { firstname: 'Ada', lastname: 'Prova', email: 'ada@example.com' },
    delivery: {
      firstname: 'Ada',
      lastname: 'Prova',
      address1,
      city: PLACE.city,
      postcode: PLACE.zip,
      country: 'IT',
      state: 'TO',
      phone: '3330000002',
    },
    order_details: [
      {
        product_name: 'Tazza',
        product_reference: 'MUG-01',
        product_quantity: '1',
        unit_price_tax_incl: '12.00',
        total_price_tax_incl: '12.00',
        total_price_tax_excl: '9.84',
      },
    ],
    total_paid_tax_incl: '12.00',
    total_paid_tax_excl: '9.84',
  }),
};

/** Places an order as a customer. Returns the id by which the shop's interface names it; null when the shop is away. */
export async function placeOrder(
  sandboxUrl: string,
  { marketplace, street }: { marketplace: string; street: string },
): Promise<string | null> {
  const body = JSON.stringify(ORDERS[marketplace]?.(street));
  const headers = { 'content-type': 'application/json' };
  try {
    const answer = await fetch(`${sandboxUrl}/${marketplace}/_seed/orders`, { method: 'POST', headers, body });
    const made = (await answer.json()) as Record<string, unknown>;
    return String(made.orderId ?? made.order_id ?? made.id_order ?? made.entity_id ?? made.id);
  } catch {
    return null; // it refuses connections at the moment
  }
}

/** Shops repeat what was not answered: every order that they sign a hint for is named once more. */
export async function remindOf(placed: readonly PlacedOrder[], apiUrls: readonly string[]): Promise<void> {
  for (const { marketplace, externalId, connectionId } of placed) {
    const hint = hintOf(marketplace, externalId);
    if (!hint) continue;
    await fetch(`${apiUrls[0]}/webhooks/${connectionId}`, { method: 'POST', ...hint }).catch(() => undefined);
  }
}

/** Returns the signed webhook that the shop would send about the order; null for shops that send none here. */
export function hintOf(
  marketplace: string,
  externalId: string,
): { body: string; headers: Record<string, string> } | null {
  const body = JSON.stringify({ id: Number(externalId) });
  const sign = (secret: string): string => createHmac('sha256', secret).update(body).digest('base64');
  switch (marketplace) {
    case 'woocommerce':
      return {
        body,
        headers: {
          'x-wc-webhook-signature': sign(WOO_SECRET),
          'x-wc-webhook-resource': 'order',
          'x-wc-webhook-delivery-id': randomUUID(),
        },
      };
    case 'shopify':
      return {
        body,
        headers: {
          'x-shopify-hmac-sha256': sign(SHOPIFY_SECRET),
          'x-shopify-webhook-id': randomUUID(),
          'x-shopify-shop-domain': SHOPIFY_DOMAIN,
          'x-shopify-topic': 'orders/create',
        },
      };
    default:
      return null;
  }
}
