/**
 * The part of the Admin API 2026-10 that the simulated shop has, in the words of its own description. Each field has a line with
 * its arguments and its type. `enum` and `input` mean the same as there.
 */
export const SCHEMA = `
type QueryRoot
  currentAppInstallation: AppInstallation!
  shop: Shop!
  orders(after: String, first: Int, query: String, reverse: Boolean, sortKey: OrderSortKeys): OrderConnection!
  order(id: ID!): Order
  fulfillment(id: ID!): Fulfillment
  fulfillmentOrder(id: ID!): FulfillmentOrder
  fulfillmentOrders(after: String, first: Int, includeClosed: Boolean, query: String, reverse: Boolean, sortKey: FulfillmentOrderSortKeys): FulfillmentOrderConnection!
type Mutation
  fulfillmentCreate(fulfillment: FulfillmentInput!, message: String): FulfillmentCreatePayload
  fulfillmentTrackingInfoUpdate(fulfillmentId: ID!, notifyCustomer: Boolean, trackingInfoInput: FulfillmentTrackingInput!): FulfillmentTrackingInfoUpdatePayload
type Shop
  id: ID!
  name: String!
  myshopifyDomain: String!
type AppInstallation
  id: ID!
  accessScopes: [AccessScope!]!
type AccessScope
  handle: String!
type PageInfo
  hasNextPage: Boolean!
  endCursor: String
type OrderConnection
  nodes: [Order!]!
  pageInfo: PageInfo!
type Order
  id: ID!
  legacyResourceId: UnsignedInt64!
  name: String!
  createdAt: DateTime!
  processedAt: DateTime!
  updatedAt: DateTime!
  cancelledAt: DateTime
  closedAt: DateTime
  test: Boolean!
  email: String
  phone: String
  note: String
  currencyCode: CurrencyCode!
  presentmentCurrencyCode: CurrencyCode!
  taxesIncluded: Boolean!
  requiresShipping: Boolean!
  displayFinancialStatus: OrderDisplayFinancialStatus
  displayFulfillmentStatus: OrderDisplayFulfillmentStatus!
  paymentGatewayNames: [String!]!
  currentTotalPriceSet: MoneyBag!
  currentTotalTaxSet: MoneyBag!
  currentShippingPriceSet: MoneyBag!
  shippingLine: ShippingLine
  billingAddress: MailingAddress
  shippingAddress: MailingAddress
  localizedFields(first: Int, countryCodes: [CountryCode!], purposes: [LocalizedFieldPurpose!]): LocalizedFieldConnection!
  lineItems(after: String, first: Int): LineItemConnection!
  fulfillments(first: Int): [Fulfillment!]!
  fulfillmentOrders(after: String, first: Int): FulfillmentOrderConnection!
type MoneyBag
  shopMoney: MoneyV2!
  presentmentMoney: MoneyV2!
type MoneyV2
  amount: Decimal!
  currencyCode: CurrencyCode!
type TaxLine
  title: String!
  rate: Float
  priceSet: MoneyBag!
type ShippingLine
  title: String!
  code: String
  taxLines: [TaxLine!]!
type MailingAddress
  name: String
  firstName: String
  lastName: String
  company: String
  address1: String
  address2: String
  city: String
  zip: String
  province: String
  provinceCode: String
  countryCodeV2: CountryCode
  phone: String
type LocalizedFieldConnection
  nodes: [LocalizedField!]!
  pageInfo: PageInfo!
type LocalizedField
  key: LocalizedFieldKey!
  countryCode: CountryCode!
  purpose: LocalizedFieldPurpose!
  title: String!
  value: String!
type LineItemConnection
  nodes: [LineItem!]!
  pageInfo: PageInfo!
type LineItem
  id: ID!
  sku: String
  name: String!
  title: String!
  quantity: Int!
  currentQuantity: Int!
  unfulfilledQuantity: Int!
  requiresShipping: Boolean!
  priceAfterAllDiscountsBeforeTaxesSet: MoneyBag!
  taxLines(first: Int): [TaxLine!]!
type FulfillmentOrderConnection
  nodes: [FulfillmentOrder!]!
  pageInfo: PageInfo!
type FulfillmentOrder
  id: ID!
  status: FulfillmentOrderStatus!
  requestStatus: FulfillmentOrderRequestStatus!
  createdAt: DateTime!
  updatedAt: DateTime!
  orderId: ID!
  order: Order!
  assignedLocation: FulfillmentOrderAssignedLocation!
  supportedActions: [FulfillmentOrderSupportedAction!]!
  fulfillmentHolds: [FulfillmentHold!]!
  lineItems(after: String, first: Int): FulfillmentOrderLineItemConnection!
type FulfillmentOrderAssignedLocation
  name: String!
  countryCode: CountryCode!
  location: Location
type Location
  id: ID!
  name: String!
type FulfillmentOrderSupportedAction
  action: FulfillmentOrderAction!
type FulfillmentHold
  reason: FulfillmentHoldReason!
type FulfillmentOrderLineItemConnection
  nodes: [FulfillmentOrderLineItem!]!
  pageInfo: PageInfo!
type FulfillmentOrderLineItem
  id: ID!
  sku: String
  totalQuantity: Int!
  remainingQuantity: Int!
  requiresShipping: Boolean!
  lineItem: LineItem!
type Fulfillment
  id: ID!
  status: FulfillmentStatus!
  displayStatus: FulfillmentDisplayStatus
  createdAt: DateTime!
  trackingInfo(first: Int): [FulfillmentTrackingInfo!]!
  fulfillmentLineItems(after: String, first: Int): FulfillmentLineItemConnection!
  order: Order!
type FulfillmentTrackingInfo
  company: String
  number: String
  url: URL
type FulfillmentLineItemConnection
  nodes: [FulfillmentLineItem!]!
  pageInfo: PageInfo!
type FulfillmentLineItem
  id: ID!
  quantity: Int
  lineItem: LineItem!
type FulfillmentCreatePayload
  fulfillment: Fulfillment
  userErrors: [UserError!]!
type FulfillmentTrackingInfoUpdatePayload
  fulfillment: Fulfillment
  userErrors: [UserError!]!
type UserError
  field: [String!]
  message: String!
input FulfillmentInput
  lineItemsByFulfillmentOrder: [FulfillmentOrderLineItemsInput!]!
  notifyCustomer: Boolean
  trackingInfo: FulfillmentTrackingInput
input FulfillmentTrackingInput
  company: String
  number: String
  numbers: [String!]
  url: URL
  urls: [URL!]
input FulfillmentOrderLineItemsInput
  fulfillmentOrderId: ID!
  fulfillmentOrderLineItems: [FulfillmentOrderLineItemInput!]
input FulfillmentOrderLineItemInput
  id: ID!
  quantity: Int!
enum OrderSortKeys
  UPDATED_AT
  CREATED_AT
  PROCESSED_AT
  ID
enum FulfillmentOrderSortKeys
  UPDATED_AT
  ID
enum LocalizedFieldPurpose
  SHIPPING
  TAX
`;

export interface FieldType {
  /** The type as written, such as `[Order!]!`. */
  type: string;
  arguments: Readonly<Record<string, string>>;
}

export interface NamedType {
  kind: 'type' | 'input' | 'enum';
  fields: ReadonlyMap<string, FieldType>;
}

export const TYPES: ReadonlyMap<string, NamedType> = readTypes();

function readTypes(): ReadonlyMap<string, NamedType> {
  const types = new Map<string, NamedType>();
  let fields = new Map<string, FieldType>();
  for (const line of SCHEMA.trim().split('\n')) {
    const [, kind, name] = /^(type|input|enum) (\w+)$/.exec(line) ?? [];
    if (kind && name) {
      fields = new Map();
      types.set(name, { kind: kind as NamedType['kind'], fields });
      continue;
    }
    const [, field = '', given = '', type = ''] = /^ {2}(\w+)(?:\((.*)\))?(?:: (.+))?$/.exec(line) ?? [];
    const entries = given.split(', ').filter(Boolean);
    fields.set(field, { type, arguments: Object.fromEntries(entries.map((each) => each.split(': '))) });
  }
  return types;
}

/** Returns `Order` for `[Order!]!`. */
export function namedOf(type: string): string {
  return type.replace(/[[\]!]/g, '');
}
