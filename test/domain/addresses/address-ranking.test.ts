import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressHash } from '../../../src/domain/addresses/address-hash.ts';
import { rankAddresses } from '../../../src/domain/addresses/address-ranking.ts';

const ASKED = { province: 'LE', city: 'Castro', zip: '73030', address: 'Via Roma 1' };

function candidate(Comune: string, overrides: Record<string, string> = {}) {
  return { Comune, Frazione: '', Cap: '', SiglaProvincia: '', Indirizzo: '', ...overrides };
}

describe('the order of candidates', () => {
  it('is by the name of the place before all else', () => {
    const [far, near] = [candidate('Castri di Lecce', { Cap: '73030', SiglaProvincia: 'LE' }), candidate('CASTRO')];

    expect(rankAddresses(ASKED, [far, near])).toEqual([near, far]);
  });

  it('is by the hamlet too', () => {
    const [comune, hamlet] = [candidate('Castri'), candidate('Poggiardo', { Frazione: 'Castro' })];

    expect(rankAddresses(ASKED, [comune, hamlet])).toEqual([hamlet, comune]);
  });

  it('is then by the postal code, then by the province, then by the street', () => {
    const last = candidate('Castro', { Cap: '24063', SiglaProvincia: 'BG' });
    const third = candidate('Castro', { Cap: '73031', SiglaProvincia: 'BG' });
    const second = candidate('Castro', { Cap: '73031', SiglaProvincia: 'LE', Indirizzo: 'VIA MILANO' });
    const first = candidate('Castro', { Cap: '73031', SiglaProvincia: 'LE', Indirizzo: 'VIA ROMA' });

    expect(rankAddresses(ASKED, [last, third, second, first])).toEqual([first, second, third, last]);
  });

  it('leaves nothing out and nothing twice', () => {
    const any = fc.array(
      fc.record({
        Comune: fc.string(),
        Frazione: fc.string(),
        Cap: fc.string(),
        SiglaProvincia: fc.string(),
        Indirizzo: fc.string(),
      }),
    );
    fc.assert(
      fc.property(any, (candidates) => {
        const ranked = rankAddresses(ASKED, candidates);
        expect(ranked).toHaveLength(candidates.length);
        expect(new Set(ranked)).toEqual(new Set(candidates));
      }),
    );
  });
});

describe('the hash of an address', () => {
  it.each([
    ['province', { province: 'Lecce' }],
    ['city', { city: ' CASTRO ' }],
    ['postal code', { zip: '73 030' }],
    ['street', { address: 'VIA ROMA, 1' }],
  ])('is the same for another spelling of the %s', (_field, overrides) => {
    expect(addressHash({ ...ASKED, ...overrides })).toBe(addressHash(ASKED));
  });

  it.each([
    ['province', { province: 'BG' }],
    ['city', { city: 'Castri' }],
    ['postal code', { zip: '73031' }],
    ['street', { address: 'Via Roma 1/A' }],
  ])('is another for another %s, and tells nothing of it', (_field, overrides) => {
    const other = addressHash({ ...ASKED, ...overrides });

    expect(other).not.toBe(addressHash(ASKED));
    expect(other).toMatch(/^[0-9a-f]{64}$/);
  });

  it('tells two stairs of one house apart', () => {
    const [a, b] = ['Via Roma 12/A', 'Via Roma 12/B'].map((address) => addressHash({ ...ASKED, address }));

    expect(a).not.toBe(b);
  });
});
