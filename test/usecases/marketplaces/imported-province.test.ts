import { describe, expect, it } from 'vitest';
import type { ImportedAddress, ImportedOrder } from '../../../src/marketplaces/adapter.ts';
import { withProvince } from '../../../src/usecases/marketplaces/imported-province.ts';

const MISSING = 'The shipping address has no province';
const PLACE: ImportedAddress = {
  fullName: 'Chiara Prova',
  company: '',
  phone: '',
  address: 'Via Torino, 5',
  address2: '',
  city: 'Milano',
  province: 'MI',
  zip: '20123',
  countryCode: 'IT',
};

function imported(shipping: Partial<ImportedAddress>): ImportedOrder {
  return {
    externalId: '1',
    externalNumber: '1',
    state: 'open',
    currency: 'EUR',
    createdAt: new Date(0),
    modifiedAt: new Date(0),
    customer: { fullName: 'Chiara Prova', email: '', phone: '' },
    billing: { ...PLACE, vatNumber: '', taxCode: '' },
    shipping: { ...PLACE, ...shipping },
    lines: [],
    shippingGross: '0.00',
    totalGross: '0.00',
    totalNet: '0.00',
    paymentMethod: '',
    cashOnDelivery: false,
    note: '',
    problems: ['The order has no lines'],
  };
}

function found(shipping: Partial<ImportedAddress>, asksProvince = true) {
  const order = withProvince(imported(shipping), { asksProvince });
  return { province: order.shipping.province, isMissed: order.problems.includes(MISSING) };
}

describe('the province of an imported order', () => {
  it.each<[string, Partial<ImportedAddress>, string]>([
    ['its two letters', { province: 'mi' }, 'MI'],
    ['its name', { province: 'Milano' }, 'MI'],
    ['an abolished one', { province: 'OT', city: 'Olbia', zip: '07026' }, 'SS'],
    ['the comune alone', { province: '' }, 'MI'],
    ['a comune of a name that exists twice, by its postal code', { province: '', city: 'Livo', zip: '38020' }, 'TN'],
    [
      'a comune in small letters and with a saint cut short',
      { province: '', city: 's.lazzaro di savena', zip: '40068' },
      'BO',
    ],
    ['the region, when the comune is in it', { province: 'Lombardia' }, 'MI'],
  ])('is found by %s', (_title, shipping, code) => {
    expect(found(shipping)).toEqual({ province: code, isMissed: false });
  });

  it.each<[string, Partial<ImportedAddress>]>([
    ['an unknown comune', { province: '', city: 'Nowhere' }],
    ['a comune that exists twice and no postal code', { province: '', city: 'Livo', zip: '' }],
    ['a comune and a postal code that do not fit', { province: '', zip: '40121' }],
  ])('is a problem with %s', (_title, shipping) => {
    expect(found(shipping)).toEqual({ province: '', isMissed: true });
  });

  it('is no problem when the platform has no field for it', () => {
    expect(found({ province: '', city: 'Nowhere' }, false)).toEqual({ province: '', isMissed: false });
    expect(found({ province: '' }, false)).toEqual({ province: 'MI', isMissed: false });
  });

  it('stays as it was written when it is neither a province nor a region', () => {
    expect(found({ province: 'Brianza' })).toEqual({ province: 'Brianza', isMissed: false });
  });

  it('stays as it was written when the comune is in another region', () => {
    expect(found({ province: 'Sicilia' })).toEqual({ province: 'Sicilia', isMissed: false });
  });

  it('is not looked for in another country', () => {
    expect(found({ countryCode: 'CH', city: 'Lugano', province: '', zip: '6900' })).toEqual({
      province: '',
      isMissed: false,
    });
  });

  it('leaves the other problems as they are', () => {
    expect(withProvince(imported({}), { asksProvince: true }).problems).toEqual(['The order has no lines']);
  });
});
