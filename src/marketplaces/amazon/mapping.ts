import { Big } from '../../lib/decimal.ts';
import type { ImportedAddress, ImportedLine, ImportedOrder } from '../adapter.ts';
import { addressProblems } from '../address-problems.ts';
import { money, unitPrice } from '../amounts.ts';
import { readLines } from '../read-lines.ts';
import { amountsOf } from './line-amounts.ts';
import { Address, Line, type Order } from './schema.ts';

const STATES: Readonly<Record<string, ImportedOrder['state']>> = {
  PENDING_AVAILABILITY: 'held',
  PENDING: 'held',
  UNSHIPPED: 'open',
  PARTIALLY_SHIPPED: 'open',
  SHIPPED: 'shipped',
  CANCELLED: 'cancelled',
};

const COMPANY_NUMBERS = new Set(['VAT', 'BUSINESS']);

export function importOrder(order: Order): ImportedOrder {
  const problems: string[] = [];
  const lines = readLines(Line, order.orderItems, problems);
  const state = stateOf(order, problems);
  if (state === 'open') problems.push(...lines.flatMap(shippedBefore));
  const amounts = lines.map(amountsOf);
  const { grandTotal } = order.proceeds;
  const { deliveryAddress } = order.recipient;
  const currency = grandTotal.currencyCode || (lines[0]?.proceeds.proceedsTotal.currencyCode ?? '');
  if (!currency) problems.push('The order has no currency');
  if (!grandTotal.amount) problems.push('The order has no total');
  const total = (of: 'tax' | 'shippingGross'): Big =>
    amounts.reduce((sum, each) => sum.plus(each?.[of] ?? 0), new Big(0));
  const methods = order.payment.paymentExecutions.map(({ paymentMethod }) => paymentMethod).filter(Boolean);
  return {
    externalId: order.orderId,
    externalNumber: order.orderId,
    state,
    currency,
    createdAt: order.createdTime,
    modifiedAt: order.lastUpdatedTime,
    customer: {
      fullName: order.buyer.buyerName || deliveryAddress.name,
      email: order.buyer.buyerEmail,
      phone: deliveryAddress.phone,
    },
    billing: importBilling(order),
    shipping: importShipping(order, problems),
    lines: lines.map((line) => importLine(line, problems)),
    shippingGross: money(total('shippingGross')),
    totalGross: grandTotal.amount && money(grandTotal.amount),
    totalNet: grandTotal.amount && money(new Big(grandTotal.amount).minus(total('tax'))),
    paymentMethod: methods.join(', '),
    cashOnDelivery:
      methods.includes('CashOnDelivery') ||
      lines.some(({ fulfillment }) => fulfillment.shipping.shippingConstraints.cashOnDelivery !== ''),
    note: noteOf(order, lines),
    problems,
  };
}

/** Only what the seller ships is asked for; what Amazon ships itself can still be read by its id. */
function stateOf({ fulfillment, programs }: Order, problems: string[]): ImportedOrder['state'] {
  const { fulfilledBy, fulfillmentStatus } = fulfillment;
  if (fulfilledBy === 'AMAZON') {
    problems.push('Amazon ships this order itself');
    return 'shipped';
  }
  if (programs.includes('IN_STORE_PICK_UP')) problems.push('The customer collects this order in a store');
  const state = STATES[fulfillmentStatus];
  if (!state) problems.push(`Amazon's order status "${fulfillmentStatus}" is not known: the order waits`);
  return state ?? 'held';
}

function shippedBefore({ product, quantityOrdered, fulfillment }: Line): string[] {
  const shipped = fulfillment.quantityFulfilled;
  if (!shipped || Number(shipped) === 0) return [];
  return [`${shipped} of ${quantityOrdered} pieces of "${product.title}" were already shipped`];
}

function importLine(line: Line, problems: string[]): ImportedLine {
  const { orderItemId, quantityOrdered: quantity, product, cancellation } = line;
  const title = product.title || product.sellerSku || `line ${orderItemId}`;
  const { requester, cancelReason } = cancellation.cancellationRequest;
  if (requester || cancelReason) {
    problems.push(
      `The buyer asked to cancel "${title}"${cancelReason && ` (${cancelReason})`}: decide that at Amazon first`,
    );
  }
  if (!Number.isInteger(quantity) || quantity < 1) {
    problems.push(`The quantity of "${title}" is ${quantity}: there is nothing to ship of it`);
  }
  const amounts = amountsOf(line);
  if (!amounts) problems.push(`"${title}" has no price`);
  return {
    externalLineId: orderItemId,
    sku: product.sellerSku,
    title: product.title,
    quantity,
    unitPriceGross: amounts ? unitPrice(amounts.gross, quantity) : '',
    totalGross: amounts ? money(amounts.gross) : '',
    totalNet: amounts ? money(amounts.net) : '',
  };
}

function importShipping(order: Order, problems: string[]): ImportedAddress {
  const address = importAddress(order.recipient.deliveryAddress);
  if (!Object.values(address).some(Boolean)) {
    problems.push('Amazon gave no delivery address: the application may lack the role for it');
    return address;
  }
  problems.push(...addressProblems(address));
  return address;
}

/** Amazon has an address for invoices only where a company registered one. */
function importBilling({ buyer, tax }: Order): ImportedOrder['billing'] {
  const company = tax.taxRegistrations.find(
    ({ entityType, taxRegistrationType }) => entityType === 'BUYER' && COMPANY_NUMBERS.has(taxRegistrationType),
  );
  const address = importAddress(company?.taxRegistrationAddress ?? Address.parse({}));
  return {
    ...address,
    fullName: address.fullName || buyer.buyerName,
    company: buyer.buyerCompanyName || company?.legalName || address.company,
    vatNumber: company?.taxRegistrationNumber ?? '',
    taxCode: '',
  };
}

function importAddress(address: Address): ImportedAddress {
  const { addressLine1, addressLine2, addressLine3 } = address;
  const [street = '', ...more] = [addressLine1, addressLine2, addressLine3].filter(Boolean);
  return {
    fullName: address.name,
    company: address.companyName,
    phone: address.phone,
    address: street,
    address2: more.join(', '),
    city: address.city || address.municipality,
    province: address.stateOrRegion,
    zip: address.postalCode,
    countryCode: address.countryCode.toUpperCase(),
  };
}

function noteOf({ recipient }: Order, lines: Line[]): string {
  const { dropOffLocation, addressInstruction } = recipient.deliveryPreference;
  const gifts = lines.map(({ fulfillment }) => fulfillment.packing.giftOption.giftMessage);
  return [dropOffLocation, addressInstruction, ...gifts].filter(Boolean).join('\n');
}
