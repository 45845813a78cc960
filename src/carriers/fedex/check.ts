import type { Party, ShipmentDraft } from '../adapter.ts';
import { linesCents } from '../customs.ts';
import { sidesCm } from '../parcels.ts';
import {
  checkLetters,
  checkParty,
  checkShipment,
  type PartyRules,
  problemsOf,
  type Unless,
  type Who,
} from '../parties.ts';
import { latin1Text as plain } from '../text.ts';
import { customsProblems, isInternational } from './customs.ts';
import { MAX, PHONE_DIGITS } from './limits.ts';
import { hasStates, partyOf, phoneOf, STREET } from './parties.ts';
import { isService } from './services.ts';

/** The descriptions do not say which letters FedEx prints: Western Europe needs those of Latin-1. */
const LETTERS = { rule: 'FedEx is told Latin letters', write: plain };

/** FedEx has letters of its own for some currencies (SFR for Swiss francs): only these are known to be the usual ones. */
const CURRENCIES = ['EUR', 'USD'];

/** Lists the problems of a draft in plain words. */
export function checkDraft(draft: ShipmentDraft): string[] {
  return [
    ...problemsOf((unless) => checkOrder(draft, unless)),
    ...(!draft.isReturn && isInternational(draft) ? customsProblems(draft) : []),
  ];
}

function checkOrder(draft: ShipmentDraft, unless: Unless): void {
  checkShipment(draft, { carrier: 'FedEx', max: MAX }, unless);
  checkParcels(draft, unless);
  checkAddress(draft.sender, 'sender', unless);
  checkAddress(draft.recipient, 'recipient', unless);
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
}

function checkParcels({ parcels }: ShipmentDraft, unless: Unless): void {
  parcels.forEach((parcel, index) => {
    const name = `Parcel ${index + 1}`;
    const longest = Math.max(...(sidesCm(parcel) ?? [0]));
    unless(parcel.weightGrams <= MAX.parcelGrams, `${name} weighs more than the ${MAX.parcelGrams / 1000} kg of FedEx`);
    unless(longest <= MAX.sideCm, `${name} is ${longest} cm long, FedEx takes ${MAX.sideCm}`);
  });
}

function checkAddress(party: Party, who: Who, unless: Unless): void {
  const { personName, companyName = '' } = partyOf(party).contact;
  const rules: PartyRules = {
    carrier: 'FedEx',
    write: plain,
    name: personName,
    street: STREET,
    lengths: {
      name: [personName, MAX.name],
      company: [companyName, MAX.company],
      city: [plain(party.city), MAX.city],
      postcode: [plain(party.zip), MAX.postcode],
    },
  };
  checkParty(party, who, rules, unless);
  const phone = phoneOf(party);
  unless(
    phone.length >= PHONE_DIGITS.min && phone.length <= PHONE_DIGITS.max,
    `The phone number of the ${who} has ${phone.length} digits, FedEx wants ${PHONE_DIGITS.min} to ${PHONE_DIGITS.max}`,
  );
  if (hasStates(party)) {
    unless(/^1?\d{10}$/.test(phone), `The phone number of the ${who} must have ten digits after the 1 of the country`);
    const isState = /^[A-Za-z]{2}$/.test(plain(party.province));
    unless(isState, `In ${party.countryCode.toUpperCase()} the ${who} needs a state of two letters`);
  }
  checkLetters(party, who, LETTERS, unless);
}

function checkInsurance(draft: ShipmentDraft, unless: Unless): void {
  const { insuredCents, lines } = draft;
  if (insuredCents === null) return;
  unless(insuredCents > 0, 'The insured amount must be above zero');
  unless(insuredCents <= MAX.amountCents, 'FedEx is liable for less than 100,000 per shipment');
  unless(
    !isInternational(draft) || insuredCents <= linesCents(lines),
    'FedEx is not liable for more than the value of the goods that is declared at the border',
  );
}
