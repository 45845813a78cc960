import { describe, expect, it } from 'vitest';
import type { DraftLine } from '../../../src/carriers/adapter.ts';
import { dhlExpress } from '../../../src/carriers/dhl-express/index.ts';
import { routeOf } from '../../../src/carriers/dhl-express/route.ts';
import { dhlTime, nextHandover } from '../../../src/carriers/dhl-express/schedule.ts';
import { composedText, linesOf } from '../../../src/carriers/text.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import { account, exported } from './replies.ts';

const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const line: DraftLine = {
  sku: 'MUG-01',
  description: 'Tazza in ceramica',
  quantity: 2,
  unitValueCents: 1025,
  weightGrams: 500,
  commodityCode: '6912.00 23',
  originCountry: 'IT',
};

describe('an account of DHL Express', () => {
  const read = (overrides: Record<string, unknown>) =>
    dhlExpress.account.safeParse(account('https://dhl.example/', overrides));

  it('has products, handover and address of its own unless it says otherwise', () => {
    const { baseUrl: _own, ...bare } = account('');

    expect(dhlExpress.account.parse(bare)).toMatchObject({
      productDomestic: 'N',
      productEu: 'U',
      productWorldwide: 'P',
      incoterm: 'DAP',
      customsInvoice: 'own',
      handoverTime: '17:00',
      timeZone: 'Europe/Rome',
      baseUrl: 'https://express.api.dhl.com/mydhlapi',
    });
    expect(read({ productEu: 'w' }).data).toMatchObject({ productEu: 'W', baseUrl: 'https://dhl.example' });
  });

  it.each([
    ['no username', { username: '' }],
    ['an account number of 13 characters', { accountNumber: '1060000010001' }],
    ['an unknown incoterm', { incoterm: 'FREE' }],
    ['a time zone that is none', { timeZone: 'Europe/Atlantis' }],
    ['an hour that is none', { handoverTime: '25:00' }],
    ['another resolution', { printerDpi: 203 }],
  ])('is refused with %s', (_what, overrides) => {
    expect(read(overrides).success).toBe(false);
  });
});

describe('checking a draft for DHL Express', () => {
  const problemsOf = (overrides: Parameters<typeof buildDraft>[0]) =>
    dhlExpress.check?.(buildDraft(overrides), {}) ?? [];

  it('finds nothing wrong with a usual draft, at home, in the Union and outside of it', () => {
    const usual = { insuredCents: 100, options: ['AA', '1'], labelFormat: 'zpl' as const };
    const french = buildParty({ countryCode: 'FR', zip: '75001', city: 'Paris', province: '' });

    expect(problemsOf(usual)).toEqual([]);
    expect(problemsOf({ ...usual, recipient: french, lines: [] })).toEqual([]);
    expect(dhlExpress.check?.(exported(), {})).toEqual([]);
  });

  it.each([
    ['no parcel', { parcels: [] }, 'DHL takes 1 to 999 parcels per shipment'],
    ['a weight of zero', { parcels: [{ ...parcel, weightGrams: 0 }] }, 'Parcel 1 needs a weight above zero'],
    ['no size', { parcels: [parcel, { ...parcel, widthMm: 0 }] }, 'Parcel 2 needs length, width and height'],
    [
      'three tons and more',
      { parcels: [{ ...parcel, weightGrams: 3_030_001 }] },
      'The parcels weigh more than the 3030 kg of one shipment',
    ],
    ['cash on delivery', { cod: { amountCents: 1, paymentType: '' } }, 'DHL Express does not collect cash on delivery'],
    ['an insurance of nothing', { insuredCents: 0 }, 'The insured amount must be above zero'],
    ['A5', { labelFormat: 'pdf-a5' }, 'DHL prints labels as PDF in A6 or A4 and as ZPL, not in A5'],
    ['an unknown service', { options: ['ZZ'] }, 'DHL has no service "ZZ" that can be ordered here'],
    ['two products', { options: ['N', 'I'] }, 'Only one product of DHL can be chosen for a shipment'],
    [
      'a service point',
      { pickupPointId: 'MIL001' },
      'DHL Express delivers to addresses only here: choose another carrier, or leave the pick-up point out',
    ],
    ['no contents', { contents: ' ' }, 'DHL wants a description of the contents'],
    ['no phone', { recipient: buildParty({ phone: '' }) }, 'The recipient needs a phone number'],
    ['no name', { recipient: buildParty({ name: ' ' }) }, 'The recipient needs a name'],
    ['no street', { sender: buildParty({ address: '' }) }, 'The sender needs an address'],
    [
      'a long street',
      { recipient: buildParty({ address: 'Via Lunga '.repeat(20) }) },
      'The address of the recipient does not fit into the 3 lines of 45 characters that DHL takes',
    ],
    [
      'a long city',
      { recipient: buildParty({ city: 'X'.repeat(46) }) },
      'The city of the recipient has 46 characters, DHL takes 45',
    ],
    [
      'a long company',
      { recipient: buildParty({ company: 'X'.repeat(101) }) },
      'The company of the recipient has 101 characters, DHL takes 100',
    ],
    [
      'a long e-mail address',
      { sender: buildParty({ email: `${'x'.repeat(70)}@example.com` }) },
      'The e-mail address of the sender has 82 characters, DHL takes 70',
    ],
  ] as const)('names %s', (_what, overrides, words) => {
    expect(problemsOf(overrides)).toEqual([words]);
  });

  it.each([
    ['a description', { description: ' ' }],
    ['a quantity of 1 or more', { quantity: 0 }],
    ['a value above zero', { unitValueCents: 0 }],
    ['a weight', { weightGrams: 0 }],
    ['a customs code of 2 to 18 digits', { commodityCode: '' }],
    ['a country of origin', { originCountry: '' }],
    ['a weight, a customs code of 2 to 18 digits', { weightGrams: 0, commodityCode: 'MUG' }],
    ['a description of up to 512 characters (it has 513)', { description: 'x'.repeat(513) }],
  ])('names a line that lacks %s for customs', (lacks, overrides) => {
    const draft = exported({ lines: [line, { ...line, sku: 'BAD', ...overrides }] });

    expect(dhlExpress.check?.(draft, {})).toEqual([`Line 2 (BAD) needs for customs: ${lacks}`]);
    expect(problemsOf({ lines: draft.lines })).toEqual([]);
  });

  it('wants lines for customs at all', () => {
    expect(dhlExpress.check?.(exported({ lines: [] }), {})).toEqual([
      'A parcel that is declared to customs needs the lines of the order',
    ]);
  });
});

