import type { Carrier, DraftParcel, Party, ShipmentDraft } from '../../carriers/adapter.ts';
import type { Company, Contract, Order } from '../../db/entities/index.ts';
import { provinceOf } from '../../domain/addresses/gazetteer.ts';
import { hasPostalCodeShape } from '../../domain/addresses/postal-code.ts';
import { draftOf, returnDraftOf, type ShippableOrder } from '../../engine/shipment-draft.ts';
import type { Verdicts } from '../addresses/address-verdicts.ts';

/** Maximum of grams and cubic centimetres in PostgreSQL's integer. */
const MAX_SIZE = 2_147_483_647;
const UNSUPPORTED = 'The carrier of the contract is no longer supported';

/** The next step for every problem that an import found. */
const WAY_OUT = 'Correct the order in its marketplace, or ship it anyway with "shipAnyway": true';

/** Returns why no carrier can take the order as it is, null when one can. A person may overrule problems of the import. */
export function orderRefusal(
  { order, parcels }: { order: Order; parcels: readonly DraftParcel[] },
  { shipAnyway = false }: { shipAnyway?: boolean } = {},
): string | null {
  if (['cancelled', 'delivered', 'returned'].includes(order.status)) return `The order is ${order.status}`;
  if (order.problems.length > 0 && !shipAnyway) return `${order.problems.join('; ')}. ${WAY_OUT}`;
  if (Math.max(weightGrams(parcels), volumeCm3(parcels)) > MAX_SIZE) {
    return 'The parcels of the order are larger than anything that can be shipped';
  }
  return null;
}

/** Returns why a contract cannot take an order, null when it can. */
export function contractRefusal(
  shippable: ShippableOrder,
  chosen: {
    company: Company;
    contract: Contract;
    carrier: Carrier | undefined;
    service: string | null;
    verdicts: Verdicts;
  },
): string | null {
  const { company, contract, carrier, service } = chosen;
  const { order } = shippable;
  if (!carrier) return UNSUPPORTED;
  if (order.codCents !== null && !(carrier.supportsCod && contract.supportCod)) {
    return `The contract ${contract.label} takes no cash on delivery`;
  }
  if (order.insurance && !(carrier.supportsInsurance && contract.supportInsurance)) {
    return `The contract ${contract.label} takes no insurance`;
  }
  const draft = draftOf(shippable, { company, contract, service, reference: 'AAA00000001', shipmentId: 1 });
  const said = chosen.verdicts.unknownTo(contract.carrierId, shippable.address);
  return joined([
    ...placeProblems(draft.recipient),
    ...unknownPlace(carrier, said),
    ...draftProblems(draft, contract, carrier),
  ]);
}

/** Returns why a contract cannot take a return, null when it can. */
export function returnRefusal(
  shippable: ShippableOrder,
  { company, contract, carrier }: { company: Company; contract: Contract; carrier: Carrier | undefined },
): string | null {
  if (!carrier) return UNSUPPORTED;
  if (!carrier.ordersReturns) return `smista cannot order return labels from ${carrier.label}: name another contract`;
  const draft = returnDraftOf(draftOf(shippable, { company, contract, reference: 'AAA00000001', shipmentId: 1 }));
  return joined(draftProblems(draft, contract, carrier));
}

function joined(problems: readonly string[]): string | null {
  return problems.length > 0 ? problems.join('; ') : null;
}

function draftProblems(
  draft: ShipmentDraft,
  { label, maxWeightGrams, configFields }: Contract,
  carrier: Carrier,
): string[] {
  const grams = weightGrams(draft.parcels);
  return [
    ...(draft.parcels.length > carrier.limits.maxParcels
      ? [`${carrier.label} takes up to ${carrier.limits.maxParcels} parcels`]
      : []),
    ...(maxWeightGrams !== null && grams > maxWeightGrams
      ? [`The order weighs ${grams / 1000} kg and the contract ${label} takes up to ${maxWeightGrams / 1000} kg`]
      : []),
    ...(carrier.check?.(draft, configFields) ?? []),
  ];
}

/** Returns why an address cannot exist. Mere doubts are no reason, see `domain/addresses/address-doubts.ts`. */
function placeProblems({ zip, province, countryCode }: Party): string[] {
  return [
    ...(hasPostalCodeShape(zip, countryCode) ? [] : [`"${zip}" has not the form of a postal code of ${countryCode}`]),
    ...(countryCode === 'IT' && province.trim() !== '' && provinceOf(province) === null
      ? [`There is no Italian province "${province}"`]
      : []),
  ];
}

/** Returns the carrier's own refusal of the address within the last day. */
function unknownPlace(carrier: Carrier, said: string | null): string[] {
  if (said === null) return [];
  const words = said.replace(/[.\s]+$/, '') || 'there is no such address';
  return [`${carrier.label} did not find this address: ${words}. Correct it, or check it again`];
}

export function weightGrams(parcels: readonly DraftParcel[]): number {
  return parcels.reduce((sum, parcel) => sum + parcel.weightGrams, 0);
}

export function volumeCm3(parcels: readonly DraftParcel[]): number {
  return Math.round(
    parcels.reduce((sum, parcel) => sum + (parcel.lengthMm * parcel.widthMm * parcel.heightMm) / 1000, 0),
  );
}
