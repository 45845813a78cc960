import { isDeclarable, isInUnion } from '../../domain/customs-territory.ts';
import type { Party, ShipmentDraft } from '../adapter.ts';
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
import { asksForInvoice, invoiceProblems } from './customs.ts';
import { MAX } from './limits.ts';
import { namesOf, phoneOf, STREET, sidesOf } from './parties.ts';
import { fundsCode, isProduct, SATURDAY } from './services.ts';

/** UPS prints its labels in Latin-1 unless another alphabet is ordered. */
const LETTERS = { rule: 'UPS prints Latin letters', write: plain };

/** Lists the problems of a draft in plain words. */
export function checkDraft(draft: ShipmentDraft): string[] {
  return [
    ...problemsOf((unless) => checkOrder(draft, unless)),
    ...(!draft.isReturn && asksForInvoice(draft) ? invoiceProblems(draft.lines) : []),
  ];
}

function checkOrder(draft: ShipmentDraft, unless: Unless): void {
  const { sender, recipient } = draft;
  checkShipment(draft, { carrier: 'UPS', max: MAX }, unless);
  checkParcels(draft, unless);
  checkAddress(sender, 'sender', unless);
  checkAddress(recipient, 'recipient', unless);
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
}

function checkReturn(draft: ShipmentDraft, unless: Unless): void {
  const { parcels, sender, recipient } = draft;
  unless(parcels.length <= MAX.returnParcels, `UPS takes up to ${MAX.returnParcels} parcels back at once`);
  unless(!isDeclarable(sender, recipient), 'This adapter orders no UPS returns across a border of customs');
}

function checkParcels({ parcels }: ShipmentDraft, unless: Unless): void {
  parcels.forEach((parcel, index) => {
    const name = `Parcel ${index + 1}`;
    const [length, width, height] = sidesOf(parcel) ?? [0, 0, 0];
    unless(parcel.weightGrams <= MAX.parcelGrams, `${name} weighs more than ${MAX.parcelGrams / 1000} kg`);
    unless(length <= MAX.lengthCm, `${name} is ${length} cm long, UPS takes ${MAX.lengthCm}`);
    const girth = length + 2 * (width + height);
    unless(
      girth <= MAX.girthCm,
      `${name} measures ${girth} cm in length and twice width and height, UPS takes ${MAX.girthCm}`,
    );
  });
}

function checkAddress(party: Party, who: Who, unless: Unless): void {
  const { Name, AttentionName } = namesOf(party);
  const rules: PartyRules = {
    carrier: 'UPS',
    write: plain,
    name: Name,
    street: STREET,
    lengths: {
      name: [AttentionName, MAX.name],
      ...(Name === AttentionName ? {} : { company: [Name, MAX.name] }),
      city: [plain(party.city), MAX.city],
      postcode: [plain(party.zip), MAX.postcode],
      'phone number': [phoneOf(party), MAX.phone],
    },
  };
  checkParty(party, who, rules, unless);
  checkLetters(party, who, LETTERS, unless);
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
