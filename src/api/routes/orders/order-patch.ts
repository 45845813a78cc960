import { isDeepStrictEqual } from 'node:util';
import { isCashOnDelivery } from '../../../domain/cod.ts';
import { toCents } from '../../../lib/decimal.ts';
import type { ReadPatch } from '../../../usecases/corrections/correct-order.ts';
import type { NewOrder } from '../../../usecases/orders/create-order.ts';
import { badRequest, violationsOf } from '../../http/problem.ts';
import { newOrderOf, OrderBody, type OrderPatch } from './order-fields.ts';

type Json = Record<string, unknown>;
type Correctable = keyof typeof OrderPatch.shape;

const MEMBERS = {
  customer: 'customer',
  billing: 'billing',
  shipping: 'shipping',
  items: 'items',
  shipping_cost: 'shippingCost',
  insurance: 'insurance',
  payment_method: 'paymentMethod',
  note: 'note',
  warehouse_id: 'warehouseId',
  parcels: 'parcels',
  cod_amount: 'codAmount',
  carrier_company_id: 'contractId',
  carrier_options: 'carrierOptions',
  pickup_point_id: 'pickupPointId',
} as const satisfies Record<Correctable, keyof NewOrder>;
const NAMES = Object.keys(MEMBERS) as Correctable[];

/** Judges each member that the patch names as order creation does. */
export const readPatch: ReadPatch = (view, given, pricesIncludeVat) => {
  const patch = given as Json;
  const stored = bodyOf(view, pricesIncludeVat);
  const named = NAMES.filter((name) => Object.hasOwn(patch, name));
  const merged = Object.fromEntries(
    named.map((name) => [name, mergePatch((stored as Json)[name], patch[name])]).filter(([, value]) => value !== null),
  );
  // A body is whole, so the members that the patch leaves out count as valid.
  const mask = Object.fromEntries(named.map((name) => [name, true]));
  const judged = OrderBody.pick(mask as { [Name in Correctable]: true }).safeParse(merged);
  if (!judged.success) throw badRequest(violationsOf(judged.error, 'body'));
  const before = newOrderOf(stored);
  const removed = Object.fromEntries(named.map((name) => [name, undefined]));
  const after = newOrderOf({ ...stored, ...removed, ...judged.data });
  after.codAmount = effectiveCod(after, { before, grossCents: view.order.grossCents });
  const changed = NAMES.filter((name) => !isDeepStrictEqual(before[MEMBERS[name]], after[MEMBERS[name]]));
  return {
    change: Object.fromEntries(changed.map((name) => [MEMBERS[name], after[MEMBERS[name]]])),
    changed: changed.flatMap((name) => pointersOf(name, before[MEMBERS[name]], after[MEMBERS[name]])),
  };
};

/** Applies an RFC 7396 merge patch to a value; undefined: the patch took it away. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const kept = isObject(target) ? target : {};
  const entries = new Map(Object.entries(kept));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) entries.delete(key);
    else entries.set(key, mergePatch(kept[key], value));
  }
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Without cash on delivery no amount counts, and the order's total is no amount of its own. */
function effectiveCod(
  { paymentMethod, codAmount }: NewOrder,
  { before, grossCents }: { before: NewOrder; grossCents: number },
): number | null {
  if (!isCashOnDelivery(paymentMethod) || codAmount === null) return null;
  return before.codAmount === null && toCents(codAmount) === grossCents ? null : codAmount;
}

function pointersOf(name: Correctable, before: unknown, after: unknown): string[] {
  if (!isObject(before) || !isObject(after)) return [`/${name}`];
  return Object.keys(after)
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .map((key) => `/${name}/${key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`);
}

/** Returns the body that would create the stored order. */
function bodyOf(
  { order, items, customer, address }: Parameters<ReadPatch>[0],
  pricesIncludeVat: boolean,
): Parameters<typeof newOrderOf>[0] {
  return {
    customer: { full_name: customer.fullName, email: customer.email, phone: customer.phone },
    billing: {
      company: customer.billingCompany,
      address: customer.billingAddress,
      city: customer.billingCity,
      province: customer.billingState,
      zip: customer.billingZip,
      ...(customer.billingCountry ? { country_code: customer.billingCountry } : {}),
      vat_number: customer.billingVat,
      tax_code: customer.billingCodiceFiscale,
    },
    shipping: {
      full_name: address.fullName,
      company: address.company,
      phone: address.phone,
      address: address.address,
      address2: address.address2,
      city: address.city,
      province: address.state,
      zip: address.zip,
      country_code: address.countryCode,
    },
    items: items.map((item) => ({
      product_id: item.clientProductId,
      sku: item.sku,
      name: item.title,
      quantity: item.quantity,
      price: Number(pricesIncludeVat ? item.unitPriceGross : item.unitPriceNet),
    })),
    shipping_cost: (pricesIncludeVat ? order.shippingGrossCents : order.shippingNetCents) / 100,
    insurance: order.insurance,
    payment_method: order.paymentMethod,
    note: order.buyerOrderNote,
    warehouse_id: order.warehouseId,
    parcels: order.parcels.map((parcel) => ({
      weight_kg: parcel.weightGrams / 1000,
      length_cm: parcel.lengthMm / 10,
      width_cm: parcel.widthMm / 10,
      height_cm: parcel.heightMm / 10,
    })),
    cod_amount: order.codCents === null || order.codCents === order.grossCents ? null : order.codCents / 100,
    carrier_company_id: order.contractId,
    carrier_options: order.carrierOptions,
    pickup_point_id: order.pickupPointId,
  };
}
