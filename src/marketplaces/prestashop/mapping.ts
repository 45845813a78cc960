import { Big } from '../../lib/decimal.ts';
import type { ImportedAddress, ImportedLine, ImportedOrder } from '../adapter.ts';
import { addressProblems } from '../address-problems.ts';
import { money } from '../amounts.ts';
import type { Account } from './account.ts';
import { type FollowUps, hasNoCarrier } from './follow-ups.ts';
import { meaningOf } from './order-states.ts';
import type { Address, Order, OrderDetail } from './schema.ts';
import { shopInstant } from './shop-time.ts';

export interface Reading {
  account: Account;
  followUps: FollowUps;
  /** Stands in for a date that the shop did not give. */
  unknownDate: Date;
}

export function importOrder(order: Order, { account, followUps, unknownDate }: Reading): ImportedOrder {
  const problems: string[] = [];
  const state = followUps.states.get(order.current_state);
  if (!state) problems.push(`The shop has no order state "${order.current_state}": the order waits`);
  const currency = followUps.currencies.get(order.id_currency)?.iso_code.toUpperCase() ?? '';
  if (!currency) problems.push('The order has no currency');
  if (!order.total_paid_tax_incl) problems.push('The order has no total');
  const details = followUps.details.get(order.id) ?? [];
  const isDigital =
    hasNoCarrier(order) && details.length > 0 && details.every((each) => followUps.virtual.has(each.product_id));
  if (isDigital) problems.push('The order holds digital goods only: there is nothing to ship');
  else if (hasNoCarrier(order)) problems.push('The order has no carrier: it may hold digital goods only');

  const invoice = followUps.addresses.get(order.id_address_invoice);
  const delivery = followUps.addresses.get(order.id_address_delivery);
  const customer = followUps.customers.get(order.id_customer);
  const billing = importAddress(invoice, followUps);
  const createdAt = shopInstant(order.date_add, account.timeZone) ?? unknownDate;
  return {
    externalId: order.id,
    externalNumber: order.reference || order.id,
    state: state ? meaningOf(account, state) : 'held',
    currency,
    createdAt,
    modifiedAt: shopInstant(order.date_upd, account.timeZone) ?? createdAt,
    customer: {
      fullName: (customer && nameOf(customer)) || billing.fullName,
      email: customer?.email ?? '',
      phone: billing.phone,
    },
    billing: { ...billing, vatNumber: invoice?.vat_number ?? '', taxCode: invoice?.dni ?? '' },
    shipping: importShipping(delivery, followUps, problems),
    lines: importLines(order, { details, problems }),
    shippingGross: money(order.total_shipping_tax_incl || '0'),
    totalGross: order.total_paid_tax_incl && money(order.total_paid_tax_incl),
    totalNet: order.total_paid_tax_excl && money(order.total_paid_tax_excl),
    paymentMethod: order.module || order.payment,
    cashOnDelivery: account.cashOnDeliveryModules.includes(order.module),
    note: [order.note, delivery?.other].filter(Boolean).join('\n'),
    ...(isDigital ? { needsShipping: false } : {}),
    problems,
  };
}

function importLines(
  { associations }: Order,
  { details, problems }: { details: readonly OrderDetail[]; problems: string[] },
): ImportedLine[] {
  const unreadable = (associations.order_rows?.length ?? 0) - details.length;
  if (unreadable > 0) problems.push(`${unreadable} of the order's lines could not be read`);
  else if (details.length === 0) problems.push('The order has no lines');
  const left = details.filter((each) => leftOf(each) > 0 || each.product_quantity <= 0);
  if (details.length > 0 && left.length === 0) {
    problems.push('Every piece of the order was refunded or returned: there is nothing to ship');
  }
  return left.map((detail) => importLine(detail, problems));
}

/** Without what was refunded before it left, or came back. */
function leftOf({ product_quantity, product_quantity_refunded, product_quantity_return }: OrderDetail): number {
  return product_quantity - product_quantity_refunded - product_quantity_return;
}

function importLine(detail: OrderDetail, problems: string[]): ImportedLine {
  const { unit_price_tax_incl: unit, total_price_tax_incl: total } = detail;
  const quantity = leftOf(detail);
  const share = (amount: string): string => {
    if (!amount || quantity === detail.product_quantity) return amount && money(amount);
    return money(new Big(amount).times(quantity).div(detail.product_quantity).round(2));
  };
  const title = detail.product_name || detail.product_reference || `line ${detail.id}`;
  if (!Number.isInteger(quantity) || quantity < 1) {
    problems.push(`The quantity of "${title}" is ${quantity}: there is nothing to ship of it`);
  }
  if (!total) problems.push(`"${title}" has no price`);
  return {
    externalLineId: detail.id,
    sku: detail.product_reference,
    title: detail.product_name,
    quantity,
    unitPriceGross: unit && money(unit),
    totalGross: share(total),
    totalNet: share(detail.total_price_tax_excl),
  };
}

function importShipping(delivery: Address | undefined, followUps: FollowUps, problems: string[]): ImportedAddress {
  const address = importAddress(delivery, followUps);
  if (!delivery) {
    problems.push('The shop has no shipping address for the order');
    return address;
  }
  problems.push(...addressProblems(address));
  return address;
}

function importAddress(address: Address | undefined, { countries, provinces }: FollowUps): ImportedAddress {
  const countryCode = countries.get(address?.id_country ?? '')?.iso_code.toUpperCase() ?? '';
  const province = provinces.get(address?.id_state ?? '')?.iso_code ?? '';
  return {
    fullName: address ? nameOf(address) : '',
    company: address?.company ?? '',
    // The courier calls or texts: a mobile number serves both.
    phone: address?.phone_mobile || address?.phone || '',
    address: address?.address1 ?? '',
    address2: address?.address2 ?? '',
    city: address?.city ?? '',
    // Some localisation packs write `IT-RM` where others write `RM`.
    province: province.replace(new RegExp(`^${countryCode || '[A-Z]{2}'}-`, 'i'), ''),
    zip: address?.postcode ?? '',
    countryCode,
  };
}

function nameOf({ firstname, lastname }: { firstname: string; lastname: string }): string {
  return `${firstname} ${lastname}`.trim();
}
