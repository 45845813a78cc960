import { z } from 'zod';
import { Amount, List, lenientObject, Prose, Text } from '../lenient.ts';

/** Empty where there is no list. */
function listOf<Item extends z.ZodType>(item: Item) {
  return z.preprocess((value) => (Array.isArray(value) ? value : []), z.array(item));
}

const Id = z.string().trim().min(1);
const Instant = z.string().pipe(z.coerce.date());
const Money = lenientObject({ value: Amount, currency: Text });

const Contact = lenientObject({
  fullName: Text,
  companyName: Text,
  email: Text,
  primaryPhone: lenientObject({ phoneNumber: Text }),
  contactAddress: lenientObject({
    addressLine1: Text,
    addressLine2: Text,
    city: Text,
    stateOrProvince: Text,
    postalCode: Text,
    countryCode: Text,
  }),
});
export type Contact = z.infer<typeof Contact>;

const StartInstruction = lenientObject({
  fulfillmentInstructionsType: Text,
  shippingStep: lenientObject({ shipTo: Contact, shipToReferenceId: Text }),
});
export type StartInstruction = z.infer<typeof StartInstruction>;

export const Line = z.object({
  lineItemId: Id,
  quantity: z.coerce.number(),
  sku: Text,
  title: Prose,
  lineItemCost: Money,
  /** Only where a promotion made the line cheaper. */
  discountedLineItemCost: Money,
  taxes: listOf(lenientObject({ amount: Money })),
  lineItemFulfillmentStatus: Text,
});
export type Line = z.infer<typeof Line>;

export const Order = z.object({
  orderId: Id,
  creationDate: Instant,
  lastModifiedDate: Instant,
  orderFulfillmentStatus: Text,
  orderPaymentStatus: Text,
  buyerCheckoutNotes: Prose,
  buyer: lenientObject({
    username: Text,
    buyerRegistrationAddress: Contact,
    /** Only when an order is read on its own, and only for Italy, Spain and Guatemala. */
    taxIdentifier: lenientObject({ taxpayerId: Text, taxIdentifierType: Text }),
  }),
  cancelStatus: lenientObject({
    cancelState: Text,
    /** Always empty in lists. */
    cancelRequests: listOf(lenientObject({ cancelRequestState: Text, cancelReason: Text })),
  }),
  pricingSummary: lenientObject({ total: Money, tax: Money, deliveryCost: Money, deliveryDiscount: Money }),
  paymentSummary: lenientObject({ payments: listOf(lenientObject({ paymentMethod: Text })) }),
  fulfillmentStartInstructions: listOf(StartInstruction),
  program: lenientObject({ fulfillmentProgram: lenientObject({ fulfilledBy: Text }) }),
  lineItems: List,
});
export type Order = z.infer<typeof Order>;

const Warnings = listOf(lenientObject({ errorId: Text, message: Text }));

export const OrderPageAnswer = z.object({
  orders: z.array(z.unknown()),
  total: z.int().min(0),
  /** An address; empty on the last page. */
  next: Text,
  warnings: Warnings,
});

export const Fulfillment = z.object({
  fulfillmentId: Id,
  shipmentTrackingNumber: Text,
  shippingCarrierCode: Text,
  lineItems: listOf(z.object({ lineItemId: Id, quantity: z.number().optional() })),
});
export type Fulfillment = z.infer<typeof Fulfillment>;

export const FulfillmentsAnswer = z.object({ fulfillments: z.array(z.unknown()), warnings: Warnings });

/** `key` is PEM without its line breaks. */
export const PublicKey = z.object({ key: z.string().min(1) });
