import { isDeclarable } from '../../domain/customs-territory.ts';
import { wallClock } from '../../lib/clock.ts';
import { centsToString } from '../../lib/decimal.ts';
import type { ShipmentDraft } from '../adapter.ts';
import { shareOf } from '../parcels.ts';
import { latin1Text as plain, shorten } from '../text.ts';
import { asksForInvoice, invoiceOf } from './customs.ts';
import { MAX } from './limits.ts';
import { type addressOf, dimensionsOf, namesOf, partyOf, weightOf } from './parties.ts';
import type { Account } from './schema.ts';
import { fundsCode, isProduct, SATURDAY } from './services.ts';

/** Where UPS delivers instead of the recipient's address. */
export interface AccessPoint {
  id: string;
  name: string;
  address: ReturnType<typeof addressOf>;
}

/** Customer supplied package. */
const PACKAGE = '02';
const TO_ACCESS_POINT = '02';
/** The label comes with the answer, and the sender of the return prints it. */
const PRINT_RETURN_LABEL = '9';
/** The clock by which an Italian sender dates its papers. */
export const TIME_ZONE = 'Europe/Rome';

/** Returns the option of two characters, else the account's service for the kind of route. */
export function productOf(account: Account, { options, sender, recipient }: ShipmentDraft): string {
  const usual = isDeclarable(sender, recipient) ? account.serviceWorldwide : account.serviceEurope;
  return options.find(isProduct) ?? usual;
}

export function shipBody(account: Account, draft: ShipmentDraft, also: { point: AccessPoint | null; now: Date }) {
  const { point, now } = also;
  const options = serviceOptions(account, draft, wallClock(now, TIME_ZONE).date);
  return {
    ShipmentRequest: {
      // Postcodes are checked anyway. City names are not: UPS may know a place under another name.
      Request: { RequestOption: 'nonvalidate', TransactionReference: { CustomerContext: draft.reference } },
      Shipment: {
        Description: contentsOf(draft),
        Shipper: { ...partyOf(draft.isReturn ? draft.recipient : draft.sender), ShipperNumber: account.shipperNumber },
        ShipTo: partyOf(draft.recipient),
        ...(draft.isReturn ? returnOf(draft) : {}),
        ...(point ? deliveryTo(draft, point) : {}),
        PaymentInformation: { ShipmentCharge: charges(account, draft) },
        // References are the package's only within the United States, else the shipment's; tracking finds both.
        ReferenceNumber: referencesOf(draft).map((Value) => ({ Value })),
        Service: { Code: productOf(account, draft) },
        ...(Object.keys(options).length > 0 ? { ShipmentServiceOptions: options } : {}),
        Package: packagesOf(draft),
      },
      LabelSpecification: labelSpecification(draft.labelFormat === 'zpl' ? 'ZPL' : 'GIF'),
    },
  };
}

/** `ShipFrom` is the one party without an e-mail address in the description. */
function returnOf({ sender }: ShipmentDraft) {
  const { EMailAddress: _none, ...party } = partyOf(sender);
  return { ShipFrom: party, ReturnService: { Code: PRINT_RETURN_LABEL } };
}

/** Cuts the contents, which the warnings say. */
export function contentsOf({ contents }: ShipmentDraft): string {
  return shorten(plain(contents), MAX.contents);
}

/** Ours, which every look-up goes by, and the order's, which people know. */
function referencesOf({ reference, orderNumber }: ShipmentDraft): string[] {
  const number = plain(orderNumber);
  return number === '' || number.length > MAX.reference || number === reference ? [reference] : [reference, number];
}

function deliveryTo({ recipient }: ShipmentDraft, { id, name, address }: AccessPoint) {
  return {
    ShipmentIndicationType: [{ Code: TO_ACCESS_POINT }],
    AlternateDeliveryAddress: {
      Name: name,
      AttentionName: namesOf(recipient).AttentionName,
      UPSAccessPointID: id,
      Address: address,
    },
  };
}

/** Duties and taxes are the recipient's unless the terms say otherwise. */
function charges({ shipperNumber, incoterm }: Account, { sender, recipient }: ShipmentDraft) {
  const BillShipper = { AccountNumber: shipperNumber };
  const paysDuties = incoterm === 'DDP' && isDeclarable(sender, recipient);
  return [{ Type: '01', BillShipper }, ...(paysDuties ? [{ Type: '02', BillShipper }] : [])];
}

function serviceOptions(account: Account, draft: ShipmentDraft, today: string) {
  const { cod, currency, options } = draft;
  return {
    ...(options.includes(SATURDAY) ? { SaturdayDeliveryIndicator: '' } : {}),
    ...(cod
      ? {
          COD: {
            CODFundsCode: fundsCode(cod.paymentType),
            CODAmount: { CurrencyCode: currency, MonetaryValue: centsToString(cod.amountCents) },
          },
        }
      : {}),
    ...(asksForInvoice(draft) ? { InternationalForms: invoiceOf(account, draft, today) } : {}),
  };
}

function packagesOf(draft: ShipmentDraft) {
  const description = shorten(plain(draft.contents), MAX.packageContents);
  return draft.parcels.map((parcel, index) => ({
    ...(draft.isReturn ? { Description: description } : {}),
    Packaging: { Code: PACKAGE },
    ...dimensionsOf(parcel),
    PackageWeight: weightOf(parcel.weightGrams),
    ...declaredOf(draft, index),
  }));
}

/** Divides the insured amount: UPS insures packages, we insure shipments. */
export function declaredOf(
  { insuredCents, parcels, currency }: Pick<ShipmentDraft, 'insuredCents' | 'parcels' | 'currency'>,
  index: number,
) {
  if (insuredCents === null) return {};
  const MonetaryValue = centsToString(shareOf(insuredCents, parcels.length, index));
  return { PackageServiceOptions: { DeclaredValue: { CurrencyCode: currency, MonetaryValue } } };
}

/**
 * Orders labels of 4 by 6 inches, next to A6. Shipping knows no PDF: a picture stands for it, and label recovery brings
 * the PDF.
 */
export function labelSpecification(code: 'GIF' | 'PDF' | 'ZPL') {
  return { LabelImageFormat: { Code: code }, LabelStockSize: { Height: '6', Width: '4' } };
}
