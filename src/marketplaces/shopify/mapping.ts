import { z } from 'zod';
import { Big } from '../../lib/decimal.ts';
import { readEach } from '../../lib/read-each.ts';
import type { ImportedLine, ImportedOrder } from '../adapter.ts';
import { gross, money, unitPrice } from '../amounts.ts';
import { importAddress, importShipping } from './addresses.ts';
import { Line, numberOf, Order } from './schema.ts';

type State = ImportedOrder['state'];

/** `displayFulfillmentStatus`, API 2026-10. */
const FULFILLMENT_STATES: Readonly<Record<string, State>> = {
  UNFULFILLED: 'open',
  PARTIALLY_FULFILLED: 'open',
  IN_PROGRESS: 'open',
  REQUEST_DECLINED: 'open',
  // The three older words for unfulfilled and in progress.
  OPEN: 'open',
  RESTOCKED: 'open',
  PENDING_FULFILLMENT: 'open',
  ON_HOLD: 'held',
  SCHEDULED: 'held',
  FULFILLED: 'shipped',
  FULFILLMENT_NOT_REQUIRED: 'shipped',
};

/** `displayFinancialStatus`: with these the money is there, or certain to come. */
const PAID_ENOUGH = new Set(['PAID', 'PARTIALLY_REFUNDED', 'AUTHORIZED']);

/** Shopify's own payment method of that kind (description of `Order.paymentGatewayNames`, API 2026-10). */
const CASH_ON_DELIVERY = ['Cash on Delivery (COD)'];
/** The localised field in which an Italian buyer gives the tax code (`LocalizedFieldKey`, API 2026-10). */
const ITALIAN_TAX_CODE = 'TAX_CREDENTIAL_IT';
export interface OrderInput {
  /** With all its lines. */
  raw: unknown;
  /** When something of its fulfilment changed last, where the order's own time does not show it. */
  fulfillmentChangedAt?: Date | undefined;
  /** Names of payment methods whose money the courier collects. */
  cashOnDeliveryNames?: readonly string[] | undefined;
}

/** Throws, naming the fields and not their values, when the order is not what the interface promises. */
export function importOrder({ raw, fulfillmentChangedAt, cashOnDeliveryNames }: OrderInput): ImportedOrder {
  const parsed = Order.safeParse(raw);
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
  const order = parsed.data;
  const problems: string[] = [];
  const cashOnDelivery = isCashOnDelivery(order, cashOnDeliveryNames ?? CASH_ON_DELIVERY);
  if (order.test) problems.push('This is a test order of the shop: it was not paid');
  if (!order.requiresShipping) problems.push('The order holds nothing that is shipped, such as digital goods only');
  if (cashOnDelivery && order.currencyCode !== order.presentmentCurrencyCode) {
    problems.push(`The customer pays in ${order.presentmentCurrencyCode}: check the amount that the courier collects`);
  }
  const state = stateOf(order, { cashOnDelivery, problems });
  const billing = importAddress(order.billingAddress);
  const shipping = importShipping(order, problems);
  const taxCode = order.localizedFields.nodes.find(({ key }) => key === ITALIAN_TAX_CODE)?.value ?? '';
  return {
    externalId: numberOf(order.id),
    externalNumber: order.name,
    state,
    currency: order.currencyCode,
    createdAt: order.createdAt,
    modifiedAt: later(order.updatedAt, fulfillmentChangedAt),
    customer: {
      fullName: billing.fullName || shipping.fullName,
      email: order.email,
      phone: order.phone || billing.phone,
    },
    billing: { ...billing, vatNumber: '', taxCode },
    shipping,
    lines: importLines(order.lineItems.nodes, problems),
    shippingGross: shippingGross(order),
    totalGross: money(order.currentTotalPriceSet),
    totalNet: money(new Big(order.currentTotalPriceSet).minus(order.currentTotalTaxSet)),
    paymentMethod: order.paymentGatewayNames.join(', '),
    cashOnDelivery,
    note: order.note,
    ...(order.requiresShipping ? {} : { needsShipping: false }),
    problems,
  };
}

function stateOf(order: Order, known: { cashOnDelivery: boolean; problems: string[] }): State {
  if (order.cancelledAt !== null) return 'cancelled';
  const state = FULFILLMENT_STATES[order.displayFulfillmentStatus];
  if (!state) {
    known.problems.push(`The status "${order.displayFulfillmentStatus}" of the shop is not known: the order waits`);
    return 'held';
  }
  if (state !== 'open' || known.cashOnDelivery || PAID_ENOUGH.has(order.displayFinancialStatus)) return state;
  known.problems.push(`The payment is "${order.displayFinancialStatus || 'not stated'}" in the shop`);
  return 'held';
}

/** Once the shop has booked money for it, even a part, the courier must not collect the whole. */
function isCashOnDelivery(order: Order, names: readonly string[]): boolean {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const isChosen = order.paymentGatewayNames.some((name) => wanted.has(name.toLowerCase()));
  return isChosen && order.displayFinancialStatus === 'PENDING';
}

/** Without what was refunded or removed since the order was placed. */
function importLines(raws: readonly unknown[], problems: string[]): ImportedLine[] {
  const all = readEach(Line, raws, ({ count }) => problems.push(`${count} of the order's lines could not be read`));
  const lines = all.filter(({ quantity, currentQuantity }) => currentQuantity > 0 || quantity === 0);
  if (lines.length === 0) problems.push('The order has no lines');
  return lines.map((line) => importLine(line, problems));
}

function importLine(line: Line, problems: string[]): ImportedLine {
  const pieces = line.currentQuantity;
  if (pieces === 0) problems.push(`The quantity of "${line.name || line.sku}" is 0: there is nothing to ship of it`);
  const net = line.priceAfterAllDiscountsBeforeTaxesSet;
  const totalGross = gross(net, taxOf(line));
  return {
    externalLineId: numberOf(line.id),
    sku: line.sku,
    title: line.name,
    quantity: pieces,
    unitPriceGross: unitPrice(totalGross, pieces),
    totalGross,
    totalNet: money(net),
  };
}

/** The shop counts taxes with what was refunded or removed since, the price without: what is left bears its share of them. */
function taxOf({ taxLines, quantity, currentQuantity }: Line): string {
  const tax = sum(taxLines);
  if (quantity === currentQuantity || quantity === 0) return tax.toFixed();
  return tax.times(currentQuantity).div(quantity).round(2).toFixed();
}

function shippingGross({ taxesIncluded, currentShippingPriceSet, shippingLine }: Order): string {
  const tax = taxesIncluded ? new Big(0) : sum(shippingLine?.taxLines ?? []);
  return gross(currentShippingPriceSet, tax.toFixed());
}

function sum(amounts: readonly string[]): Big {
  return amounts.reduce((total, amount) => total.plus(amount), new Big(0));
}

function later(a: Date, b: Date | undefined): Date {
  return b !== undefined && b > a ? b : a;
}
