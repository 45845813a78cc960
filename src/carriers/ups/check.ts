import { isDeclarable, isInUnion } from '../../domain/customs-territory.ts';
import type { Party, ShipmentDraft } from '../adapter.ts';
import { asksForInvoice, invoiceProblems } from './customs.ts';
import { MAX } from './limits.ts';
import { namesOf, phoneOf, sidesOf, streetOf } from './parties.ts';
import { fundsCode, isProduct, SATURDAY } from './services.ts';
import { isUnwritable, plain } from './text.ts';

type Unless = (fine: boolean, problem: string) => void;

/** Problems in plain words. */
export function checkDraft(draft: ShipmentDraft): string[] {
  const problems: string[] = [];
  const unless: Unless = (fine, problem) => void (fine || problems.push(problem));
  const { sender, recipient } = draft;

  unless(/^[A-Z0-9]{1,35}$/.test(draft.reference), `The reference must be 1 to ${MAX.reference} letters A-Z or digits`);
  checkParcels(draft, unless);
  checkParty(sender, 'sender', unless);
  checkParty(recipient, 'recipient', unless);
  if (sender.countryCode !== recipient.countryCode) {
    unless(phoneOf(sender) !== '' && phoneOf(recipient) !== '', 'Abroad UPS wants the phone numbers of both sides');
  }
  const isAmerican = ({ countryCode }: Party): boolean => /^(US|PR)$/i.test(countryCode);
  unless(!isAmerican(sender) || !isAmerican(recipient), 'This adapter does not ship within the United States');
  unless(plain(draft.contents) !== '', 'UPS wants a description of the contents');
  unless(/^[A-Z]{3}$/.test(draft.currency), 'The currency must be its three letters');
  checkMoney(draft, unless);
  checkOptions(draft, unless);
  if (draft.isReturn) checkReturn(draft, unless);
  else if (asksForInvoice(draft)) problems.push(...invoiceProblems(draft.lines));
  return problems;
}

function checkReturn(draft: ShipmentDraft, unless: Unless): void {
  const { parcels, sender, recipient } = draft;
  unless(parcels.length <= MAX.returnParcels, `UPS takes up to ${MAX.returnParcels} parcels back at once`);
  unless(!isDeclarable(sender, recipient), 'This adapter orders no UPS returns across a border of customs');
}

function checkParcels({ parcels }: ShipmentDraft, unless: Unless): void {
  unless(parcels.length >= 1 && parcels.length <= MAX.parcels, `UPS takes 1 to ${MAX.parcels} parcels per shipment`);
  parcels.forEach((parcel, index) => {
    const name = `Parcel ${index + 1}`;
    const [length, width, height] = sidesOf(parcel) ?? [0, 0, 0];
    unless(parcel.weightGrams > 0, `${name} needs a weight above zero`);
    unless(parcel.weightGrams <= MAX.parcelGrams, `${name} weighs more than ${MAX.parcelGrams / 1000} kg`);
    unless(length <= MAX.lengthCm, `${name} is ${length} cm long, UPS takes ${MAX.lengthCm}`);
    const girth = length + 2 * (width + height);
    unless(
      girth <= MAX.girthCm,
      `${name} measures ${girth} cm in length and twice width and height, UPS takes ${MAX.girthCm}`,
    );
  });
}

function checkParty(party: Party, who: 'sender' | 'recipient', unless: Unless): void {
  const { Name, AttentionName } = namesOf(party);
  const phone = phoneOf(party);
  const city = plain(party.city);
  const within = (what: string, length: number, max: number): void =>
    unless(length <= max, `The ${what} of the ${who} has ${length} characters, UPS takes ${max}`);

  unless(Name !== '', `The ${who} needs a name`);
  within('name', AttentionName.length, MAX.name);
  if (Name !== AttentionName) within('company', Name.length, MAX.name);
  unless(plain(party.address) !== '', `The ${who} needs an address`);
  unless(
    streetOf(party) !== null,
    `The address of the ${who} does not fit into the ${MAX.addressLines} lines of ${MAX.addressLine} characters that UPS takes`,
  );
  unless(city !== '', `The ${who} needs a city`);
  within('city', city.length, MAX.city);
  within('postcode', plain(party.zip).length, MAX.postcode);
  within('phone number', phone.length, MAX.phone);
  unless(/^[A-Za-z]{2}$/.test(party.countryCode), `The country of the ${who} must be its two letters`);
  for (const [what, value] of Object.entries({
    name: party.name,
    company: party.company,
    address: `${party.address} ${party.address2}`,
    city: party.city,
  })) {
    unless(!isUnwritable(value), `UPS prints Latin letters: write the ${what} of the ${who} in them`);
  }
}

function checkMoney({ cod, insuredCents, sender, pickupPointId }: ShipmentDraft, unless: Unless): void {
  if (insuredCents !== null) unless(insuredCents > 0, 'The insured amount must be above zero');
  if (!cod) return;
  unless(cod.amountCents > 0, 'The amount of the cash on delivery must be above zero');
  unless(fundsCode(cod.paymentType) !== undefined, `UPS cannot collect by "${cod.paymentType}"`);
  unless(isInUnion(sender.countryCode), 'UPS collects cash on delivery for senders in the European Union only');
  unless(pickupPointId === null, 'UPS does not collect cash on delivery at an Access Point');
}

function checkOptions({ options, pickupPointId }: ShipmentDraft, unless: Unless): void {
  for (const code of options) {
    unless(isProduct(code) || code === SATURDAY, `UPS has no service "${code}" that can be ordered here`);
  }
  unless(new Set(options.filter(isProduct)).size <= 1, 'Only one service of UPS can be chosen for a shipment');
  unless(
    pickupPointId === null || /^[A-Za-z0-9]{9}$/.test(pickupPointId),
    'The id of a UPS Access Point has nine letters or digits',
  );
}
