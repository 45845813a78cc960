import { describe, expect, it } from 'vitest';
import type { ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { fedex } from '../../../src/carriers/fedex/index.ts';
import { buildDraft, buildParty, buildReturn } from '../../support/build-draft.ts';
import { exported } from './replies.ts';

const [parcel = { weightGrams: 1200, lengthMm: 300, widthMm: 200, heightMm: 100 }] = buildDraft().parcels;
const [line] = buildDraft().lines;
const problemsOf = (draft: ShipmentDraft) => fedex.check?.(draft, {}) ?? [];
const to = (overrides: Parameters<typeof buildParty>[0]) => ({ recipient: buildParty(overrides) });
const lineOf = (overrides: object) => (line ? [{ ...line, ...overrides }] : []);

describe('FedEx takes', () => {
  it.each([
    ['an ordinary parcel', {}],
    ['as many and as heavy parcels as it may', { parcels: Array(30).fill({ ...parcel, weightGrams: 68_000 }) }],
    ['a parcel without sizes', { parcels: [{ ...parcel, lengthMm: 0 }] }],
    ['letters of Western Europe and their neighbours', to({ name: 'Zoë Łukasiewicz', city: 'Forlì’' })],
    ['an address of three full lines', to({ address: Array(3).fill('x'.repeat(35)).join(' ') })],
    ['a service of live rates', { options: ['FEDEX_FIRST'] }],
    ['insurance', { insuredCents: 9_999_999 }],
    ['a return', buildReturn()],
  ] as [string, Partial<ShipmentDraft>][])('%s', (_what, overrides) => {
    expect(problemsOf(buildDraft(overrides))).toEqual([]);
  });

  it.each([
    ['outside the Union', exported()],
    [
      'within it, without a customs code',
      buildDraft({ ...to({ countryCode: 'DE' }), lines: lineOf({ commodityCode: '' }) }),
    ],
    ['to the United States', buildDraft(to({ countryCode: 'US', province: 'TN', phone: '+1 901 555 0100' }))],
  ])('goods %s', (_what, draft) => {
    expect(problemsOf(draft)).toEqual([]);
  });
});

describe('FedEx refuses', () => {
  it.each([
    ['no parcel', { parcels: [] }, 'FedEx takes 1 to 30 parcels per shipment'],
    [
      'a return from a neighbour in the Union',
      buildReturn({ sender: buildParty({ countryCode: 'DE' }) }),
      'This adapter orders FedEx returns within one country only',
    ],
    ['31 parcels', { parcels: Array(31).fill(parcel) }, 'FedEx takes 1 to 30 parcels per shipment'],
    ['no weight', { parcels: [{ ...parcel, weightGrams: 0 }] }, 'Parcel 1 needs a weight above zero'],
    ['68.1 kg', { parcels: [{ ...parcel, weightGrams: 68_100 }] }, 'Parcel 1 weighs more than the 68 kg of FedEx'],
    ['10 m', { parcels: [{ ...parcel, lengthMm: 10_000 }] }, 'Parcel 1 is 1000 cm long, FedEx takes 999'],
    ['an odd reference', { reference: 'sm 1' }, 'The reference must be 1 to 40 letters A-Z or digits'],
    ['cash', { cod: { amountCents: 1, paymentType: '' } }, 'FedEx does not collect cash on delivery in Europe'],
    [
      'a location',
      { pickupPointId: 'X' },
      'FedEx delivers to addresses only here: choose another carrier, or leave the pick-up point out',
    ],
    ['A5', { labelFormat: 'pdf-a5' }, expect.stringContaining('not in A5')],
    ['no contents', { contents: ' ' }, 'FedEx wants a description of the contents'],
    ['francs', { currency: 'CHF' }, 'This adapter ships with FedEx in EUR and USD only'],
    ['an option', { options: ['SAT'] }, 'FedEx has no service "SAT" that can be ordered here'],
    ['two services', { options: ['A_B', 'C_D'] }, 'Only one service of FedEx can be chosen for a shipment'],
    ['insurance of nothing', { insuredCents: 0 }, 'The insured amount must be above zero'],
    ['a treasure', { insuredCents: 10_000_000 }, 'FedEx is liable for less than 100,000 per shipment'],
    ['no name', to({ name: '' }), 'The recipient needs a name'],
    ['a long name', to({ name: 'x'.repeat(71) }), 'The name of the recipient has 71 characters, FedEx takes 70'],
    [
      'a long company',
      to({ company: 'x'.repeat(36) }),
      'The company of the recipient has 36 characters, FedEx takes 35',
    ],
    ['no address', to({ address: '' }), 'The recipient needs an address'],
    ['a long address', to({ address: 'x'.repeat(36) }), expect.stringContaining('does not fit into the 3 lines of 35')],
    ['no city', to({ city: '' }), 'The recipient needs a city'],
    ['a long city', to({ city: 'x'.repeat(36) }), 'The city of the recipient has 36 characters, FedEx takes 35'],
    ['a long postcode', to({ zip: '12345678901' }), 'The postcode of the recipient has 11 characters, FedEx takes 10'],
    ['no phone', to({ phone: '' }), 'The phone number of the recipient has 0 digits, FedEx wants 10 to 15'],
    ['nine digits', to({ phone: '021234567' }), 'The phone number of the recipient has 9 digits, FedEx wants 10 to 15'],
    ['Greek letters', to({ city: 'Αθήνα' }), 'FedEx is told Latin letters: write the city of the recipient in them'],
  ] as [string, Partial<ShipmentDraft>, unknown][])('%s', (_what, overrides, problem) => {
    expect(problemsOf(buildDraft(overrides))).toEqual([problem]);
  });

  it('senders as incomplete as recipients', () => {
    expect(problemsOf(buildDraft({ sender: buildParty({ phone: '' }) }))).toEqual([
      'The phone number of the sender has 0 digits, FedEx wants 10 to 15',
    ]);
  });

  it('American addresses without a state or with an Italian number', () => {
    expect(problemsOf(buildDraft(to({ countryCode: 'US', province: '' })))).toEqual([
      'The phone number of the recipient must have ten digits after the 1 of the country',
      'In US the recipient needs a state of two letters',
    ]);
  });

  it.each([
    ['a description', { description: '' }, 'a description of 1 to 450 characters'],
    ['a short one', { description: 'x'.repeat(451) }, 'a description of 1 to 450 characters'],
    ['a quantity', { quantity: 0 }, 'a quantity of 1 to 9999'],
    ['a small one', { quantity: 10_000, unitValueCents: 1 }, 'a quantity of 1 to 9999'],
    ['a value', { unitValueCents: 0 }, 'a value above zero'],
    ['a weight', { weightGrams: 0 }, 'a weight above zero'],
    ['an origin', { originCountry: '' }, 'a country of origin'],
    ['a code', { commodityCode: '6912' }, 'a customs code of at least six digits'],
  ])('lines that need %s to cross a border', (_what, overrides, lack) => {
    expect(problemsOf(exported({ lines: lineOf(overrides) }))).toEqual([
      `Line 1 (MUG-01) needs to cross a border: ${lack}`,
    ]);
  });

  it('goods without lines, with too many, or of too much value', () => {
    expect(problemsOf(exported({ lines: [] }))).toEqual([
      'A parcel that crosses a border needs the lines of the order',
    ]);
    expect(problemsOf(exported({ lines: Array(100).fill(line) }))).toEqual([
      'FedEx takes up to 99 lines of what crosses a border',
    ]);
    expect(problemsOf(exported({ lines: lineOf({ sku: '', weightGrams: 0, unitValueCents: 9_999_999 }) }))).toEqual([
      'Line 1 needs to cross a border: a weight above zero',
      'FedEx takes goods of less than 100,000 across a border',
    ]);
  });

  it('more insurance across a border than the goods are worth', () => {
    expect(problemsOf(exported({ insuredCents: 2050 }))).toEqual([]);
    expect(problemsOf(exported({ insuredCents: 2051 }))).toEqual([expect.stringContaining('not liable for more')]);
  });
});
