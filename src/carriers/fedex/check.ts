import type { Party, ShipmentDraft } from '../adapter.ts';
import { customsCents, customsProblems, isInternational } from './customs.ts';
import { MAX, PHONE_DIGITS } from './limits.ts';
import { hasStates, partyOf, phoneOf, sidesOf, streetOf } from './parties.ts';
import { isService } from './services.ts';
import { isUnwritable, plain } from './text.ts';

type Unless = (fine: boolean, problem: string) => void;

/** FedEx has letters of its own for some currencies (SFR for Swiss francs): only these are known to be the usual ones. */
const CURRENCIES = ['EUR', 'USD'];

/** Problems in plain words. */
export function checkDraft(draft: ShipmentDraft): string[] {
  const problems: string[] = [];
  const unless: Unless = (fine, problem) => void (fine || problems.push(problem));

  unless(/^[A-Z0-9]{1,40}$/.test(draft.reference), `The reference must be 1 to ${MAX.reference} letters A-Z or digits`);
  checkParcels(draft, unless);
  checkParty(draft.sender, 'sender', unless);
  checkParty(draft.recipient, 'recipient', unless);
  unless(plain(draft.contents) !== '', 'FedEx wants a description of the contents');
  unless(CURRENCIES.includes(draft.currency), 'This adapter ships with FedEx in EUR and USD only');
  unless(draft.cod === null, 'FedEx does not collect cash on delivery in Europe');
  unless(
    draft.labelFormat !== 'pdf-a5',
    'FedEx prints labels as PDF of 4 by 6 inches (A6) or on a whole sheet (A4) and as ZPL, not in A5',
  );
  checkInsurance(draft, unless);
  for (const code of draft.options) unless(isService(code), `FedEx has no service "${code}" that can be ordered here`);
  unless(new Set(draft.options).size <= 1, 'Only one service of FedEx can be chosen for a shipment');
  if (draft.isReturn) unless(!isInternational(draft), 'This adapter orders FedEx returns within one country only');
  else if (isInternational(draft)) problems.push(...customsProblems(draft));
  return problems;
}

function checkParcels({ parcels }: ShipmentDraft, unless: Unless): void {
  unless(parcels.length >= 1 && parcels.length <= MAX.parcels, `FedEx takes 1 to ${MAX.parcels} parcels per shipment`);
  parcels.forEach((parcel, index) => {
    const name = `Parcel ${index + 1}`;
    const longest = Math.max(...(sidesOf(parcel) ?? [0]));
    unless(parcel.weightGrams > 0, `${name} needs a weight above zero`);
    unless(parcel.weightGrams <= MAX.parcelGrams, `${name} weighs more than the ${MAX.parcelGrams / 1000} kg of FedEx`);
    unless(longest <= MAX.sideCm, `${name} is ${longest} cm long, FedEx takes ${MAX.sideCm}`);
  });
}

function checkParty(party: Party, who: 'sender' | 'recipient', unless: Unless): void {
  const { personName, companyName = '' } = partyOf(party).contact;
  const city = plain(party.city);
  const phone = phoneOf(party);
  const within = (what: string, length: number, max: number): void =>
    unless(length <= max, `The ${what} of the ${who} has ${length} characters, FedEx takes ${max}`);

  unless(personName !== '', `The ${who} needs a name`);
  within('name', personName.length, MAX.name);
  within('company', companyName.length, MAX.company);
  unless(plain(party.address) !== '', `The ${who} needs an address`);
  unless(
    streetOf(party) !== null,
    `The address of the ${who} does not fit into the ${MAX.streetLines} lines of ${MAX.streetLine} characters that FedEx takes`,
  );
  unless(city !== '', `The ${who} needs a city`);
  within('city', city.length, MAX.city);
  within('postcode', plain(party.zip).length, MAX.postcode);
  unless(/^[A-Za-z]{2}$/.test(party.countryCode), `The country of the ${who} must be its two letters`);
  unless(
    phone.length >= PHONE_DIGITS.min && phone.length <= PHONE_DIGITS.max,
    `The phone number of the ${who} has ${phone.length} digits, FedEx wants ${PHONE_DIGITS.min} to ${PHONE_DIGITS.max}`,
  );
  if (hasStates(party)) {
    unless(/^1?\d{10}$/.test(phone), `The phone number of the ${who} must have ten digits after the 1 of the country`);
    const state = plain(party.province);
    unless(
      /^[A-Za-z]{2}$/.test(state),
      `In ${party.countryCode.toUpperCase()} the ${who} needs a state of two letters`,
    );
  }
  checkLetters(party, who, unless);
}

function checkLetters(party: Party, who: 'sender' | 'recipient', unless: Unless): void {
  for (const [what, value] of Object.entries({
    name: party.name,
    company: party.company,
    address: `${party.address} ${party.address2}`,
    city: party.city,
  })) {
    unless(!isUnwritable(value), `FedEx is told Latin letters: write the ${what} of the ${who} in them`);
  }
}

function checkInsurance(draft: ShipmentDraft, unless: Unless): void {
  const { insuredCents, lines } = draft;
  if (insuredCents === null) return;
  unless(insuredCents > 0, 'The insured amount must be above zero');
  unless(insuredCents <= MAX.amountCents, 'FedEx is liable for less than 100,000 per shipment');
  unless(
    !isInternational(draft) || insuredCents <= customsCents(lines),
    'FedEx is not liable for more than the value of the goods that is declared at the border',
  );
}
