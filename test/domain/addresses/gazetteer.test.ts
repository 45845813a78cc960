import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMUNE_ALIASES } from '../../../src/domain/addresses/gazetteer/comune-aliases.ts';
import { allComuni } from '../../../src/domain/addresses/gazetteer/comuni.ts';
import { PROVINCES } from '../../../src/domain/addresses/gazetteer/provinces.ts';
import { REGIONS } from '../../../src/domain/addresses/gazetteer/regions.ts';
import {
  capBelongs,
  comparableName,
  findComuni,
  type Province,
  provinceOf,
  regionOf,
  similarComuni,
} from '../../../src/domain/addresses/gazetteer.ts';

function province(code: string): Province {
  const found = provinceOf(code);
  if (!found) throw new Error(`There is no province ${code}`);
  return found;
}

function shown(comuni: readonly { name: string; province: Province }[]): string[] {
  return comuni.map((comune) => `${comune.name} (${comune.province.code})`);
}

describe('the gazetteer', () => {
  it('has what ISTAT counts on 21 February 2026', () => {
    expect(REGIONS).toHaveLength(20);
    expect(PROVINCES).toHaveLength(107);
    expect(allComuni()).toHaveLength(7894);
  });

  it('knows every province by its code in any case, and by its name', () => {
    for (const known of PROVINCES) {
      expect(provinceOf(known.code.toLowerCase())).toBe(known);
      expect(provinceOf(known.name)).toBe(known);
      expect(provinceOf(known.name.toUpperCase())).toBe(known);
      expect(provinceOf(`Provincia di ${known.name}`)).toBe(known);
    }
  });

  it('knows every region by its code and its name', () => {
    for (const known of REGIONS) {
      expect(regionOf(known.code)).toBe(known);
      expect(regionOf(known.name)).toBe(known);
    }
  });

  it('finds every comune by its name, with accents and without', () => {
    for (const comune of allComuni()) {
      expect(findComuni(comune.name)).toContain(comune);
      expect(findComuni(comparableName(comune.name).toUpperCase())).toContain(comune);
    }
  });

  it('tells the comuni of one province apart in the comparable spelling', () => {
    const spellings = allComuni().map(({ name, province: { code } }) => `${code} ${comparableName(name)}`);

    expect(new Set(spellings).size).toBe(spellings.length);
  });

  it('has aliases only for comuni it has', () => {
    const known = new Set(shown([...allComuni()]));
    const named = Object.entries(COMUNE_ALIASES).flatMap(([code, rows]) => rows.map(([name]) => `${name} (${code})`));

    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('provinceOf', () => {
  it.each([
    ['BO', 'BO'],
    [' bo ', 'BO'],
    ['Bologna', 'BO'],
    ['IT-BO', 'BO'],
    ['Bologna (BO)', 'BO'],
    ['Città metropolitana di Bologna', 'BO'],
    ['Forlì', 'FC'],
    ["Forli'", 'FC'],
    ['Forli-Cesena', 'FC'],
    ['FO', 'FC'],
    ['PS', 'PU'],
    ['Pesaro', 'PU'],
    ['Pesaro Urbino', 'PU'],
    ['Reggio Emilia', 'RE'],
    ["REGGIO NELL'EMILIA", 'RE'],
    ['Reggio nell’Emilia', 'RE'],
    ['Reggio Calabria', 'RC'],
    ['Reggio di Calabria', 'RC'],
    ['Bolzano/Bozen', 'BZ'],
    ['Bozen', 'BZ'],
    ['Monza Brianza', 'MB'],
    ['Monza e Brianza', 'MB'],
    ['Massa Carrara', 'MS'],
    ['Aosta', 'AO'],
    ["Valle d'Aosta", 'AO'],
    ['Vallée d’Aoste', 'AO'],
    ['Roma', 'RM'],
    ['ROMA', 'RM'],
    ['rm', 'RM'],
    ["L'Aquila", 'AQ'],
    ['Barletta Andria Trani', 'BT'],
    ['CI', 'SU'],
    ['VS', 'SU'],
    ['OG', 'NU'],
    ['OT', 'SS'],
    ['Olbia-Tempio', 'SS'],
    ['Naples', 'NA'],
  ])('reads %j as %s', (text, code) => {
    expect(provinceOf(text)?.code).toBe(code);
  });

  it.each(['', ' ', 'RSM', 'XX', 'Lombardia', 'Rossano Veneto', '40', 'constructor'])('reads nothing in %j', (text) => {
    expect(provinceOf(text)).toBeNull();
  });
});

describe('regionOf', () => {
  it.each([
    ['Emilia Romagna', 'EMR'],
    ['Emilia-Romagna', 'EMR'],
    ['emr', 'EMR'],
    ['Trentino', 'TAA'],
    ['Trentino-Alto Adige/Südtirol', 'TAA'],
    ['Trentino Alto Adige', 'TAA'],
    ["Val d'Aosta", 'VDA'],
    ["Valle d'Aosta", 'VDA'],
    ['Friuli Venezia Giulia', 'FVG'],
    ['Regione Lazio', 'LAZ'],
    ['Sicily', 'SIC'],
  ])('reads %j as %s', (text, code) => {
    expect(regionOf(text)?.code).toBe(code);
  });

  it('reads nothing in what is none', () => {
    expect(regionOf('Padania')).toBeNull();
  });
});

describe('comparableName', () => {
  it.each([
    ['S. Giovanni in Persiceto', 'San Giovanni in Persiceto'],
    ['S.Lazzaro di Savena', 'San Lazzaro di Savena'],
    ['SAN LAZZARO  DI SAVENA', 'San Lazzaro di Savena'],
    ['S.ta Maria Capua Vetere', 'Santa Maria Capua Vetere'],
    ['Sto Stefano Belbo', 'Santo Stefano Belbo'],
    ['S. Agata Bolognese', "Sant'Agata Bolognese"],
    ['Reggio Emilia', "Reggio nell'Emilia"],
    ["Forli'", 'Forlì'],
    ['L Aquila', 'L’Aquila'],
    ['Citta` di Castello', 'Città di Castello'],
    ['Corigliano Rossano', 'Corigliano-Rossano'],
    ['Bolzano/Bozen', 'Bolzano'],
    ['Capri (NA)', 'Capri'],
  ])('writes %j and %j alike', (one, other) => {
    expect(comparableName(one)).toBe(comparableName(other));
  });

  it('keeps different places apart', () => {
    expect(comparableName('Castello')).not.toBe(comparableName('Castelli'));
    expect(comparableName('San Giorgio')).not.toBe(comparableName('Giorgio'));
  });

  it('changes nothing when it is used again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        const once = comparableName(text);
        return comparableName(once) === once;
      }),
    );
  });

  it('never minds case, spaces around and kinds of apostrophes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...allComuni()), fc.constantFrom("'", '’', '`', '´', ' '), ({ name }, apostrophe) => {
        const written = `  ${name.toUpperCase().replaceAll("'", apostrophe)} `;
        return comparableName(written) === comparableName(name);
      }),
    );
  });
});

