import { describe, expect, it } from 'vitest';
import type { ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { brt } from '../../../src/carriers/brt/index.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';

const parcelOf = (weightGrams: number) => ({ weightGrams, lengthMm: 1, widthMm: 1, heightMm: 1 });

describe('checking a draft for BRT', () => {
  const problemsOf = (overrides: Partial<ShipmentDraft>) =>
    brt.check?.(buildDraft(overrides), { longAddresses: true }) ?? [];

  it.each([
    ['a usual draft', {}],
    [
      'money and services',
      { cod: { amountCents: 9_999_999, paymentType: 'cash' }, insuredCents: 100, options: ['E', 'A', 'X'] },
    ],
    ['every way to pay', { cod: { amountCents: 1, paymentType: 'oc' } }],
    ['a recipient without a province', { recipient: buildParty({ province: '' }) }],
    [
      'a foreign address of 105 characters',
      { recipient: buildParty({ countryCode: 'FR', zip: '75001', address: 'A'.repeat(105) }) },
    ],
    ['the longest names', { recipient: buildParty({ company: 'X'.repeat(70), name: 'Y'.repeat(35) }) }],
    ['a pick-up point with an e-mail address', { pickupPointId: 'IT10001', recipient: buildParty({ phone: '' }) }],
    ['a pick-up point with a mobile number', { pickupPointId: 'IT10001', recipient: buildParty({ email: '' }) }],
    ['every format of label', { labelFormat: 'pdf-a4' as const }],
  ])('finds nothing wrong with %s', (_what, overrides) => {
    expect(problemsOf(overrides)).toEqual([]);
  });

  it.each([
    ['no parcel', { parcels: [] }, /1 to 30 parcels/],
    ['31 parcels', { parcels: Array.from({ length: 31 }, () => parcelOf(1)) }, /1 to 30 parcels/],
    ['a weight of zero', { parcels: [parcelOf(0)] }, /Parcel 1 needs a weight/],
    ['all too heavy', { parcels: [parcelOf(9_000_000), parcelOf(1_000_000)] }, /9999\.9 kg/],
    ['a long name', { recipient: buildParty({ name: 'X'.repeat(71) }) }, /name has 71 characters, BRT takes 70/],
    [
      'a long contact',
      { recipient: buildParty({ company: 'Srl', name: 'X'.repeat(36) }) },
      /name has 36 characters, BRT takes 35/,
    ],
    ['a long company', { recipient: buildParty({ company: 'X'.repeat(71) }) }, /company has 71/],
    [
      'a long address',
      { recipient: buildParty({ address: 'X'.repeat(36) }) },
      /address has 36 characters, BRT takes 35/,
    ],
    ['an address that its accents make long', { recipient: buildParty({ address: 'à'.repeat(18) }) }, /address has 36/],
    [
      'a long foreign address',
      { recipient: buildParty({ countryCode: 'FR', address: 'X'.repeat(106) }) },
      /BRT takes 105/,
    ],
    ['a short address', { recipient: buildParty({ address: 'Via 1' }) }, /at least 6/],
    ['a long second line', { recipient: buildParty({ address2: 'X'.repeat(71) }) }, /second address line has 71/],
    ['a long city', { recipient: buildParty({ city: 'X'.repeat(36) }) }, /city has 36/],
    ['no city', { recipient: buildParty({ city: ' ' }) }, /needs a city/],
    ['no name', { recipient: buildParty({ name: '' }) }, /needs a name/],
    ['a name in other letters', { recipient: buildParty({ name: '张伟' }) }, /name has letters that BRT cannot write/],
    ['a short postcode', { recipient: buildParty({ zip: '2012' }) }, /five digits/],
    [
      'a long foreign postcode',
      { recipient: buildParty({ countryCode: 'FR', zip: '1234567890' }) },
      /1 to 9 characters/,
    ],
    ['a long province', { recipient: buildParty({ province: 'MIL' }) }, /province/],
    ['a country of three letters', { recipient: buildParty({ countryCode: 'FRA' }) }, /country/],
    ['nothing to collect', { cod: { amountCents: 0, paymentType: '' } }, /delivery amount must be above zero/],
    ['too much to collect', { cod: { amountCents: 10_000_000, paymentType: '' } }, /above the limit of 99999\.99/],
    ['an unknown payment type', { cod: { amountCents: 1, paymentType: 'BITCOIN' } }, /cannot collect by "BITCOIN"/],
    ['nothing insured', { insuredCents: 0 }, /insured amount must be above zero/],
    ['an odd currency', { currency: 'euro' }, /currency/],
    ['an unknown service', { options: ['B15'] }, /no service "B15"/],
    ['both quick services', { options: ['E', 'H'] }, /E and H, not both/],
    ['three particular deliveries', { options: ['A', 'F', 'P'] }, /at most 2/],
    ['a pick-up point and the depot', { pickupPointId: 'IT1', options: ['holdForPickup'] }, /not both/],
    ['a long pick-up point', { pickupPointId: 'X'.repeat(21) }, /1 to 20 characters/],
    [
      'a pick-up point without news',
      { pickupPointId: 'IT1', recipient: buildParty({ email: '', phone: '02 1234567' }) },
      /e-mail address/,
    ],
    ['a long reference', { reference: 'SM0000000042' }, /reference must be/],
    ['a reference of more than 15 digits', { reference: 'SMXZZZZZZZZ' }, /15 digits/],
  ])('names %s', (_what, overrides, words) => {
    expect(problemsOf(overrides).join('\n')).toMatch(words);
  });

  it('takes a long foreign address only for an account that may send it', () => {
    const draft = buildDraft({ recipient: buildParty({ countryCode: 'FR', zip: '75001', address: 'A'.repeat(36) }) });

    expect(brt.check?.(draft, {})).toEqual([expect.stringMatching(/36 characters, BRT takes 35/)]);
    expect(brt.check?.(draft, { longAddresses: true })).toEqual([]);
  });
});
