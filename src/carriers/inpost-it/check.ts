import type { Party, ShipmentDraft } from '../adapter.ts';
import { problemsOf, type Unless } from '../parties.ts';
import { phoneDigits, composedText as plain } from '../text.ts';
import { addressOf, NEEDS_ADDRESS } from './mapping.ts';
import type { Account } from './schema.ts';
import { fits, isMeasured, MAX_GRAMS, MAX_PARCELS, SIZES, sizeNamed, sizeOf } from './services.ts';

/** Lists what InPost would refuse, in plain words. */
export function checkDraft(draft: ShipmentDraft, account: Partial<Account>): string[] {
  return problemsOf((unless) => {
    unless(/^[A-Z0-9]+$/.test(draft.reference), 'The reference must be letters A-Z or digits');
    checkParcels(draft, unless);
    checkSize(draft, account, unless);
    checkRecipient(draft, unless);
    checkMoney(draft, unless);
    unless(draft.labelFormat !== 'pdf-a5', 'InPost prints labels as PDF in A6 or A4 and as ZPL, not in A5');
    if (account.sendingMethod === 'dispatch_order') {
      unless(addressOf(draft.sender) !== null, `InPost fetches the parcel, so ${NEEDS_ADDRESS}`);
    }
  });
}

function checkParcels({ parcels, options }: ShipmentDraft, unless: Unless): void {
  unless(parcels.length === MAX_PARCELS, 'InPost takes one parcel per shipment to a locker');
  parcels.forEach(({ weightGrams }, index) => {
    unless(weightGrams > 0, `Parcel ${index + 1} needs a weight above zero`);
    unless(weightGrams <= MAX_GRAMS, `Parcel ${index + 1} is above the limit of ${MAX_GRAMS / 1000} kg`);
  });
  for (const code of options) {
    unless(sizeNamed(code) !== undefined, `InPost has no service "${code}" that can be ordered here`);
  }
  unless(new Set(options.filter(sizeNamed)).size <= 1, 'Only one of the sizes S, M and L can be chosen');
}

function checkSize(draft: ShipmentDraft, account: Partial<Account>, unless: Unless): void {
  const [parcel] = draft.parcels;
  if (!parcel) return;
  const size = sizeOf(draft, account);
  const sides = `${parcel.lengthMm} x ${parcel.widthMm} x ${parcel.heightMm} mm`;
  if (!isMeasured(parcel)) {
    unless(
      size !== undefined,
      'The parcel needs length, width and height, or one of the sizes S, M and L: as an option of the order, or as defaultSize of the account',
    );
  } else if (size === undefined) {
    unless(
      false,
      `The parcel (${sides}) does not fit into the largest locker, ${SIZES.at(-1)?.sidesMm.join(' x ')} mm`,
    );
  } else {
    unless(
      fits(parcel, size),
      `The parcel (${sides}) does not fit into size ${size.code}, ${size.sidesMm.join(' x ')} mm`,
    );
  }
}

/** InPost writes to the recipient when the parcel is there. */
function checkRecipient({ recipient, pickupPointId }: ShipmentDraft, unless: Unless): void {
  unless(/^\S+$/.test(pickupPointId ?? ''), 'InPost delivers to its lockers and shops: choose a pick-up point');
  unless(nameOf(recipient) !== '', 'The recipient needs a name');
  unless(phoneDigits(recipient.phone) !== '', 'A delivery to a locker needs the phone number of the recipient');
  unless(/^\S+@\S+$/.test(recipient.email.trim()), 'A delivery to a locker needs the e-mail address of the recipient');
}

function nameOf({ name, company }: Party): string {
  return plain(name) || plain(company);
}

function checkMoney({ cod, insuredCents, currency }: ShipmentDraft, unless: Unless): void {
  unless(insuredCents === null, 'Insurance with InPost is not known to exist in Italy: leave it out');
  if (cod === null) return;
  unless(cod.amountCents > 0, 'The cash on delivery amount must be above zero');
  unless(currency === 'EUR', 'InPost collects cash on delivery in EUR');
}
