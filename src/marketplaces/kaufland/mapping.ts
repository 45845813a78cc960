import { Big } from '../../lib/decimal.ts';
import type { ImportedAddress, ImportedLine, ImportedOrder } from '../adapter.ts';
import { addressProblems } from '../address-problems.ts';
import type { Address, Order, Unit } from './schema.ts';
import { isCancelled, isSent, unitsOf } from './units.ts';

export function importOrder(order: Order): ImportedOrder {
  const { units, unreadable } = unitsOf(order);
  const live = units.filter((unit) => !isCancelled(unit));
  // A cancelled piece is not to be shipped; of an order that is cancelled as a whole all of them are shown.
  const shown = live.length > 0 ? live : units;
  const problems = unreadable.map((place) => `Unit ${place} of the order could not be read`);
  if (units.length === 0) problems.push('The order has no units');
  const state = stateOf(order, { live, isEmpty: units.length === 0, problems });
  const lines = shown.map((unit) => importUnit(unit, problems));
  const shipping = importShipping(order, problems);
  const billing = importAddress(order.billing_address);
  const dates = units.map((unit) => unit.ts_updated_iso.getTime());
  return {
    externalId: order.id_order,
    externalNumber: order.id_order,
    state,
    currency: currencyOf(shown, problems),
    createdAt: order.ts_created_iso,
    modifiedAt: new Date(Math.max(order.ts_created_iso.getTime(), ...dates)),
    customer: {
      fullName: billing.fullName || shipping.fullName,
      email: order.buyer.email,
      phone: billing.phone || shipping.phone,
    },
    billing: { ...billing, vatNumber: '', taxCode: '' },
    shipping,
    lines,
    shippingGross: amount(sum(shown.map((unit) => unit.shipping_rate ?? 0))),
    totalGross: amount(sum(shown.map(grossCents))),
    totalNet: amount(sum(shown.map((unit) => netCents(unit.price, unit).plus(netCents(unit.shipping_rate, unit))))),
    paymentMethod: '',
    cashOnDelivery: false,
    note: '',
    problems,
  };
}

function stateOf(
  { fulfillment_type }: Order,
  { live, isEmpty, problems }: { live: Unit[]; isEmpty: boolean; problems: string[] },
): ImportedOrder['state'] {
  if (isEmpty) return 'held';
  if (live.length === 0) return 'cancelled';
  if (fulfillment_type === 'fulfilled_by_kaufland') {
    problems.push('Kaufland ships this order itself');
    return 'shipped';
  }
  const left = live.filter((unit) => !isSent(unit));
  if (left.length === 0) return 'shipped';
  if (left.length < live.length)
    problems.push(`${live.length - left.length} of ${live.length} units were already sent`);
  const unknown = left.filter(({ status }) => status !== 'need_to_be_sent' && status !== 'open');
  for (const status of new Set(unknown.map((unit) => unit.status))) {
    problems.push(`Kaufland's unit status "${status}" is not known: the order waits`);
  }
  return left.every(({ status }) => status === 'need_to_be_sent') ? 'open' : 'held';
}

function importUnit(unit: Unit, problems: string[]): ImportedLine {
  const title = unit.product.title;
  if (unit.price === null) problems.push(`"${title || unit.id_offer || unit.id_order_unit}" has no price`);
  const gross = unit.price === null ? '' : amount(new Big(unit.price));
  const net = unit.price === null ? '' : amount(netCents(unit.price, unit));
  return {
    externalLineId: unit.id_order_unit,
    sku: unit.id_offer,
    title,
    quantity: 1,
    unitPriceGross: gross,
    totalGross: gross,
    totalNet: net,
  };
}

function currencyOf(units: readonly Unit[], problems: string[]): string {
  const currencies = [...new Set(units.map(({ currency }) => currency))];
  const [currency = ''] = currencies;
  if (currencies.length > 1) problems.push(`The units are priced in several currencies: ${currencies.join(', ')}`);
  else if (units.length > 0 && !currency) problems.push('The order has no currency');
  return currency;
}

function importShipping({ shipping_address, delivery }: Order, problems: string[]): ImportedAddress {
  const address = importAddress(shipping_address);
  const { pickup_location_id: point, provider } = delivery.pickup_location;
  if (point || provider) {
    problems.push(`The order goes to the pick-up point ${point} of ${provider || 'an unnamed provider'}`);
  }
  problems.push(...addressProblems(address, shipping_address.country));
  if (shipping_address.country && !address.countryCode) {
    problems.push(`The country "${shipping_address.country}" of the shipping address is not a code of two letters`);
  }
  return address;
}

function importAddress(address: Address): ImportedAddress {
  const country = address.country.toUpperCase();
  return {
    fullName: [address.first_name, address.last_name].filter(Boolean).join(' '),
    company: address.company_name,
    phone: address.phone,
    address: [address.street, address.house_number].filter(Boolean).join(' '),
    address2: address.additional_field,
    city: address.city,
    province: '',
    zip: address.postcode,
    countryCode: /^[A-Z]{2}$/.test(country) ? country : '',
  };
}

function grossCents({ price, shipping_rate }: Unit): number {
  return (price ?? 0) + (shipping_rate ?? 0);
}

/** Without its VAT, rounded to whole cents; the gross itself where Kaufland names no VAT. */
function netCents(gross: number | null, { vat }: Unit): Big {
  return new Big(gross ?? 0).div(new Big(vat ?? 0).div(100).plus(1)).round(0);
}

function sum(cents: readonly (number | Big)[]): Big {
  return cents.reduce<Big>((total, each) => total.plus(each), new Big(0));
}

function amount(cents: Big): string {
  return cents.div(100).toFixed(2);
}