describe('a destination that customs see as abroad', () => {
  const place = (countryCode: string, zip: string, city = 'x') => ({ countryCode, zip, city });
  const home = place('IT', '00185', 'Roma');

  it.each([
    ['Milan', place('IT', '20121'), 'domestic', false],
    ['Livigno by postcode', place('IT', '23041'), 'domestic', true],
    ['Livigno by name', place('IT', '23030', 'LIVIGNO'), 'domestic', true],
    ["Campione d'Italia", place('IT', '22060', "Campione d'Italia"), 'domestic', true],
    ['San Marino as a country', place('SM', '47890'), 'worldwide', true],
    ['San Marino with an Italian postcode', place('IT', '47893'), 'domestic', true],
    ['the Vatican', place('VA', '00120'), 'worldwide', true],
    ['Paris', place('FR', '75001'), 'eu', false],
    ['Monaco', place('MC', '98000'), 'eu', false],
    ['Réunion', place('FR', '97400'), 'worldwide', true],
    ['Madrid', place('ES', '28001'), 'eu', false],
    ['the Canary Islands', place('ES', '38001'), 'worldwide', true],
    ['Ceuta', place('ES', '51001'), 'worldwide', true],
    ['Heligoland', place('DE', '27498'), 'worldwide', true],
    ['Büsingen', place('DE', '78266'), 'worldwide', true],
    ['Åland', place('FI', '22100'), 'worldwide', true],
    ['Mount Athos', place('GR', '630 86'), 'worldwide', true],
    ['Switzerland', place('CH', '8001'), 'worldwide', true],
    ['the United Kingdom', place('GB', 'SW1A 1AA'), 'worldwide', true],
  ] as const)('%s', (_what, to, route, isDeclarable) => {
    expect(routeOf(home, to)).toEqual({ route, isDeclarable });
  });

  it('is never in the same country, wherever that is', () => {
    expect(routeOf(place('CH', '8001'), place('CH', '3000'))).toEqual({ route: 'domestic', isDeclarable: false });
    expect(routeOf(place('IT', '23041'), place('IT', '23041'))).toEqual({ route: 'domestic', isDeclarable: false });
  });
});

describe('the handover to DHL', () => {
  const rome = { handoverTime: '17:00', timeZone: 'Europe/Rome' };

  it.each([
    ['later on the same working day', '2026-11-20T10:00:00Z', '2026-11-20T17:00:00 GMT+01:00'],
    ['on Monday when Friday is too late', '2026-11-20T15:45:00Z', '2026-11-23T17:00:00 GMT+01:00'],
    ['on Monday after a weekend', '2026-11-21T08:00:00Z', '2026-11-23T17:00:00 GMT+01:00'],
    ['in summer time', '2026-07-01T05:00:00Z', '2026-07-01T17:00:00 GMT+02:00'],
    ['on the other side of a clock change', '2026-10-24T12:00:00Z', '2026-10-26T17:00:00 GMT+01:00'],
  ])('is %s', (_what, now, expected) => {
    expect(dhlTime(nextHandover(new Date(now), rome), rome.timeZone)).toBe(expected);
  });

  it('is written with the distance west of Greenwich too', () => {
    expect(dhlTime(new Date('2026-11-20T15:30:00Z'), 'America/St_Johns')).toBe('2026-11-20T12:00:00 GMT-03:30');
  });
});

describe('writing for DHL', () => {
  it('keeps letters of every language, and no control characters', () => {
    expect(composedText('  Via\tdell’Università\u0000 6 \n 東京 ')).toBe('Via dell’Università 6 東京');
  });

  it.each([
    ['what fits', ['Via Roma 1'], ['Via Roma 1']],
    ['what must be broken', ['Via del Corso'], ['Via del', 'Corso']],
    ['two parts', ['Via Po 1', 'Scala A'], ['Via Po 1', 'Scala A']],
    ['a word that is too long', ['Viadellarepubblica'], null],
    ['too much', ['uno due tre quattro cinque sei'], null],
  ])('spreads %s over lines', (_what, parts, expected) => {
    expect(linesOf(parts, { max: 10, lines: 2 })).toEqual(expected);
  });
});
