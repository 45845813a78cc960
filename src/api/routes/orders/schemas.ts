import { z } from 'zod';
import { DateTime, Decimal, Id, NullableDateTime, NullableText, Text } from '../../http/schemas.ts';
import { ShipmentSummary } from '../shipments/schemas.ts';

export const Customer = z
  .object({
    id: Id,
    fullName: Text,
    email: Text,
    phone: Text,
    billingCompany: Text,
    billingAddress: Text,
    billingCity: Text,
    billingState: Text,
    billingZip: Text,
    billingCountry: Text,
    billingVat: Text,
    billingCodiceFiscale: Text,
    createdAt: DateTime,
    updatedAt: DateTime,
  })
  .meta({ id: 'Customer' });

export const CustomerAddress = z
  .object({
    id: Id,
    fullName: Text,
    company: Text,
    phone: Text,
    address: Text,
    address2: Text,
    city: Text,
    state: Text,
    zip: Text,
    country: Text,
    countryCode: Text,
    createdAt: DateTime,
    updatedAt: DateTime,
  })
  .meta({ id: 'CustomerAddress' });

export const OrderItem = z
  .object({
    id: Id,
    title: Text,
    sku: Text,
    companyProductId: Text,
    quantity: z.number().int(),
    unitPriceGross: z.number(),
    unitPriceNet: z.number(),
    totalAmountNet: z.number(),
    totalAmountGross: z.number(),
  })
  .meta({ id: 'OrderItem' });

export const OrderFields = z
  .object({
    id: Id,
    companyId: Text,
    orderNumber: Text,
    status: Text,
    currency: Text,
    totalNetAmount: Decimal,
    totalVatAmount: Decimal,
    totalGrossAmount: Decimal,
    saleShippingCost: Decimal,
    insuranceAmount: Decimal,
    shippingCostGrossAmount: z.number(),
    insurance: z.boolean(),
    buyerOrderNote: Text,
    parcelNumber: z.number().int(),
    companyCustomersId: Id,
    companyCustomerAddressId: Id,
    dateMarketplaceCreation: NullableDateTime,
    dateImport: DateTime,
  })
  .meta({ id: 'Order' });

/** An element of a list, which shows where the order goes. */
export const ListedOrderFields = OrderFields.extend({
  recipient: z
    .object({ name: Text, company: Text, city: Text, zip: Text, province: Text, countryCode: Text })
    .describe('Where the order goes'),
}).meta({ id: 'ListedOrder' });

export const OrderCreated = z
  .object({
    order: OrderFields,
    orderItems: z.array(OrderItem),
    customer: Customer,
    customerAddress: CustomerAddress,
    totals: z.object({ netAmount: z.number(), vatAmount: z.number(), grossAmount: z.number() }),
  })
  .meta({ id: 'OrderCreated' });

const Doubt = z
  .object({
    pointer: Text.describe('The field as in order creation, such as /shipping/zip'),
    message: Text,
    suggestion: NullableText,
  })
  .meta({ id: 'Doubt' });

const PartLine = z.object({ itemId: Id.describe('The `id` of an element of orderItems'), quantity: z.number().int() });

const OrderPart = z
  .object({
    id: Id,
    position: z.number().int(),
    lines: z.array(PartLine).describe('Empty when the order was split by parcels'),
    parcelCount: z.number().int(),
    codAmount: Decimal.nullable().describe('Collected on delivery of this part; null: nothing'),
    shipmentId: Id.nullable().describe('Its live shipment; null: it has none'),
  })
  .meta({ id: 'OrderPart' });

/** The contract leaves the fields open. */
export const OrderDetail = OrderCreated.extend({
  revision: z.number().int().describe('Rises with each change of what is shipped'),
  cancelReason: NullableText.describe('Why it was cancelled here; null: it was not, or its shop did'),
  shipments: z.array(ShipmentSummary).describe('Newest first'),
  parts: z.array(OrderPart).describe('The parts of a split order, each with a shipment of its own; else empty'),
  joinedInto: Id.nullable().describe('The order whose shipment carries this one too; null: its own does'),
  joinedOrderIds: z.array(Id).describe('The other orders that its shipment carries; mostly empty'),
  payment: z.object({
    method: Text,
    codAmount: Decimal.nullable().describe('Collected on delivery; null: nothing'),
  }),
  marketplace: z
    .object({ connectionId: Id, platform: Text, orderId: NullableText, orderNumber: NullableText })
    .nullable()
    .describe('The origin of the order; null: created through this API'),
  sentToMarketplace: z.boolean(),
  dateSendToMarketplace: NullableDateTime,
  sentToCarrier: z.boolean(),
  dateSendToCarrier: NullableDateTime,
  error: NullableText.describe('The last failure; null after a success'),
  problems: z.array(Text).describe('Why an imported order cannot be shipped yet'),
  addressDoubts: z.array(Doubt).describe('Doubtful fields of the shipping address'),
  productDoubts: z.array(Doubt).describe('Items whose product_id the catalogue lacks'),
}).meta({ id: 'OrderDetail' });

export const OrderCorrected = OrderDetail.extend({
  correction: z.object({
    changed: z.array(Text).describe('The changed fields of order creation, such as /shipping/zip'),
    applied: z
      .enum(['nothing', 'corrected', 'rebooked', 'pending'])
      .describe('corrected: the order has no label; rebooked: it has a new one; pending: the carrier has not answered'),
    message: NullableText.describe('Why there is no new label; else null'),
  }),
}).meta({ id: 'OrderCorrected' });
