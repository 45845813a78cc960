import type { DraftLine, Party, ShipmentDraft } from '../adapter.ts';
import { composedText as plain } from '../text.ts';
import { MAX } from './limits.ts';
import { contactOf, streetOf } from './parties.ts';
import { routeOf } from './route.ts';
import { isProduct, isValueAdded } from './services.ts';

type Unless = (fine: boolean, problem: string) => void;

/** Problems in plain words; what the account alone knows is looked at before the call. */
export function checkDraft(draft: ShipmentDraft): string[] {
  const problems: string[] = [];
  const unless: Unless = (fine, problem) => void (fine || problems.push(problem));

  unless(/^[A-Z0-9]{1,35}$/.test(draft.reference), `The reference must be 1 to ${MAX.reference} letters A-Z or digits`);
  checkParcels(draft, unless);
  checkParty(draft.sender, 'sender', unless);
  checkParty(draft.recipient, 'recipient', unless);
  unless(plain(draft.contents) !== '', 'DHL wants a description of the contents');
  unless(draft.cod === null, 'DHL Express does not collect cash on delivery');
  if (draft.insuredCents !== null) unless(draft.insuredCents > 0, 'The insured amount must be above zero');
  unless(/^[A-Z]{3}$/.test(draft.currency), 'The currency must be its three letters');
  unless(draft.labelFormat !== 'pdf-a5', 'DHL prints labels as PDF in A6 or A4 and as ZPL, not in A5');
  checkOptions(draft.options, unless);
  if (routeOf(draft.sender, draft.recipient).isDeclarable) checkCustoms(draft.lines, unless);
  return problems;
}

function checkParcels({ parcels }: ShipmentDraft, unless: Unless): void {
  unless(parcels.length >= 1 && parcels.length <= MAX.parcels, `DHL takes 1 to ${MAX.parcels} parcels per shipment`);
  parcels.forEach(({ weightGrams, lengthMm, widthMm, heightMm }, index) => {
    unless(weightGrams > 0, `Parcel ${index + 1} needs a weight above zero`);
    unless(lengthMm > 0 && widthMm > 0 && heightMm > 0, `Parcel ${index + 1} needs length, width and height`);
  });
  const total = parcels.reduce((sum, { weightGrams }) => sum + weightGrams, 0);
  unless(total <= MAX.shipmentGrams, `The parcels weigh more than the ${MAX.shipmentGrams / 1000} kg of one shipment`);
}

function checkParty(party: Party, who: 'sender' | 'recipient', unless: Unless): void {
  const { fullName, companyName, phone, email = '' } = contactOf(party);
  const city = plain(party.city);
  const within = (what: string, length: number, max: number): void =>
    unless(length <= max, `The ${what} of the ${who} has ${length} characters, DHL takes ${max}`);

  unless(fullName !== '', `The ${who} needs a name`);
  within('name', fullName.length, MAX.fullName);
  within('company', companyName.length, MAX.companyName);
  unless(plain(party.address) !== '', `The ${who} needs an address`);
  unless(
    streetOf(party) !== null,
    `The address of the ${who} does not fit into the ${MAX.addressLines} lines of ${MAX.addressLine} characters that DHL takes`,
  );
  unless(city !== '', `The ${who} needs a city`);
  within('city', city.length, MAX.city);
  within('postcode', plain(party.zip).length, MAX.postcode);
  within('province', plain(party.province).length, MAX.province);
  unless(/^[A-Za-z]{2}$/.test(party.countryCode), `The country of the ${who} must be its two letters`);
  unless(phone !== '', `The ${who} needs a phone number`);
  within('phone number', phone.length, MAX.phone);
  within('e-mail address', email.length, MAX.email);
}

function checkOptions(options: readonly string[], unless: Unless): void {
  for (const code of options) {
    unless(isProduct(code) || isValueAdded(code), `DHL has no service "${code}" that can be ordered here`);
  }
  unless(new Set(options.filter(isProduct)).size <= 1, 'Only one product of DHL can be chosen for a shipment');
}

/** What a customs declaration lacks, line by line. */
function checkCustoms(lines: readonly DraftLine[], unless: Unless): void {
  unless(lines.length > 0, 'A parcel that is declared to customs needs the lines of the order');
  unless(lines.length <= MAX.lines, `DHL takes up to ${MAX.lines} lines for customs`);
  lines.forEach((line, index) => {
    const lacks: string[] = [];
    const needs = (fine: boolean, what: string): void => void (fine || lacks.push(what));
    const { length } = plain(line.description);
    needs(length > 0, 'a description');
    needs(length <= MAX.lineDescription, `a description of up to ${MAX.lineDescription} characters (it has ${length})`);
    needs(Number.isInteger(line.quantity) && line.quantity >= 1, 'a quantity of 1 or more');
    needs(line.unitValueCents > 0, 'a value above zero');
    needs(line.weightGrams > 0, 'a weight');
    needs(/^\d{2,18}$/.test(commodityCode(line)), 'a customs code of 2 to 18 digits');
    needs(/^[A-Za-z]{2}$/.test(line.originCountry), 'a country of origin');
    const name = line.sku === '' ? `Line ${index + 1}` : `Line ${index + 1} (${line.sku})`;
    unless(lacks.length === 0, `${name} needs for customs: ${lacks.join(', ')}`);
  });
}

/** People write it with dots and spaces. */
export function commodityCode({ commodityCode: code }: Pick<DraftLine, 'commodityCode'>): string {
  return code.replace(/[\s.]/g, '');
}
