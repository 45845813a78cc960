import type { DraftLine, Party, ShipmentDraft } from '../adapter.ts';
import { commodityCode, isCount, lineProblems } from '../customs.ts';
import { totalGrams } from '../parcels.ts';
import { checkParty, checkShipment, type PartyRules, problemsOf, type Unless, type Who } from '../parties.ts';
import { composedText as plain } from '../text.ts';
import { MAX } from './limits.ts';
import { contactOf, STREET } from './parties.ts';
import { routeOf } from './route.ts';
import { isProduct, isValueAdded } from './services.ts';

/** Lists the problems of a draft in plain words. Faults that only the account shows are found before the call. */
export function checkDraft(draft: ShipmentDraft): string[] {
  const { isDeclarable } = routeOf(draft.sender, draft.recipient);
  return [...problemsOf((unless) => checkOrder(draft, unless)), ...(isDeclarable ? customsProblems(draft.lines) : [])];
}

function checkOrder(draft: ShipmentDraft, unless: Unless): void {
  checkShipment(draft, { carrier: 'DHL', max: MAX }, unless);
  checkParcels(draft, unless);
  checkAddress(draft.sender, 'sender', unless);
  checkAddress(draft.recipient, 'recipient', unless);
  unless(plain(draft.contents) !== '', 'DHL wants a description of the contents');
  unless(draft.cod === null, 'DHL Express does not collect cash on delivery');
  if (draft.insuredCents !== null) unless(draft.insuredCents > 0, 'The insured amount must be above zero');
  unless(/^[A-Z]{3}$/.test(draft.currency), 'The currency must be its three letters');
  unless(draft.labelFormat !== 'pdf-a5', 'DHL prints labels as PDF in A6 or A4 and as ZPL, not in A5');
  checkOptions(draft.options, unless);
}

function checkParcels({ parcels }: ShipmentDraft, unless: Unless): void {
  parcels.forEach(({ lengthMm, widthMm, heightMm }, index) => {
    unless(lengthMm > 0 && widthMm > 0 && heightMm > 0, `Parcel ${index + 1} needs length, width and height`);
  });
  const isLight = totalGrams(parcels) <= MAX.shipmentGrams;
  unless(isLight, `The parcels weigh more than the ${MAX.shipmentGrams / 1000} kg of one shipment`);
}

function checkAddress(party: Party, who: Who, unless: Unless): void {
  const { fullName, companyName, phone, email = '' } = contactOf(party);
  const rules: PartyRules = {
    carrier: 'DHL',
    write: plain,
    name: fullName,
    street: STREET,
    lengths: {
      name: [fullName, MAX.fullName],
      company: [companyName, MAX.companyName],
      city: [plain(party.city), MAX.city],
      postcode: [plain(party.zip), MAX.postcode],
      province: [plain(party.province), MAX.province],
      'phone number': [phone, MAX.phone],
      'e-mail address': [email, MAX.email],
    },
  };
  checkParty(party, who, rules, unless);
  unless(phone !== '', `The ${who} needs a phone number`);
}

function checkOptions(options: readonly string[], unless: Unless): void {
  for (const code of options) {
    unless(isProduct(code) || isValueAdded(code), `DHL has no service "${code}" that can be ordered here`);
  }
  unless(new Set(options.filter(isProduct)).size <= 1, 'Only one product of DHL can be chosen for a shipment');
}

/** Lists the gaps of a customs declaration, line by line. */
function customsProblems(lines: readonly DraftLine[]): string[] {
  if (lines.length === 0) return ['A parcel that is declared to customs needs the lines of the order'];
  const tooMany = lines.length > MAX.lines ? [`DHL takes up to ${MAX.lines} lines for customs`] : [];
  const problems = lineProblems(lines, 'for customs', (line) => {
    const { length } = plain(line.description);
    return {
      'a description': length > 0,
      [`a description of up to ${MAX.lineDescription} characters (it has ${length})`]: length <= MAX.lineDescription,
      'a quantity of 1 or more': isCount(line.quantity, Infinity),
      'a value above zero': line.unitValueCents > 0,
      'a weight': line.weightGrams > 0,
      'a customs code of 2 to 18 digits': /^\d{2,18}$/.test(commodityCode(line)),
      'a country of origin': /^[A-Za-z]{2}$/.test(line.originCountry),
    };
  });
  return [...tooMany, ...problems];
}
