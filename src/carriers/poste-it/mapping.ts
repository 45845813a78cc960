import { centsToString } from '../../lib/decimal.ts';
import type { DraftParcel, LabelFormat, Party, ShipmentDraft } from '../adapter.ts';
import { isItalianMobile, phoneDigits, shorten } from '../text.ts';
import { MAX } from './limits.ts';
import type { Account } from './schema.ts';
import {
  COD,
  collectionMode,
  FULL_COVER,
  isAccessory,
  isProduct,
  MULTI_PARCEL,
  POINT_SERVICES,
  type PointKind,
} from './services.ts';
import { linesOf, plain, streetOf } from './text.ts';

/** Poste prints A4, 10 x 11 cm (for label printers) and ZPL. A5 is refused before anything is sent. */
const PRINT_FORMATS: Readonly<Record<LabelFormat, string>> = {
  'pdf-a6': '1011',
  'pdf-a5': '1011',
  'pdf-a4': 'A4',
  zpl: 'ZPL',
};

/** A point as the waybill names it. */
export interface ChosenPoint {
  kind: PointKind;
  node: string;
  name: string;
}

/** Numbers and booleans travel as text. */
export function waybillBody(
  account: Account,
  draft: ShipmentDraft,
  { now, point }: { now: Date; point: ChosenPoint | null },
) {
  const [note1 = '', note2 = ''] = notesOf(draft);
  return {
    costCenterCode: account.costCenterCode,
    paperless: 'false',
    shipmentDate: now.toISOString().replace('Z', '+0000'),
    waybills: [
      {
        clientReferenceId: draft.reference,
        printFormat: PRINT_FORMATS[draft.labelFormat],
        product: draft.options.find(isProduct) ?? account.product,
        data: {
          declared: draft.parcels.map(declared),
          content: contentsOf(draft),
          services: servicesOf(draft, point),
          sender: { ...addressOf(draft.sender), note1, note2 },
          receiver: { ...addressOf(draft.recipient), note1: '', note2: '' },
        },
      },
    ],
  };
}

/** Whole centimetres, rounded up so that nothing becomes zero. */
function declared({ weightGrams, lengthMm, widthMm, heightMm }: DraftParcel) {
  const centimetres = (millimetres: number): string => String(Math.ceil(millimetres / 10));
  return {
    weight: String(Math.ceil(weightGrams)),
    height: centimetres(heightMm),
    length: centimetres(lengthMm),
    width: centimetres(widthMm),
  };
}

function servicesOf(draft: ShipmentDraft, point: ChosenPoint | null): Record<string, Record<string, string>> {
  const { cod, insuredCents, options, parcels } = draft;
  return {
    ...Object.fromEntries(options.filter(isAccessory).map((code) => [code, {}])),
    ...(parcels.length > 1 ? { [MULTI_PARCEL]: {} } : {}),
    ...(cod
      ? { [COD]: { amount: centsToString(cod.amountCents), paymentMode: collectionMode(cod.paymentType) ?? '' } }
      : {}),
    ...(insuredCents === null ? {} : { [FULL_COVER]: { amount: centsToString(insuredCents) } }),
    ...(point ? { [POINT_SERVICES[point.kind]]: { node: point.node, name: point.name } } : {}),
  };
}

/** Only Italy is served: how Poste names other countries was not found. */
function addressOf(party: Party) {
  const { street, number } = streetOf(party, MAX.streetNumber);
  const phone = phoneDigits(party.phone);
  const isMobile = isItalianMobile(phone);
  return {
    ...namesOf(party),
    address: street,
    streetNumber: number,
    zipCode: party.zip.trim(),
    city: plain(party.city),
    province: party.province.trim().toUpperCase(),
    country: 'ITA1',
    countryName: 'Italia',
    email: party.email.trim(),
    phone: isMobile ? '' : phone,
    cellphone: isMobile ? phone : '',
    addressId: '',
  };
}

/** Returns the company with the person behind it, or the person alone. */
export function namesOf({ name, company }: Pick<Party, 'name' | 'company'>): {
  nameSurname: string;
  contactName: string;
} {
  const [person, firm] = [plain(name), plain(company)];
  return { nameSurname: firm || person, contactName: firm === '' || firm === person ? '' : person };
}

/** Cuts the contents, which the warnings say. */
export function contentsOf({ contents }: ShipmentDraft): string {
  return shorten(plain(contents), MAX.contents);
}

/** Spreads the note over the sender's two notes, since only those are printed. It is cut, which the warnings say. */
export function notesOf({ note }: ShipmentDraft): string[] {
  return linesOf(note, { max: MAX.note, lines: 2 });
}
