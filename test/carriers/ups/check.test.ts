import { describe, expect, it } from 'vitest';
import type { ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { latin1Text as plain } from '../../../src/carriers/text.ts';
import { ups } from '../../../src/carriers/ups/index.ts';
import { buildDraft, buildParty, buildReturn } from '../../support/build-draft.ts';
import { exported } from './replies.ts';

const parcel = { weightGrams: 1000, lengthMm: 300, widthMm: 200, heightMm: 100 };
const parcels = (overrides: Partial<typeof parcel>) => ({ parcels: [{ ...parcel, ...overrides }] });
const to = (overrides: Parameters<typeof buildParty>[0]) => ({ recipient: buildParty(overrides) });
const problemsOf = (draft: ShipmentDraft) => ups.check?.(draft, {}) ?? [];

describe('checking a draft for UPS', () => {
  it.each<[string, Partial<ShipmentDraft>]>([
    ['a usual draft', {}],
    [
      'money and services',
      { cod: { amountCents: 4990, paymentType: 'cash' }, insuredCents: 100, options: ['65', 'SAT'] },
    ],
    ['an Access Point', { pickupPointId: 'U12345678' }],
    ['no phone at home', to({ phone: '' })],
    ['letters that UPS prints, and some that have a Latin form', to({ name: 'Łukasz Müller', city: 'Forlì' })],
    ['the largest parcel', parcels({ lengthMm: 2700, widthMm: 150, heightMm: 150, weightGrams: 999_900 })],
    ['a parcel that nobody measured', parcels({ lengthMm: 0, widthMm: 0, heightMm: 0 })],
    ['three lines of address', to({ address: `${'a'.repeat(35)} ${'b'.repeat(35)}`, address2: 'c'.repeat(35) })],
    ['the papers of a neighbour in the Union, which nobody needs', { ...to({ countryCode: 'DE' }), lines: [] }],
    ['ZPL labels abroad without the lines', exported({ labelFormat: 'zpl', lines: [] })],
    ['every format of label', { labelFormat: 'pdf-a5' }],
    ['a return', buildReturn({ parcels: Array(20).fill(parcel) })],
    ['a return from a neighbour in the Union', buildReturn({ sender: buildParty({ countryCode: 'DE' }) })],
  ])('finds nothing wrong with %s', (_what, overrides) => {
    expect(problemsOf(buildDraft(overrides))).toEqual([]);
  });

  it.each<[string, Partial<ShipmentDraft>, RegExp]>([
    ['no parcel', { parcels: [] }, /1 to 200 parcels/],
    ['21 parcels back', buildReturn({ parcels: Array(21).fill(parcel) }), /up to 20 parcels back/],
    ['a return from abroad', { ...exported(), isReturn: true }, /no UPS returns across a border of customs/],
    ['201 parcels', { parcels: Array.from({ length: 201 }, () => parcel) }, /1 to 200 parcels/],
    ['a weight of zero', parcels({ weightGrams: 0 }), /Parcel 1 needs a weight/],
    ['too heavy a parcel', parcels({ weightGrams: 999_901 }), /Parcel 1 weighs more than 999\.9 kg/],
    ['too long a parcel', parcels({ lengthMm: 100, widthMm: 2701 }), /Parcel 1 is 271 cm long, UPS takes 270/],
    ['too bulky a parcel', parcels({ lengthMm: 1000, widthMm: 600, heightMm: 560 }), /Parcel 1 measures 332 cm/],
    ['a long name', to({ name: 'X'.repeat(36) }), /name of the recipient has 36 characters, UPS takes 35/],
    ['a long company', to({ company: 'X'.repeat(36) }), /company of the recipient has 36 characters, UPS takes 35/],
    ['no name', to({ name: ' ' }), /recipient needs a name/],
    ['no address', to({ address: '' }), /recipient needs an address/],
    ['a long address', to({ address: 'parola '.repeat(20) }), /3 lines of 35 characters/],
    ['a long city', to({ city: 'X'.repeat(31) }), /city of the recipient has 31 characters, UPS takes 30/],
    ['a long postcode', to({ zip: '1234567890' }), /postcode of the recipient has 10/],
    ['a long phone number', to({ phone: '1'.repeat(16) }), /phone number of the recipient has 16/],
    ['letters that UPS cannot print', to({ name: 'Анна' }), /Latin letters: write the name of the recipient/],
    ['an odd country', to({ countryCode: 'ITA' }), /country of the recipient/],
    ['a stranger without a phone', { ...to({ countryCode: 'DE', phone: '' }) }, /phone numbers of both sides/],
    ['no contents', { contents: ' ' }, /description of the contents/],
    ['an odd currency', { currency: 'euro' }, /three letters/],
    ['an odd reference', { reference: 'sm-1' }, /reference must be/],
    ['nothing to insure', { insuredCents: 0 }, /insured amount/],
    ['nothing to collect', { cod: { amountCents: 0, paymentType: '' } }, /cash on delivery must be above zero/],
    ['an odd way to pay', { cod: { amountCents: 100, paymentType: 'bitcoin' } }, /cannot collect by "bitcoin"/],
    [
      'cash for a sender outside the Union',
      { cod: { amountCents: 100, paymentType: '' }, sender: buildParty({ countryCode: 'CH', zip: '8001' }) },
      /in the European Union only/,
    ],
    [
      'cash at an Access Point',
      { cod: { amountCents: 100, paymentType: '' }, pickupPointId: 'U12345678' },
      /at an Access Point/,
    ],
    ['an odd Access Point', { pickupPointId: 'U1' }, /nine letters or digits/],
    ['an odd option', { options: ['SIGN'] }, /no service "SIGN"/],
    ['two services', { options: ['11', '65'] }, /Only one service/],
    [
      'a shipment within the United States',
      { sender: buildParty({ countryCode: 'US' }), ...to({ countryCode: 'US' }) },
      /within the United States/,
    ],
    ['papers without lines', exported({ lines: [] }), /needs the lines of the order/],
    ['a hundred lines and one', exported({ lines: Array.from({ length: 101 }, line) }), /up to 100 lines/],
    [
      'a line that customs would not take',
      exported({ lines: [{ ...line(), quantity: 0, unitValueCents: 0, commodityCode: '691', originCountry: '' }] }),
      /^Line 1 \(MUG-01\) needs for customs: a quantity of 1 to 9999999, a value above zero, a customs code .*, a country of origin$/,
    ],
    [
      'a line without a description',
      exported({ lines: [{ ...line(), sku: '', description: '' }] }),
      /^Line 1 needs for customs: a description$/,
    ],
    [
      'a line with a long description',
      exported({ lines: [{ ...line(), description: 'parola '.repeat(20) }] }),
      /a description of up to 3 lines of 35 characters/,
    ],
  ])('names %s', (_what, overrides, problem) => {
    const problems = problemsOf(buildDraft(overrides));

    expect(problems.join('\n')).toMatch(problem);
    expect(problems).toHaveLength(1);
  });
});

function line() {
  const [first] = buildDraft().lines;
  if (!first) throw new Error('A draft has lines');
  return first;
}

describe('writing for UPS', () => {
  it.each([
    ['Città di Castello', 'Città di Castello'],
    ['Łódź', "Lódz'"],
    ['“Bottega” – Œuvre', '"Bottega" - OEuvre'],
    ['a\tb\n c', 'a b c'],
    ['Афины', '?????'],
  ])('%s becomes %s', (written, sent) => {
    expect(plain(written)).toBe(sent);
  });
});
