import { wallClock } from '../../lib/clock.ts';
import { Big } from '../../lib/decimal.ts';
import type { LabelFormat, ShipmentDraft } from '../adapter.ts';
import { shareOf, totalGrams } from '../parcels.ts';
import { latin1Text as plain, shorten } from '../text.ts';
import { asksForInvoice, customsOf, isInternational, moneyOf, orderNumberOf } from './customs.ts';
import { MAX } from './limits.ts';
import { dimensionsOf, partyOf, weightOf } from './parties.ts';
import type { Account } from './schema.ts';
import { serviceOf } from './services.ts';

/** The clock by which an Italian sender dates its papers. */
export const TIME_ZONE = 'Europe/Rome';
const GRAMS_PER_POUND = '453.59237';

/** FedEx has inches: 4 by 6 are next to A6, and half a letter is what an office printer makes of an A4 sheet. */
const LABELS: Readonly<Record<Exclude<LabelFormat, 'pdf-a5'>, { imageType: string; labelStockType: string }>> = {
  'pdf-a6': { imageType: 'PDF', labelStockType: 'PAPER_4X6' },
  'pdf-a4': { imageType: 'PDF', labelStockType: 'PAPER_85X11_TOP_HALF_LABEL' },
  zpl: { imageType: 'ZPLII', labelStockType: 'STOCK_4X6' },
};

export function shipBody(account: Account, draft: ShipmentDraft, now: Date) {
  const { labelFormat, insuredCents } = draft;
  if (labelFormat === 'pdf-a5') throw new Error('check refuses A5');
  return {
    labelResponseOptions: 'LABEL',
    accountNumber: { value: account.accountNumber },
    requestedShipment: {
      shipDatestamp: wallClock(now, TIME_ZONE).date,
      pickupType: account.pickupType,
      serviceType: serviceOf(account, draft),
      packagingType: 'YOUR_PACKAGING',
      totalWeight: pounds(draft),
      ...(insuredCents === null ? {} : { totalDeclaredValue: moneyOf(insuredCents, draft) }),
      shipper: partyOf(draft.sender),
      recipients: [partyOf(draft.recipient)],
      ...(draft.isReturn ? { shipmentSpecialServices: RETURN } : {}),
      // The account above is billed, also for a return.
      shippingChargesPayment: { paymentType: 'SENDER' },
      labelSpecification: LABELS[labelFormat],
      ...(isInternational(draft) ? { customsClearanceDetail: customsOf(account, draft) } : {}),
      ...(asksForInvoice(draft) ? { shippingDocumentSpecification: INVOICE } : {}),
      requestedPackageLineItems: packagesOf(draft),
    },
  };
}

const RETURN = {
  specialServiceTypes: ['RETURN_SHIPMENT'],
  returnShipmentDetail: { returnType: 'PRINT_RETURN_LABEL' },
};

const INVOICE = {
  shippingDocumentTypes: ['COMMERCIAL_INVOICE'],
  commercialInvoiceDetail: { documentFormat: { stockType: 'PAPER_LETTER', docType: 'PDF' } },
};

/** The total is in pounds by the description, whatever the units of the parcels. */
function pounds({ parcels }: ShipmentDraft): number {
  return new Big(totalGrams(parcels)).div(GRAMS_PER_POUND).round(1, Big.roundUp).toNumber();
}

/** Cuts the contents, which the warnings say. */
export function contentsOf({ contents }: ShipmentDraft): string {
  return shorten(plain(contents), MAX.contents);
}

function packagesOf(draft: ShipmentDraft) {
  return draft.parcels.map((parcel, index) => ({
    sequenceNumber: index + 1,
    groupPackageCount: 1,
    customerReferences: referencesOf(draft),
    weight: weightOf(parcel.weightGrams),
    ...dimensionsOf(parcel),
    ...declaredOf(draft, index),
    itemDescription: contentsOf(draft),
  }));
}

/** Ours, which every look-up goes by, and the order's, which people know. */
function referencesOf(draft: ShipmentDraft) {
  const orderNumber = orderNumberOf(draft);
  return [
    { customerReferenceType: 'CUSTOMER_REFERENCE', value: draft.reference },
    ...(orderNumber === '' ? [] : [{ customerReferenceType: 'P_O_NUMBER', value: orderNumber }]),
  ];
}

/** Divides the insured amount: FedEx is liable for parcels, we insure shipments. */
export function declaredOf(draft: Pick<ShipmentDraft, 'insuredCents' | 'parcels' | 'currency'>, index: number) {
  const { insuredCents, parcels } = draft;
  if (insuredCents === null) return {};
  return { declaredValue: moneyOf(shareOf(insuredCents, parcels.length, index), draft) };
}
