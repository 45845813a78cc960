import { z } from 'zod';
import { lenientObject, Text } from '../lenient.ts';

/** `gid://shopify/Order/123`. */
export const Gid = z.string().regex(/^gid:\/\/shopify\/\w+\/\d+$/);

/** Returns the number that the shop shows in its addresses and its webhooks send. */
export function numberOf(gid: string): string {
  return gid.slice(gid.lastIndexOf('/') + 1);
}

/** The platform's interface promises types; what it does not keep to is unreadable, and only what may be null is lenient. */
const Instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** A decimal string in the shop's currency. */
const Money = z
  .object({ shopMoney: z.object({ amount: z.string().regex(/^-?\d+(\.\d+)?$/) }) })
  .transform(({ shopMoney }) => shopMoney.amount);

const TaxLines = z.array(z.object({ priceSet: Money })).transform((lines) => lines.map(({ priceSet }) => priceSet));

const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

/** A page of a list, whose elements are read one by one. */
const Page = z.object({ nodes: z.array(z.unknown()), pageInfo: PageInfo });

const Address = z.object({
  name: Text,
  company: Text,
  address1: Text,
  address2: Text,
  city: Text,
  zip: Text,
  provinceCode: Text,
  countryCodeV2: Text,
  phone: Text,
});
export type Address = z.infer<typeof Address>;

export const Line = z.object({
  id: Gid,
  sku: Text,
  name: Text,
  /** The ordered pieces; `currentQuantity` is without what was refunded or removed since. */
  quantity: z.int(),
  currentQuantity: z.int(),
  requiresShipping: z.boolean(),
  priceAfterAllDiscountsBeforeTaxesSet: Money,
  taxLines: TaxLines,
});
export type Line = z.infer<typeof Line>;

export const Order = z.object({
  id: Gid,
  name: z.string(),
  createdAt: Instant,
  updatedAt: Instant,
  cancelledAt: Instant.nullable(),
  test: z.boolean(),
  email: Text,
  phone: Text,
  note: Text,
  currencyCode: z.string(),
  presentmentCurrencyCode: z.string(),
  taxesIncluded: z.boolean(),
  requiresShipping: z.boolean(),
  displayFinancialStatus: Text,
  displayFulfillmentStatus: z.string(),
  paymentGatewayNames: z.array(z.string()),
  currentTotalPriceSet: Money,
  currentTotalTaxSet: Money,
  currentShippingPriceSet: Money,
  shippingLine: z.object({ taxLines: TaxLines }).nullable(),
  billingAddress: Address.nullable(),
  shippingAddress: Address.nullable(),
  localizedFields: z.object({ nodes: z.array(lenientObject({ key: Text, value: Text })) }),
  lineItems: z.object({ nodes: z.array(z.unknown()) }),
});
export type Order = z.infer<typeof Order>;

/** An order as far as it must be readable to be named, and to fetch the lines that did not come with it. */
export const RawOrder = z.looseObject({ id: Gid, lineItems: Page });
export type RawOrder = z.infer<typeof RawOrder>;

export const OrderList = z.object({ orders: Page });
export const OneOrder = z.object({ order: RawOrder.nullable() });
export const MoreLines = z
  .object({ order: z.object({ lineItems: Page }).nullable() })
  .transform(({ order }) => order?.lineItems ?? null);

export const ChangedFulfillmentOrder = z.object({
  updatedAt: Instant,
  order: z.object({ id: Gid, updatedAt: Instant }),
});
export const FulfillmentOrderList = z.object({ fulfillmentOrders: Page });

export const Scopes = z.object({
  currentAppInstallation: z.object({ accessScopes: z.array(z.object({ handle: z.string() })) }),
});

const TrackingInfo = z.array(z.object({ company: Text, number: Text, url: Text }));

export const Fulfillment = z.object({ id: Gid, status: z.string(), trackingInfo: TrackingInfo });
export type Fulfillment = z.infer<typeof Fulfillment>;

export const FulfillmentOrder = z.object({
  id: Gid,
  status: z.string(),
  supportedActions: z.array(z.object({ action: z.string() })),
  fulfillmentHolds: z.array(z.object({ reason: z.string() })),
  assignedLocation: z.object({ location: z.object({ id: Gid }).nullable() }),
});
export type FulfillmentOrder = z.infer<typeof FulfillmentOrder>;

export const OrderToShip = z.object({
  order: z
    .object({
      name: z.string(),
      cancelledAt: z.string().nullable(),
      displayFulfillmentStatus: z.string(),
      fulfillments: z.array(z.unknown()),
      fulfillmentOrders: z.object({ nodes: z.array(z.unknown()) }),
    })
    .nullable(),
});

export const LineToShip = z.object({
  id: Gid,
  remainingQuantity: z.int(),
  requiresShipping: z.boolean(),
  lineItem: z.object({ id: Gid }),
});
export type LineToShip = z.infer<typeof LineToShip>;
export const LinesToShip = z
  .object({ fulfillmentOrder: z.object({ lineItems: Page }).nullable() })
  .transform(({ fulfillmentOrder }) => fulfillmentOrder?.lineItems ?? null);

/** `quantity` may be null in the interface's description; what it means then is not said, so it counts as nothing. */
export const ShippedLine = z.object({ quantity: z.int().nullable(), lineItem: z.object({ id: Gid }) });
export const ShippedLines = z
  .object({ fulfillment: z.object({ fulfillmentLineItems: Page }).nullable() })
  .transform(({ fulfillment }) => fulfillment?.fulfillmentLineItems ?? null);

const UserErrors = z.array(z.object({ field: z.array(z.string()).nullable(), message: z.string() }));

export const UpdatedTracking = z.object({
  fulfillmentTrackingInfoUpdate: z.object({
    fulfillment: z.object({ id: Gid, trackingInfo: TrackingInfo }).nullable(),
    userErrors: UserErrors,
  }),
});

export const CreatedFulfillment = z.object({
  fulfillmentCreate: z.object({
    fulfillment: z
      .object({
        id: Gid,
        trackingInfo: TrackingInfo,
        order: z.object({ displayFulfillmentStatus: z.string() }),
      })
      .nullable(),
    userErrors: UserErrors,
  }),
});
