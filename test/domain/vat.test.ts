import { expect, it } from 'vitest';
import { transportVat } from '../../src/domain/vat.ts';

const bologna = { countryCode: 'IT', zip: '40121', city: 'Bologna' };
const rules = { vatRate: '22', vatRates: { DE: '19', MT: '0' } };

it.each([
  ['at home', { countryCode: 'IT', zip: '20121', city: 'Milano' }, '22', ''],
  ['in the Union', { countryCode: 'FR', zip: '75001', city: 'Paris' }, '22', ''],
  ['in a country with a rate of its own', { countryCode: 'de', zip: '10115', city: 'Berlin' }, '19', ''],
  [
    'outside the Union',
    { countryCode: 'CH', zip: '8001', city: 'Zürich' },
    '0',
    'the goods leave the VAT area for CH 8001',
  ],
  [
    'in Livigno',
    { countryCode: 'IT', zip: '23041', city: 'Livigno' },
    '0',
    'the goods leave the VAT area for IT 23041',
  ],
  [
    'on the Canary Islands',
    { countryCode: 'ES', zip: '35001', city: 'Las Palmas' },
    '0',
    'the goods leave the VAT area for ES 35001',
  ],
  [
    'where the rate is nothing',
    { countryCode: 'MT', zip: 'VLT', city: 'Valletta' },
    '0',
    'the rate of the company is 0 %',
  ],
])('is that of a destination %s', (_title, to, percent, reason) => {
  expect(transportVat(rules, { from: bologna, to })).toEqual({ percent, reason });
});

it('is due within a country that is not in the Union', () => {
  const [geneva, bern] = [
    { countryCode: 'CH', zip: '1201', city: 'Genève' },
    { countryCode: 'CH', zip: '3011', city: 'Bern' },
  ];

  expect(transportVat({ vatRate: '8.1', vatRates: {} }, { from: geneva, to: bern })).toEqual({
    percent: '8.1',
    reason: '',
  });
});
