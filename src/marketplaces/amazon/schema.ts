import { z } from 'zod';
import { Amount, List, lenientObject, Prose, Text } from '../lenient.ts';

/** Empty where there is no list. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess((value) => (Array.isArray(value) ? value : []), z.array(item));
}

const Id = z.string().trim().min(1);
const Instant = z.string().pipe(z.coerce.date());
const Money = lenientObject({ amount: Amount, currencyCode: Text });

export const Address = lenientObject({
  name: Text,
  companyName: Text,
  addressLine1: Text,
  addressLine2: Text,
  addressLine3: Text,
  city: Text,
  stateOrRegion: Text,
  municipality: Text,
  postalCode: Text,
  countryCode: Text,
  phone: Text,
});
export type Address = z.infer<typeof Address>;

const Breakdown = lenientObject({
  type: Text,
  subtotal: Money,
  detailedBreakdowns: listOf(lenientObject({ subtype: Text, value: Money })),
});

export const Line = z.object({
  orderItemId: Id,
  quantityOrdered: z.coerce.number(),
  product: lenientObject({ title: Prose, sellerSku: Text }),
  proceeds: lenientObject({ proceedsTotal: Money, breakdowns: listOf(Breakdown) }),
  cancellation: lenientObject({ cancellationRequest: lenientObject({ requester: Text, cancelReason: Text }) }),
  fulfillment: lenientObject({
    quantityFulfilled: Amount,
    packing: lenientObject({ giftOption: lenientObject({ giftMessage: Prose }) }),
    shipping: lenientObject({ shippingConstraints: lenientObject({ cashOnDelivery: Text }) }),
  }),
});
export type Line = z.infer<typeof Line>;

const Package = lenientObject({
  packageReferenceId: Text,
  packageStatus: lenientObject({ status: Text }),
  carrier: Text,
  trackingNumber: Text,
  packageItems: listOf(lenientObject({ orderItemId: Text, quantity: z.coerce.number().catch(Number.NaN) })),
});
export type Package = z.infer<typeof Package>;

const TaxRegistration = lenientObject({
  entityType: Text,
  legalName: Text,
  taxRegistrationType: Text,
  taxRegistrationNumber: Text,
  taxRegistrationAddress: Address,
});

export const Order = z.object({
  orderId: Id,
  createdTime: Instant,
  lastUpdatedTime: Instant,
  programs: listOf(Text),
  salesChannel: lenientObject({ marketplaceId: Text }),
  buyer: lenientObject({ buyerName: Text, buyerEmail: Text, buyerCompanyName: Text }),
  recipient: lenientObject({
    deliveryAddress: Address,
    deliveryPreference: lenientObject({ dropOffLocation: Text, addressInstruction: Text }),
  }),
  proceeds: lenientObject({ grandTotal: Money }),
  payment: lenientObject({ paymentExecutions: listOf(lenientObject({ paymentMethod: Text })) }),
  tax: lenientObject({ taxRegistrations: listOf(TaxRegistration) }),
  fulfillment: lenientObject({ fulfillmentStatus: Text, fulfilledBy: Text }),
  orderItems: List,
  packages: listOf(Package),
});
export type Order = z.infer<typeof Order>;

export const SearchAnswer = z.object({
  orders: z.array(z.unknown()),
  /** Absent on the last page. */
  pagination: lenientObject({ nextToken: Text }),
});

export const OrderAnswer = z.object({ order: Order });
