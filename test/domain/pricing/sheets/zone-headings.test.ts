import { describe, expect, it } from 'vitest';
import { resolveHeadings, type ZoneIdentity } from '../../../../src/domain/pricing/sheets/zone-headings.ts';

const KNOWN: ZoneIdentity[] = [
  { code: 'Z9', name: 'Europa 1', label: 'Zona nove', match: { countries: ['DE'] } },
  { code: 'SUD', name: 'Sud e isole', match: { provinces: ['PZ', 'MT'], regions: ['SIC'] } },
];

function resolve(headings: string[], known: ZoneIdentity[] = []) {
  const placed = headings.map((heading, index) => ({ heading, at: { sheet: 'S', row: 1, column: index + 2 } }));
  const { zones, problems } = resolveHeadings(placed, known);
  return {
    zones: zones.map((meant) => meant?.zone),
    problems: problems.map(({ column, message }) => [column, message]),
  };
}

function matchOf(heading: string, others: string[] = []): unknown {
  const { zones, problems } = resolve([heading, ...others]);
  return zones[0]?.match ?? problems.find(([column]) => column === 2)?.[1];
}

describe('the heading of a price column', () => {
  it.each<[string, unknown]>([
    ['Italia', { countries: ['IT'] }],
    ["Resto d'Italia", { countries: ['IT'] }],
    ['Calabria, Sicilia e Sardegna', { regions: ['CAL', 'SIC', 'SAR'] }],
    ['Sicilia/Sardegna', { regions: ['SIC', 'SAR'] }],
    ['Veneto + Friuli-Venezia Giulia', { regions: ['VEN', 'FVG'] }],
    ['Trentino-Alto Adige/Südtirol', { regions: ['TAA'] }],
    ["Valle d'Aosta", { regions: ['VDA'] }],
    ['EMILIA ROMAGNA', { regions: ['EMR'] }],
    ['Zona 2: Lazio', { regions: ['LAZ'] }],
    ['Isole', { areas: ['ISLANDS'] }],
    ['Isole minori', { areas: ['MINOR_ISLANDS'] }],
    ['Venezia laguna', { areas: ['VENICE_LAGOON'] }],
    ['Livigno e Campione', { areas: ['LIVIGNO', 'CAMPIONE'] }],
    ['Calabria, Isole minori', { regions: ['CAL'], areas: ['MINOR_ISLANDS'] }],
    ['Pesaro e Urbino', { provinces: ['PU'] }],
    ['Milano, MB, Como (CO)', { provinces: ['MI', 'MB', 'CO'] }],
    ['Germania', { countries: ['DE'] }],
    ['Germany', { countries: ['DE'] }],
    ['DE, FR', { countries: ['DE', 'FR'] }],
    ['Bosnia e Erzegovina', { countries: ['BA'] }],
    ['Trinidad e Tobago e Austria', { countries: ['TT', 'AT'] }],
    ['Italia e San Marino', { countries: ['IT', 'SM'] }],
    ['Inghilterra', { countries: ['GB'] }],
    ['Francia (FR)', { countries: ['FR'] }],
    ['Frosinone (FR)', { provinces: ['FR'] }],
  ])('%s is a place', (heading, match) => {
    expect(matchOf(heading)).toEqual(match);
  });

  it.each([
    [
      'Zona 3',
      /^It is not known where Zona 3 is: give its zones with --zones, or take those of another tariff with --like$/,
    ],
    ['Europa', /^It is not known where Europa is/],
    ['Sicilia e Atlantide', /^It is not known where Sicilia e Atlantide \(Atlantide\) is/],
    ['Italia (escluse isole)', /^It is not known where Italia \(escluse isole\) \(escluse isole\) is/],
    ['FR', /^FR may mean the country FR or the province Frosinone \(FR\): write the one that is meant$/],
    ['Trentino', /^Trentino may mean the region .* \(TAA\) or the province Trento \(TN\)/],
    ['Sicilia e Malta', /^A zone holds parts of Italy or other countries, not both: Sicilia e Malta/],
    ['Italia e Sicilia', /^A zone holds parts of Italy or other countries, not both/],
  ])('%s is refused in words', (heading, words) => {
    expect(matchOf(heading)).toMatch(words);
  });

  it('takes a doubtful code for what the other headings are', () => {
    expect(matchOf('FR', ['DE', 'Italia'])).toEqual({ countries: ['FR'] });
    expect(matchOf('FR', ['Roma', 'Italia'])).toEqual({ provinces: ['FR'] });
    expect(matchOf('FR', ['Roma', 'Germania'])).toMatch(/may mean/);
  });

  it('leaves the peninsula without the islands, unless others have them', () => {
    expect(matchOf('Penisola', ['Isole'])).toEqual({ countries: ['IT'] });
    expect(matchOf('Penisola', ['Sicilia'])).toMatchObject({ regions: { length: 18 } });
  });

  it('is first a code, a name or a label of a known zone', () => {
    const { zones, problems } = resolve(['europa 1', 'Italia'], KNOWN);

    expect(zones.map((zone) => zone?.code)).toEqual(['Z9', 'ITALIA']);
    expect(resolve(['z9'], KNOWN).zones[0]?.code).toBe('Z9');
    expect(resolve(['ZONA NOVE'], KNOWN).zones[0]?.code).toBe('Z9');
    expect(problems).toEqual([]);
  });

  it('is a known zone of the same places, however they are said', () => {
    expect(resolve(['Basilicata e Sicilia'], KNOWN).zones[0]?.code).toBe('SUD');
    expect(resolve(['Germania'], KNOWN).zones[0]?.code).toBe('Z9');
    expect(resolve(['Sicilia'], KNOWN).zones[0]?.code).toBe('SICILIA');
  });

  it('is refused when it may be two zones, or is a zone for the second time', () => {
    const same = KNOWN.map((zone) => ({ ...zone, name: 'Sud' }));

    expect(resolve(['Sud'], [...same, { code: 'X', name: 'Sud', match: {} }].slice(1)).problems).toEqual([]);
    expect(resolve(['Sud e isole'], [...KNOWN, { code: 'X', name: 'Sud e isole', match: {} }]).problems).toEqual([
      [2, 'Sud e isole may be any of the zones SUD, X: write its code'],
    ]);
    expect(resolve(['Germania', 'Z9', 'Europa 1'], KNOWN).problems).toEqual([
      [3, 'A second time prices for the zone Z9, as Germania is'],
      [4, 'A second time prices for the zone Z9, as Germania is'],
    ]);
  });

  it('gives a new zone a code of its own', () => {
    expect(resolve(['Città del Vaticano', 'Reggio nell’Emilia'], []).zones.map((zone) => zone?.code)).toEqual([
      'CITTA_DEL_VATICANO',
      'REGGIO_NELL_EMILIA',
    ]);
    expect(resolve(['Italia'], [{ code: 'ITALIA', name: 'x', match: { regions: ['LOM'] } }]).zones[0]?.code).toBe(
      'ITALIA',
    );
    expect(resolve(['Germania!', 'Italia'], [{ code: 'ITALIA', name: 'x', match: {} }]).problems).toHaveLength(1);
  });
});
