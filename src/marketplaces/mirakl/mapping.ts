import { Big } from '../../lib/decimal.ts';
import type { ImportedAddress, ImportedLine, ImportedOrder } from '../adapter.ts';
import { addressProblems } from '../address-problems.ts';
import { money } from '../amounts.ts';
import { countryCodeOf } from './countries.ts';
import { readLines } from './lines.ts';
import { isAlive, stateOf } from './order-states.ts';
import type { Address, Line, Order } from './schema.ts';

/** Maps an order. `acceptance` is the reason why it waits for the shop's decision; empty when it does not wait. */
export function importOrder(order: Order, acceptance: string): ImportedOrder {
  const problems = acceptance === '' ? [] : [acceptance];
  const state = importState(order, problems);
  const lines = linesOf(order, state, problems);
  if (!order.currency_iso_code) problems.push('The order has no currency');
  if (!order.total_price) problems.push('The order has no total');
  if (order.order_tax_mode === 'TAX_EXCLUDED') problems.push('Mirakl gave the prices without taxes');
  const { customer } = order;
  const shipping = importAddress(customer.shipping_address);
  complainAboutAddress(order, shipping, problems);
  const taxes = sumOf(lines.flatMap((line) => [...line.taxes, ...line.shipping_taxes]));
  return {
    externalId: order.order_id,
    externalNumber: order.order_id,
    state,
    currency: order.currency_iso_code,
    createdAt: order.created_date,
    modifiedAt: order.last_updated_date,
    customer: {
      fullName: nameOf(customer) || shipping.fullName,
      email: order.customer_notification_email,
      phone: shipping.phone,
    },
    billing: importBilling(order),
    shipping,
    lines: lines.map((line) => importLine(line, problems)),
    shippingGross: order.shipping_price && money(order.shipping_price),
    totalGross: order.total_price && money(order.total_price),
    totalNet: order.total_price && money(new Big(order.total_price).minus(taxes)),
    paymentMethod: order.payment_type,
    // The buyer pays the operator, or the seller by invoice: never the courier.
    cashOnDelivery: false,
    note: customer.shipping_address.additional_info,
    problems,
  };
}

function importState(order: Order, problems: string[]): ImportedOrder['state'] {
  const state = stateOf(order);
  if (!state) problems.push(`Mirakl's order state "${order.order_state}" is not known: the order waits`);
  if (state === 'open') {
    if (order.can_shop_ship === false) problems.push('Mirakl says that the shop may not ship this order');
    if (order.shipping_pudo_id) problems.push(`The customer chose the pick-up point "${order.shipping_pudo_id}"`);
  }
  return state ?? 'held';
}

/** Without lines that will not leave, as long as others of the order may. */
function linesOf(order: Order, state: ImportedOrder['state'], problems: string[]): Line[] {
  const read = readLines(order);
  for (const [index, line] of read.entries()) {
    if (!line) problems.push(`Line ${index + 1} of the order could not be read`);
  }
  const isOver = state === 'cancelled' || state === 'shipped';
  const lines = read.filter((line) => line !== null).filter((line) => isOver || isAlive(line));
  if (order.order_lines === null) problems.push('The lines of the order could not be read');
  else if (lines.length === 0) problems.push('The order has no lines to ship');
  if (!isOver) problems.push(...lines.flatMap(doubts));
  return lines;
}

function doubts(line: Line): string[] {
  const title = titleOf(line);
  return [
    ...(line.order_line_state === 'INCIDENT_OPEN' ? [`There is an open incident about "${title}"`] : []),
    ...(line.cancelations.length > 0
      ? [`Something of "${title}" was cancelled: check how many pieces are still to be shipped`]
      : []),
  ];
}

function importLine(line: Line, problems: string[]): ImportedLine {
  const { order_line_id: externalLineId, quantity, price } = line;
  const title = titleOf(line);
  if (!Number.isInteger(quantity) || quantity < 1) {
    problems.push(`The quantity of "${title}" is ${quantity}: there is nothing to ship of it`);
  }
  if (!price) problems.push(`"${title}" has no price`);
  return {
    externalLineId,
    sku: line.offer_sku,
    title: line.product_title,
    quantity,
    unitPriceGross: line.price_unit && money(line.price_unit),
    totalGross: price && money(price),
    totalNet: price && money(new Big(price).minus(sumOf(line.taxes))),
  };
}

function titleOf(line: Line): string {
  return line.product_title || line.offer_sku || `line ${line.order_line_id}`;
}

function importBilling({ customer }: Order): ImportedOrder['billing'] {
  const { billing_address, organization } = customer;
  const address = importAddress(billing_address);
  return {
    ...address,
    fullName: address.fullName || nameOf(customer),
    company: address.company || organization.name,
    vatNumber: organization.tax_identification_number,
    taxCode: '',
  };
}

function importAddress(address: Address): ImportedAddress {
  const [street = '', ...more] = [address.street_1, address.street_2].filter(Boolean);
  return {
    fullName: nameOf(address),
    company: [address.company, address.company_2].filter(Boolean).join(', '),
    phone: address.phone || address.phone_secondary,
    address: street,
    address2: more.join(', '),
    city: address.city,
    province: address.state,
    zip: address.zip_code,
    countryCode: countryCodeOf(address.country_iso_code),
  };
}

function complainAboutAddress(order: Order, address: ImportedAddress, problems: string[]): void {
  const { country_iso_code } = order.customer.shipping_address;
  if (!Object.values(address).some(Boolean) && !country_iso_code) {
    problems.push('Mirakl gave no delivery address: it comes when the order is to be shipped');
    return;
  }
  problems.push(...addressProblems(address, country_iso_code));
  if (country_iso_code && !address.countryCode) {
    problems.push(`The country "${country_iso_code}" of the address is not known`);
  }
}

function nameOf({ firstname, lastname }: { firstname: string; lastname: string }): string {
  return [firstname, lastname].filter(Boolean).join(' ');
}

function sumOf(taxes: readonly { amount: string }[]): Big {
  return taxes.reduce((sum, { amount }) => sum.plus(amount || 0), new Big(0));
}
