import { numericReference } from '../../domain/carrier-reference.ts';
import { Big, centsToNumber } from '../../lib/decimal.ts';
import type { DraftParcel, ShipmentDraft } from '../adapter.ts';
import { totalGrams } from '../parcels.ts';
import { isItalianMobile, phoneDigits, shorten } from '../text.ts';
import { MAX_CONTENTS, MAX_EMAIL, MAX_GENERIC_REFERENCE, MAX_NOTES, MAX_PHONE } from './limits.ts';
import type { Account } from './schema.ts';
import {
  collectionMode,
  HOLD_FOR_PICKUP,
  MAX_PARTICULAR_DELIVERIES,
  PARTICULAR_DELIVERIES,
  SERVICE_TYPES,
} from './services.ts';
import { brtText } from './text.ts';

/** Fields that are empty are left out. */
export type Fields = Record<string, string | number>;

const MARKS = 36 ** 4;

export function numericReferenceOf(reference: string): number {
  return Number(numericReference(reference));
}

/**
 * Returns alphanumericSenderReference: our reference and a mark of this call. BRT takes the same references twice, and
 * can then neither confirm nor delete. The mark tells a repeated booking from the lost one.
 */
export function markedReference(reference: string, now: Date): string {
  const mark = (now.getTime() % MARKS).toString(36).toUpperCase();
  return `${reference}${mark.padStart(4, '0')}`;
}

export function credentials({ userID, password }: Account): Fields {
  return { userID, password };
}

/** Kilograms with one decimal; never 0.0. */
export function weightKg(parcels: readonly DraftParcel[]): number {
  return Math.max(new Big(totalGrams(parcels)).div(1000).round(1, Big.roundHalfUp).toNumber(), 0.1);
}

/** Returns cubic metres with three decimals, at most 99.999; 0 when a parcel has no size. */
export function volumeM3(parcels: readonly DraftParcel[]): number {
  const each = parcels.map(({ lengthMm, widthMm, heightMm }) => new Big(lengthMm).times(widthMm).times(heightMm));
  if (each.some((volume) => volume.lte(0))) return 0;
  const sum = each.reduce((total, volume) => total.plus(volume), new Big(0)).div(1e9);
  return Math.min(Math.max(sum.round(3, Big.roundHalfUp).toNumber(), 0.001), 99.999);
}

/** Returns the whole body of a create. */
export function createBody(account: Account, draft: ShipmentDraft, now: Date): Record<string, unknown> {
  const isZpl = draft.labelFormat === 'zpl';
  return {
    account: credentials(account),
    createData: createData(account, draft, now),
    isLabelRequired: '1',
    labelParameters: {
      outputType: isZpl ? 'ZPL' : 'PDF',
      offsetX: 0,
      offsetY: 0,
      isBorderRequired: flag(account.isBorderRequired),
      isLogoRequired: flag(account.isLogoRequired),
      isBarcodeControlRowRequired: flag(account.isBarcodeControlRowRequired),
      labelFormat: isZpl ? account.zplFormat : '',
    },
  };
}

function createData(account: Account, draft: ShipmentDraft, now: Date): Fields {
  const [particularDelivery1 = '', particularDelivery2 = ''] = particularDeliveries(draft);
  return withoutEmpty({
    network: account.network ?? '',
    ...senderFields(account),
    deliveryFreightTypeCode: account.deliveryFreightTypeCode,
    ...consigneeFields(draft),
    isAlertRequired: flag(account.isAlertRequired),
    pricingConditionCode: pricingCode(account, draft),
    serviceType: SERVICE_TYPES.find((code) => draft.options.includes(code)) ?? '',
    ...moneyFields(draft),
    senderParcelType: contentsOf(draft),
    numberOfParcels: draft.parcels.length,
    weightKG: weightKg(draft.parcels),
    volumeM3: volumeM3(draft.parcels) || '',
    numericSenderReference: numericReferenceOf(draft.reference),
    alphanumericSenderReference: markedReference(draft.reference, now),
    genericReference: shorten(genericReferenceOf(draft), MAX_GENERIC_REFERENCE),
    notes: shorten(notesOf(draft), MAX_NOTES),
    parcelsHandlingCode: account.parcelsHandlingCode ?? '',
    particularitiesDeliveryManagementCode: account.particularitiesDeliveryManagementCode ?? '',
    particularitiesHoldOnStockManagementCode: account.particularitiesHoldOnStockManagementCode ?? '',
    variousParticularitiesManagementCode: account.variousParticularitiesManagementCode ?? '',
    particularDelivery1,
    particularDelivery2,
    pudoId: draft.pickupPointId ?? '',
    holdForPickup: draft.options.includes(HOLD_FOR_PICKUP) ? '1' : '',
  });
}

