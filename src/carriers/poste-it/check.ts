import type { Party, ShipmentDraft } from '../adapter.ts';
import { problemsOf, type Unless } from '../parties.ts';
import { phoneDigits } from '../text.ts';
import { MAX } from './limits.ts';
import { namesOf } from './mapping.ts';
import { readPointId } from './pickup-points.ts';
import { collectionMode, isAccessory, isProduct, TIME_DEFINITE } from './services.ts';
import { isUnwritable, plain, streetOf } from './text.ts';

/**
 * Lists what Poste would refuse, in plain words. It has no rule for shortening names and addresses, so too long ones
 * are refused.
 */
export function checkDraft(draft: ShipmentDraft): string[] {
  return problemsOf((unless) => {
    const fits = new RegExp(`^[A-Z0-9]{1,${MAX.reference}}$`).test(draft.reference);
    unless(fits, `The reference must be 1 to ${MAX.reference} letters A-Z or digits`);
    checkParcels(draft, unless);
    checkParty(draft.sender, 'sender', unless);
    checkParty(draft.recipient, 'recipient', unless);
    checkWords(draft, unless);
    checkMoney(draft, unless);
    checkOptions(draft, unless);
    checkPoint(draft, unless);
    unless(draft.labelFormat !== 'pdf-a5', 'Poste prints labels as PDF of 10 x 11 cm or A4 and as ZPL, not in A5');
  });
}

function checkParcels({ parcels }: ShipmentDraft, unless: Unless): void {
  const count = parcels.length;
  unless(count >= 1 && count <= MAX.parcels, `A shipment with Poste has 1 to ${MAX.parcels} parcels here`);
  parcels.forEach(({ weightGrams, lengthMm, widthMm, heightMm }, index) => {
    unless(weightGrams > 0, `Parcel ${index + 1} needs a weight above zero`);
    unless(weightGrams <= MAX.parcelGrams, `Parcel ${index + 1} weighs more than ${MAX.parcelGrams / 1000} kg`);
    unless(lengthMm > 0 && widthMm > 0 && heightMm > 0, `Parcel ${index + 1} needs length, width and height`);
  });
}

function checkParty(party: Party, who: 'sender' | 'recipient', unless: Unless): void {
  const { nameSurname, contactName } = namesOf(party);
  const { street } = streetOf(party, MAX.streetNumber);
  const city = plain(party.city);
  const within = (what: string, { length }: string, max: number): void =>
    unless(length <= max, `The ${what} of the ${who} has ${length} characters, Poste takes ${max}: shorten it`);

  for (const written of [party.name, party.company, party.address, party.address2, party.city]) {
    unless(
      !isUnwritable(written),
      `"${written}" of the ${who} has letters that cannot be written for Poste: use Latin ones`,
    );
  }
  unless(nameSurname !== '', `The ${who} needs a name`);
  within(plain(party.company) === '' ? 'name' : 'company', nameSurname, MAX.name);
  within('name', contactName, MAX.name);
  unless(street !== '', `The ${who} needs an address`);
  within(party.address2.trim() === '' ? 'street' : 'street with its second line', street, MAX.address);
  unless(city !== '', `The ${who} needs a city`);
  within('city', city, MAX.city);
  within('e-mail address', party.email.trim(), MAX.email);
  const { length: digits } = phoneDigits(party.phone).replaceAll('+', '');
  unless(
    digits <= MAX.phoneDigits,
    `The phone number of the ${who} has ${digits} digits, Poste takes ${MAX.phoneDigits}`,
  );
  unless(party.countryCode.toUpperCase() === 'IT', `This adapter ships within Italy only, and the ${who} is abroad`);
  unless(/^\d{5}$/.test(party.zip.trim()), `The postcode of the ${who} must be five digits`);
  unless(/^[A-Za-z]{2}$/.test(party.province.trim()), `The province of the ${who} must be its two letters`);
}

function checkWords({ contents, note }: ShipmentDraft, unless: Unless): void {
  unless(!isUnwritable(contents), 'The contents have letters that cannot be written for Poste: use Latin ones');
  unless(!isUnwritable(note), 'The note has letters that cannot be written for Poste: use Latin ones');
}

function checkMoney({ cod, insuredCents, currency }: ShipmentDraft, unless: Unless): void {
  if (cod) {
    unless(cod.amountCents > 0, 'The cash on delivery amount must be above zero');
    unless(collectionMode(cod.paymentType) !== undefined, `Poste cannot collect by "${cod.paymentType}"`);
  }
  if (insuredCents !== null) unless(insuredCents > 0, 'The insured amount must be above zero');
  if (cod || insuredCents !== null) unless(currency === 'EUR', 'Poste collects and insures in EUR only');
}

function checkOptions({ options }: ShipmentDraft, unless: Unless): void {
  for (const code of options) {
    unless(isProduct(code) || isAccessory(code), `Poste has no service "${code}" that can be ordered here`);
  }
  const chosen = new Set(options);
  unless([...chosen].filter(isProduct).length <= 1, 'Only one product of Poste can be chosen for a shipment');
  unless(
    TIME_DEFINITE.filter((code) => chosen.has(code)).length <= 1,
    `Only one of ${TIME_DEFINITE.join(', ')} can be chosen for a shipment`,
  );
}

function checkPoint({ pickupPointId, parcels }: ShipmentDraft, unless: Unless): void {
  if (pickupPointId === null) return;
  const point = readPointId(pickupPointId);
  unless(point !== null, `"${pickupPointId}" is no pick-up point of Poste: take its id from the search for points`);
  unless(point?.kind !== 'APT' || parcels.length === 1, 'A locker of Poste takes one parcel per shipment');
}