describe('findComuni', () => {
  it.each([
    ['Livo', ['Livo (CO)', 'Livo (TN)']],
    ['Bozen', ['Bolzano (BZ)']],
    ['Bolzano/Bozen', ['Bolzano (BZ)']],
    ['Bolzano - Bozen', ['Bolzano (BZ)']],
    ['Montecopiolo', ['Montecopiolo (RN)']],
    ['Misiliscemi', ['Misiliscemi (TP)']],
    ['Quero Vas', ['Setteville (BL)']],
    ['Uggiate Trevano', ['Uggiate con Ronago (CO)']],
    ['Mestre', ['Venezia (VE)']],
    ['Reggio Emilia', ["Reggio nell'Emilia (RE)"]],
    ['Nowhere', []],
    ['', []],
  ])('finds %j', (name, expected) => {
    expect(shown(findComuni(name))).toEqual(expected);
  });
});

describe('similarComuni', () => {
  it('puts the nearest spelling first', () => {
    expect(shown(similarComuni('Bolonia', { limit: 3 }))[0]).toBe('Bologna (BO)');
    expect(shown(similarComuni('Milnao', { limit: 3 }))).toContain('Milano (MI)');
    expect(shown(similarComuni('Casalecchio', { limit: 3 }))).toContain('Casalecchio di Reno (BO)');
  });

  it('puts the comuni of the province before those of others', () => {
    const wished = { province: province('LE'), limit: 2 };

    expect(shown(similarComuni('Castri', wished))[0]).toMatch(/\(LE\)$/);
    expect(shown(similarComuni('Castri', { province: province('BG'), limit: 1 }))).toEqual(['Castro (BG)']);
  });

  it('finds nothing where nothing is near, and no more than asked', () => {
    expect(similarComuni('Zzyzxqwkj', { limit: 5 })).toEqual([]);
    expect(similarComuni('', { limit: 5 })).toEqual([]);
    expect(similarComuni('Castel', { limit: 2 })).toHaveLength(2);
  });

  it('has every comune itself as the first of its province', () => {
    fc.assert(
      fc.property(fc.constantFrom(...allComuni()), (comune) => {
        const [first] = similarComuni(comune.name, { province: comune.province, limit: 1 });
        return first === comune;
      }),
      { numRuns: 50 },
    );
  });
});

describe('capBelongs', () => {
  it.each([
    ['40121', 'BO', true],
    ['20900', 'MB', true],
    ['20121', 'MI', true],
    ['09010', 'SU', true],
    ['00185', 'RM', true],
    ['40121', 'MI', false],
    ['4012', 'BO', false],
    ['', 'BO', false],
  ])('%s of %s: %s', (cap, code, expected) => {
    expect(capBelongs(cap, province(code))).toBe(expected);
  });
});