/** Returns the shipper, as every operation wants it. */
export function senderFields({ departureDepot, senderCustomerCode }: Account): Fields {
  return { departureDepot: Number(departureDepot), senderCustomerCode: Number(senderCustomerCode) };
}

function consigneeFields({ recipient }: ShipmentDraft): Fields {
  const phone = phoneOf(recipient.phone);
  const isItaly = recipient.countryCode === 'IT';
  return {
    consigneeCompanyName: brtText(recipient.company || recipient.name),
    consigneeAddress: brtText(recipient.address),
    consigneeZIPCode: recipient.zip.trim(),
    consigneeCity: brtText(recipient.city),
    consigneeProvinceAbbreviation: isItaly ? recipient.province.trim().toUpperCase() : '',
    consigneeCountryAbbreviationISOAlpha2: recipient.countryCode,
    consigneeContactName: recipient.company === '' ? '' : brtText(recipient.name),
    consigneeTelephone: phone,
    consigneeMobilePhoneNumber: isItalianMobile(phone) ? phone : '',
    consigneeEMail: emailOf(recipient.email),
  };
}

/** Half a number or address is a wrong one. */
function phoneOf(phone: string): string {
  const digits = phoneDigits(phone);
  return digits.length <= MAX_PHONE ? digits : '';
}

function emailOf(email: string): string {
  return email.trim().length <= MAX_EMAIL ? email.trim() : '';
}

function moneyFields({ cod, insuredCents, currency }: ShipmentDraft): Fields {
  return {
    ...(insuredCents === null
      ? {}
      : { insuranceAmount: centsToNumber(insuredCents), insuranceAmountCurrency: currency }),
    ...(cod === null
      ? {}
      : {
          cashOnDelivery: centsToNumber(cod.amountCents),
          isCODMandatory: '1',
          codPaymentType: collectionMode(cod.paymentType) ?? '',
          codCurrency: currency,
        }),
  };
}

function pricingCode(account: Account, { pickupPointId, recipient }: ShipmentDraft): number | '' {
  const { pricingConditionCode, pricingConditionCodePudo, pricingConditionCodeAbroad } = account;
  const special =
    pickupPointId !== null
      ? pricingConditionCodePudo
      : recipient.countryCode !== 'IT'
        ? pricingConditionCodeAbroad
        : undefined;
  const code = special ?? pricingConditionCode;
  return code === undefined ? '' : Number(code);
}

function particularDeliveries({ options }: ShipmentDraft): string[] {
  return PARTICULAR_DELIVERIES.filter((code) => options.includes(code)).slice(0, MAX_PARTICULAR_DELIVERIES);
}

/** BRT has one address line: the second one comes first here, so that it is never cut. */
function notesOf({ recipient, note }: ShipmentDraft): string {
  return [brtText(recipient.address2), brtText(note)].filter((part) => part !== '').join(' - ');
}

function contentsOf({ contents }: ShipmentDraft): string {
  return shorten(brtText(contents), MAX_CONTENTS);
}

function genericReferenceOf({ reference, orderNumber }: ShipmentDraft): string {
  return `${reference} ${brtText(orderNumber)}`;
}

/** Lists the parts of the draft that do not travel along whole. */
export function lossesOf(draft: ShipmentDraft): string[] {
  const { recipient } = draft;
  const losses: string[] = [];
  if (notesOf(draft).length > MAX_NOTES) losses.push(`The note was cut at ${MAX_NOTES} characters`);
  if (contentsOf(draft) !== brtText(draft.contents))
    losses.push(`The contents were shortened for BRT to "${contentsOf(draft)}"`);
  if (genericReferenceOf(draft).length > MAX_GENERIC_REFERENCE)
    losses.push(`Reference and order number together were cut at ${MAX_GENERIC_REFERENCE} characters`);
  if (phoneOf(recipient.phone) === '' && phoneDigits(recipient.phone) !== '')
    losses.push(`The phone number has more than ${MAX_PHONE} characters and was left out`);
  if (emailOf(recipient.email) === '' && recipient.email.trim() !== '')
    losses.push(`The e-mail address has more than ${MAX_EMAIL} characters and was left out`);
  return losses;
}

export function flag(isSet: boolean): '0' | '1' {
  return isSet ? '1' : '0';
}

export function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
