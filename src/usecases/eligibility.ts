import type { Carrier, DraftParcel } from '../carriers/contract.ts';
import type { Company, Contract, Order } from '../db/entities/index.ts';
import { draftOf, type ShippableOrder } from './shipment-draft.ts';

/** Grams and cubic centimetres fit PostgreSQL's integer up to here. */
const MAX_SIZE = 2_147_483_647;

/** Why an order cannot be booked with anybody as it is, in plain words; null when it can. */
export function orderRefusal({ order, parcels }: { order: Order; parcels: readonly DraftParcel[] }): string | null {
  if (['cancelled', 'delivered', 'returned'].includes(order.status)) return `The order is ${order.status}`;
  if (order.problems.length > 0) return order.problems.join('; ');
  if (Math.max(weightGrams(parcels), volumeCm3(parcels)) > MAX_SIZE) {
    return 'The parcels of the order are larger than anything that can be shipped';
  }
  return null;
}

/** Why a contract cannot take an order; null when it can. */
export function contractRefusal(
  shippable: ShippableOrder,
  chosen: { company: Company; contract: Contract; carrier: Carrier | undefined; service?: string | null },
): string | null {
  const { company, contract, carrier, service = null } = chosen;
  const { order } = shippable;
  if (!carrier) return 'The carrier of the contract is not supported any more';
  if (order.codCents !== null && !(carrier.supportsCod && contract.supportCod)) {
    return `The contract ${contract.label} takes no cash on delivery`;
  }
  if (order.insurance && !(carrier.supportsInsurance && contract.supportInsurance)) {
    return `The contract ${contract.label} takes no insurance`;
  }
  const draft = draftOf(shippable, { company, contract, service, reference: 'AAA00000001', shipmentId: 1 });
  const { label, maxWeightGrams } = contract;
  const grams = weightGrams(draft.parcels);
  const problems = [
    ...(draft.parcels.length > carrier.limits.maxParcels
      ? [`${carrier.label} takes up to ${carrier.limits.maxParcels} parcels`]
      : []),
    ...(maxWeightGrams !== null && grams > maxWeightGrams
      ? [`The order weighs ${grams / 1000} kg and the contract ${label} takes up to ${maxWeightGrams / 1000} kg`]
      : []),
    ...(carrier.check?.(draft, contract.configFields) ?? []),
  ];
  return problems.length > 0 ? problems.join('; ') : null;
}

export function weightGrams(parcels: readonly DraftParcel[]): number {
  return parcels.reduce((sum, parcel) => sum + parcel.weightGrams, 0);
}

export function volumeCm3(parcels: readonly DraftParcel[]): number {
  return Math.round(
    parcels.reduce((sum, parcel) => sum + (parcel.lengthMm * parcel.widthMm * parcel.heightMm) / 1000, 0),
  );
}
