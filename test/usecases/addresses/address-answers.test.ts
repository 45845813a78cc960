import { describe, expect, it } from 'vitest';
import { type AddressCheck, NOTHING_SAID } from '../../../src/carriers/adapter.ts';
import { answerOfCarrier, answerOfGazetteer } from '../../../src/usecases/addresses/address-answers.ts';

const ACME = { label: 'Acme' };
const MILANO = { province: 'MI', city: 'Milano', address: 'Via Torino, 5', zip: '20123' };

describe('the answer for a carrier that checks no addresses', () => {
  it('has what the list of comuni knows, and says who answered and how far that reaches', () => {
    expect(answerOfGazetteer(ACME, MILANO)).toEqual({
      status: 'ok',
      message:
        'Acme checks no addresses. Checked against the list of comuni: Milano (MI) exists and 20123 fits it. The street was not checked.',
      addresses: [
        {
          ...NOTHING_SAID,
          SiglaRegione: 'LOM',
          DescrizioneRegione: 'Lombardia',
          SiglaProvincia: 'MI',
          DescrizioneProvincia: 'Milano',
          Comune: 'Milano',
          Cap: '20123',
        },
      ],
    });
  });

  it.each([
    ['a comune of another province', { province: 'BO' }, 'not_found', ['Milano (MI)'], 'Milano is in MI'],
    ['a postal code of elsewhere', { zip: '40121' }, 'not_found', ['Milano (MI)'], '40121 is probably no postal code'],
    ['the postal code of a whole city', { zip: '20100' }, 'not_found', ['Milano (MI)'], 'write the one of the street'],
    [
      'a name that exists twice in no such province',
      { province: 'ZZ', city: 'Livo', zip: '38020' },
      'ambiguous',
      ['Livo (TN)', 'Livo (CO)'],
      'There is no Italian province "ZZ"',
    ],
    ['a name that exists nowhere', { city: 'Zzyzxqwkj' }, 'not_found', [], 'There is no comune "Zzyzxqwkj"'],
  ])('of %s says so', (_title, overrides, status, expected, words) => {
    const answer = answerOfGazetteer(ACME, { ...MILANO, ...overrides });

    expect(answer.status).toBe(status);
    expect(answer.addresses.map((address) => `${address.Comune} (${address.SiglaProvincia})`)).toEqual(expected);
    expect(answer.message).toContain(words);
  });

  it('of a misspelt name has the nearest, best first', () => {
    const answer = answerOfGazetteer(ACME, { ...MILANO, city: 'Casaleccio di Reno', province: 'BO', zip: '40033' });

    expect(answer.status).toBe('ambiguous');
    expect(answer.addresses[0]).toMatchObject({ Comune: 'Casalecchio di Reno', SiglaProvincia: 'BO', Cap: '40033' });
  });

  it('hints at a missing house number without doubting the place', () => {
    const answer = answerOfGazetteer(ACME, { ...MILANO, address: 'Via Torino' });

    expect(answer.status).toBe('ok');
    expect(answer.message).toContain('The street has no house number');
  });
});

describe('the answer of a carrier', () => {
  const found = { ...NOTHING_SAID, Comune: 'MILANO', Cap: '20123' };

  it.each<[string, AddressCheck, string]>([
    [
      'words of its own',
      { status: 'ok', message: 'Destinazione corretta.', addresses: [found] },
      'Acme: Destinazione corretta. It says nothing about the street.',
    ],
    [
      'no words',
      { status: 'not_found', message: '', addresses: [] },
      'Acme: did not find this address. It says nothing about the street.',
    ],
  ])('with %s says who answered and how far that reaches', (_title, check, message) => {
    expect(answerOfCarrier(ACME, MILANO, check).message).toBe(message);
  });

  it('of a carrier that knows streets has no such limit', () => {
    const check = { status: 'ok' as const, message: 'Destinazione corretta.', addresses: [found] };

    expect(answerOfCarrier({ ...ACME, checksStreets: true }, MILANO, check).message).toBe(
      'Acme: Destinazione corretta.',
    );
  });

  it('gets region and province where it was silent, and keeps what it said', () => {
    const said = { ...found, DescrizioneProvincia: 'MILANO CITTA' };
    const [address] = answerOfCarrier(ACME, MILANO, { status: 'ok', message: '', addresses: [said] }).addresses;

    expect(address).toMatchObject({
      SiglaRegione: 'LOM',
      DescrizioneRegione: 'Lombardia',
      SiglaProvincia: 'MI',
      DescrizioneProvincia: 'MILANO CITTA',
      Comune: 'MILANO',
    });
  });

  it('has its candidates best first', () => {
    const names = ['MELEGNANO', 'MILANO', 'MILAZZO'];
    const addresses = names.map((Comune) => ({ ...NOTHING_SAID, Comune }));
    const answer = answerOfCarrier(ACME, MILANO, { status: 'ambiguous', message: '', addresses });

    expect(answer.addresses.map(({ Comune }) => Comune)).toEqual(['MILANO', 'MILAZZO', 'MELEGNANO']);
  });
});
