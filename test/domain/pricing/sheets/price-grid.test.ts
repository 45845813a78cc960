import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPriceGrids } from '../../../../src/domain/pricing/sheets/price-grid.ts';
import { type Cell, inCellOrder, placeText } from '../../../../src/domain/pricing/sheets/sheet.ts';
import type { GridZone } from '../../../../src/domain/pricing/sheets/zone-prices.ts';

/** A sheet drawn with bars; `#3` is a number, everything else a text. */
function drawn(text: string): Cell[][] {
  const lines = text
    .replace(/^\n/, '')
    .replace(/\n\s*$/, '')
    .split('\n');
  return lines.map((line) =>
    line.split('|').map((part) => {
      const cell = part.trim();
      if (cell === '') return null;
      return cell.startsWith('#') ? Number(cell.slice(1)) : cell;
    }),
  );
}

function read(text: string, rounding = 1) {
  const { zones, problems, notRead } = readPriceGrids([{ name: 'S', rows: drawn(text) }], { rounding });
  return {
    zones: Object.fromEntries(zones.map((zone) => [zone.heading, shown(zone)])),
    problems: inCellOrder([], problems).map((problem) => `${placeText(problem)} ${problem.message}`),
    notRead: notRead.map((row) => `${placeText(row)} ${row.text}`),
  };
}

/** `3000:6.90 5000:7.90 +10000:2.00 min 5`. */
function shown({ brackets, stepGrams, stepPrice, minimum }: GridZone): string {
  return [
    ...brackets.map(({ upToGrams, price }) => `${upToGrams}:${price}`),
    ...(stepGrams === undefined ? [] : [`+${stepGrams}:${stepPrice}`]),
    ...(minimum === undefined ? [] : [`min ${minimum}`]),
  ].join(' ');
}

const ITALY = '3000:6.90 5000:7.90';
const ISLANDS = '3000:8.90 5000:9.90';

describe('a price grid', () => {
  it('is found between titles and footnotes, which are told as not read', () => {
    expect(
      read(`
        LISTINO 2027     |         |
        Prezzi in euro   |         |
                         |         |
        Peso             | Italia  | Isole
                         | €       | €
        fino a 3 kg      | 6,90 €  | 8,90
        fino a 5 kg      | 7,90    | 9,90
        oltre 5 kg, ogni 10 kg | 2 | #2.5
        minimo           | 5       | 6

        * IVA esclusa    |         |
        Contrassegno     | 1,50    | 1,50`),
    ).toEqual({
      zones: { Italia: `${ITALY} +10000:2 min 5`, Isole: `${ISLANDS} +10000:2.5 min 6` },
      problems: [],
      notRead: ['S!A1 LISTINO 2027', 'S!A2 Prezzi in euro', 'S!A11 * IVA esclusa', 'S!A12 Contrassegno | 1,50 | 1,50'],
    });
  });

  it.each<[string, string]>([
    ['weights as ranges', 'Peso|Italia|Isole\n0-3|6,90|8,90\n3-5|7,90|9,90'],
    ['weights in two columns', 'da kg|a kg|Italia|Isole\n0|3|6,90|8,90\n3|5|7,90|9,90'],
    ['numbers alone', 'kg|Italia|Isole\n#3|6,90|8,90\n#5|7,90|9,90'],
    ['grams', 'Peso (g)|Italia|Isole\n3000|6,90|8,90\n5000|7,90|9,90'],
    ['decimal points', '|Italia|Isole\n3|6.90|8.90\n5|7.90|9.90'],
    ['zones down, weights across', 'Zona|fino a 3 kg|5\nItalia|6,90|7,90\nIsole|8,90|9,90'],
    ['zones down without a corner', '|3|5\nItalia|6,90|7,90\nIsole|8,90|9,90'],
    ['one price a row', 'Zona|da kg|a kg|Prezzo\nItalia|0|3|6,90\nItalia|3|5|7,90\nIsole|0|3|8,90\nIsole|3|5|9,90'],
    ['one price a row, by weight', 'Zona|fino a kg|€\nItalia|3|6,90\nIsole|3|8,90\nItalia|5|7,90\nIsole|5|9,90'],
    ['one price a row, merged zones', 'Destinazione|Peso|Tariffa\nItalia|3|6,90\n|5|7,90\nIsole|3|8,90\n|5|9,90'],
    ['other columns', 'x|Peso|Italia|Isole|Note\n|3|6,90|8,90|24 ore\n|5|7,90|9,90|48 ore'],
    ['two grids in a sheet', 'Peso|Italia\n3|6,90\n5|7,90\n\nPeso|Isole\n3|8,90\n5|9,90'],
    ['two grids without a row between', 'Peso|Italia\n3|6,90\n5|7,90\nPeso|Isole\n3|8,90\n5|9,90'],
  ])('is read with %s', (_layout, text) => {
    const { zones, problems } = read(text);

    expect({ zones, problems }).toEqual({ zones: { Italia: ITALY, Isole: ISLANDS }, problems: [] });
  });

  it('is not taken for one price a row because a heading begins with the word zone', () => {
    expect(read('Peso|Zona 1|Zona 2|Tariffa base\n3|6,90|8,90|5\n5|7,90|9,90|6').zones).toEqual({
      'Zona 1': ITALY,
      'Zona 2': ISLANDS,
      'Tariffa base': '3000:5 5000:6',
    });
  });

  it('tells weights from zones that are numbers by the corner', () => {
    expect(read('kg|#1|#2\n#3|#6|#7\n#5|#8|#9').zones).toEqual({ 1: '3000:6 5000:8', 2: '3000:7 5000:9' });
    expect(read('Zona|#3|#5\n#1|#6|#8\n#2|#7|#9').zones).toEqual({ 1: '3000:6 5000:8', 2: '3000:7 5000:9' });
  });

  it('reads a dash as no price, at the end of a zone alone', () => {
    expect(read('kg|Italia|Isole\n3|6,90|8,90\n5|7,90|-\noltre 5, ogni 5 kg|1|–')).toMatchObject({
      zones: { Italia: '3000:6.90 5000:7.90 +5000:1', Isole: '3000:8.90' },
      problems: [],
    });
    expect(read('kg|Italia\n3|-\n5|7,90').problems).toEqual(['S!B2 The price is missing, and heavier ones have one']);
    expect(read('kg|Italia|Isole\n3|6,90|-').problems).toEqual(['S!C1 No prices for Isole']);
  });

  it('takes whole kilograms for adjoining where weights are rounded up to them', () => {
    const text = 'kg|Italia\n1-3|6,90\n4-5|7,90';

    expect(read(text, 1000)).toMatchObject({ zones: { Italia: ITALY }, problems: [] });
    expect(read(text).problems).toEqual([
      'S!A2 Nothing has a price between 0 kg and 1 kg: begin where the one before ends, unless the tariff rounds up to 1000 grams',
      'S!A3 Nothing has a price between 3 kg and 4 kg: begin where the one before ends, unless the tariff rounds up to 1000 grams',
    ]);
    expect(read('kg|Italia\n0-3|6,90\n3,01-5|7,90')).toMatchObject({ zones: { Italia: ITALY }, problems: [] });
  });

  it.each<[string, string, string[]]>([
    [
      'brackets that overlap',
      '0-3|1\n2-5|2',
      ['S!A3 Brackets overlap: this one begins at 2 kg, the one before ends at 3 kg'],
    ],
    ['a hole', '0-3|1\n5-10|2', ['S!A3 Nothing has a price between 3 kg and 5 kg']],
    ['brackets that fall', '5|1\n3|2', ['S!A3 Brackets must rise: 3 kg comes after 5 kg']],
    ['a bracket twice', '5|1\n5|2', ['S!A3 A second bracket up to 5 kg']],
    ['a range that ends before it begins', '0-3|1\n5-3|2', ['S!A3 It ends at 3 kg, before it begins at 5 kg']],
    ['nothing', '3|1\n0|2', ['S!A3 A weight of nothing has no price']],
    ['a step elsewhere', '3|1\noltre 5 kg, ogni kg|2', ['S!A3 The step begins at 5 kg, the brackets end at 3 kg']],
    [
      'two steps',
      '3|1\nogni kg in più|2\nogni 5 kg|3',
      ['S!A4 A second step: a price list has one beyond the last bracket'],
    ],
    [
      'a bracket after the step',
      '3|1\nogni kg in più|2\n5|3',
      ['S!A4 A bracket comes after the step beyond the last one'],
    ],
    ['a weight in words', '3|1\nfino a 5O kg|2', ['S!A3 Not a weight: fino a 5O kg']],
    ['a weight that is missing', '3|1\n|2', ['S!A3 The weight is missing']],
    [
      'a step of unknown size',
      '3|1\noltre 3 kg|2',
      [
        'S!A3 It says from which weight, but not for how many kilograms each: oltre 3 kg. Write "oltre 100 kg, ogni 10 kg"',
      ],
    ],
    [
      'dates made of weights',
      '2027-03-01|1\n5|2',
      ['S!A2 The spreadsheet made the date 2027-03-01 of a range of weights: write it as text, such as "da 1 a 3"'],
    ],
    ['an empty price', '3|\n5|2', ['S!B2 The price is missing']],
    ['a price in words', '3|chiedere\n5|2', ['S!B2 Not a price: chiedere']],
    ['two decimal marks', '3|1,50\n5|2,50\n7|3.50', ['S!B4 3.50 has decimals with ".", the file otherwise with ","']],
    ['a doubtful thousand', '3|1,5\n5|1.234', ['S!B3 1.234 may mean 1234 or 1.234: write it without a doubt']],
    [
      'a weight with the other mark',
      '0.5|1,50\n5|2,50',
      ['S!A2 0.5 has decimals with ".", the file otherwise with ","'],
    ],
    ['dollars', '3|$ 5\n5|6', ['S!B2 Prices are in euro, this one is in $: $ 5']],
  ])('refuses %s at its cell', (_what, rows, problems) => {
    expect(read(`Peso|Italia\n${rows}`).problems).toEqual(problems);
  });

  it('refuses the row right below that gives words for prices, and tells a title between rows as not read', () => {
    expect(read('Peso|Italia\n3|6,90\noltre 3 kg|su richiesta').problems).toEqual([
      expect.stringContaining('S!A3 It says from which weight'),
      'S!B3 Not a price: su richiesta',
    ]);
    expect(read('Peso|Italia\n3|6,90\nPesi maggiori|\n5|7,90\nIVA esclusa|')).toEqual({
      zones: { Italia: ITALY },
      problems: [],
      notRead: ['S!A3 Pesi maggiori', 'S!A5 IVA esclusa'],
    });
  });

  it('refuses the same in a sheet with zones down, at the cell where it stands there', () => {
    expect(read('Zona|0-3|2-5\nItalia|1,50|\nIsole|1.50|2,50').problems).toEqual([
      'S!C1 Brackets overlap: this one begins at 2 kg, the one before ends at 3 kg',
      'S!C2 The price is missing',
      'S!B3 1.50 has decimals with ".", the file otherwise with ","',
    ]);
  });

  it('refuses a table in another currency by its titles', () => {
    expect(read('Listino CHF|\nPeso|Svizzera\n3|10').problems).toEqual([
      'S!A1 Prices are in euro, this table is in CHF',
    ]);
  });

  it('refuses prices without a heading, and a sheet without prices', () => {
    expect(read('3|6,90\n5|7,90').problems).toEqual(['S!B1 There are prices here, but no heading says for which zone']);
    expect(read('Peso|Italia|\n3|6,90|8,90').problems).toEqual([
      'S!C1 There are prices here, but no heading says for which zone',
    ]);
    expect(read('Condizioni|generali').problems).toEqual([
      expect.stringContaining('S!A1 There are no prices here that can be read'),
    ]);
  });

  it('never breaks, whatever the cells hold', () => {
    const cell = fc.oneof(
      fc.constantFrom<Cell>(
        null,
        'Zona',
        'Peso',
        'Italia',
        '3',
        '0-3',
        '6,90',
        '€',
        'a kg',
        'da kg',
        'Prezzo',
        '-',
        'ogni kg',
      ),
      fc.string(),
      fc.double(),
    );
    fc.assert(
      fc.property(fc.array(fc.array(cell, { maxLength: 5 }), { maxLength: 8 }), (rows) => {
        const { zones, problems } = readPriceGrids([{ name: 'S', rows }], { rounding: 1 });

        expect(zones.length + problems.length).toBeGreaterThan(0);
        for (const { row, column } of problems) expect(Math.min(row, column)).toBeGreaterThan(0);
      }),
      {
        numRuns: 1000,
        examples: [
          [
            [
              ['da kg', 'a kg'],
              ['ogni kg', -5e-324],
            ],
          ],
        ],
      },
    );
  });
});

describe('a cell that holds far too much', () => {
  // An expression that tries every way to split such a cell would not end within the time of a test.
  it('is refused as others are', () => {
    const long = ['1 '.repeat(15_000), 'Italia, '.repeat(4000), '1.'.repeat(15_000), 'kg '.repeat(10_000)];
    const rows = [['Peso', ...long], ...long.map((cell) => [cell, cell, '6,90']), ['3', '6,90']];

    const { problems } = readPriceGrids([{ name: 'S', rows }], { rounding: 1 });

    expect(problems.length).toBeGreaterThan(0);
  });
});

describe('a random list drawn as a grid', () => {
  const list = fc
    .record({
      names: fc.uniqueArray(fc.constantFrom('Italia', 'Isole', 'Calabria', 'Germania', 'Zona A'), { minLength: 1 }),
      weights: fc.uniqueArray(fc.integer({ min: 1, max: 200_000 }), { minLength: 1, maxLength: 6 }),
      cents: fc.array(fc.integer({ min: 0, max: 999_999 }), { minLength: 40, maxLength: 40 }),
      step: fc.boolean(),
      mark: fc.constantFrom(',', '.'),
      isNumber: fc.boolean(),
      title: fc.boolean(),
    })
    .map(({ weights, ...rest }) => ({ ...rest, weights: weights.toSorted((a, b) => a - b) }));
  type Drawing = typeof list extends fc.Arbitrary<infer Value> ? Value : never;

  const decimal = (scaled: number, digits: number, mark: string): string =>
    (scaled / 10 ** digits).toFixed(digits).replace('.', mark);
  const priceAt = ({ cents, weights }: Drawing, zone: number, row: number): number =>
    cents[(zone * (weights.length + 1) + row) % cents.length] ?? 0;
  const priceCell = (drawing: Drawing, zone: number, row: number): Cell => {
    const amount = priceAt(drawing, zone, row);
    return drawing.isNumber ? amount / 100 : decimal(amount, 2, drawing.mark);
  };
  const upTo = (drawing: Drawing, row: number): string => `fino a ${drawing.weights[row]} g`;
  const stepLabel = ({ weights }: Drawing): string => `oltre ${weights.at(-1)} g, ogni 500 g`;
  const labels = (drawing: Drawing, label: (row: number) => string): string[] => [
    ...drawing.weights.map((_grams, row) => label(row)),
    ...(drawing.step ? [stepLabel(drawing)] : []),
  ];

  function matrix(drawing: Drawing, rowLabels: readonly string[]): Cell[][] {
    const rows = rowLabels.map((label, row) => [
      label,
      ...drawing.names.map((_name, zone) => priceCell(drawing, zone, row)),
    ]);
    return [['Peso', ...drawing.names], ...rows];
  }

  const LAYOUTS: Record<string, (drawing: Drawing) => Cell[][]> = {
    'weights down': (drawing) =>
      matrix(
        drawing,
        labels(drawing, (row) => upTo(drawing, row)),
      ),
    ranges: (drawing) =>
      matrix(
        drawing,
        labels(drawing, (row) => `${drawing.weights[row - 1] ?? 0}-${drawing.weights[row]} g`),
      ),
    'zones down': (drawing) => {
      const rows = matrix(
        drawing,
        labels(drawing, (row) => upTo(drawing, row)),
      );
      const [corner = []] = rows;
      return corner.map((_cell, column) =>
        rows.map((row, at) => (at === 0 && column === 0 ? 'Zona' : (row[column] ?? null))),
      );
    },
    'one price a row': (drawing) => [
      ['Zona', 'Fino a (g)', 'Prezzo'],
      ...drawing.names.flatMap((name, zone) =>
        labels(drawing, (row) => upTo(drawing, row)).map((label, row): Cell[] => [
          name,
          label,
          priceCell(drawing, zone, row),
        ]),
      ),
    ],
  };

  it.each(Object.keys(LAYOUTS))('reads back the same: %s', (layout) => {
    fc.assert(
      fc.property(list, (drawing) => {
        const grid = LAYOUTS[layout]?.(drawing) ?? [];
        const rows = drawing.title
          ? [['Listino valido dal 2027'], [null], ...grid, [null], ['Note a piè di pagina']]
          : grid;
        const { zones, problems } = readPriceGrids([{ name: 'S', rows }], { rounding: 1 });
        const euros = (zone: number, row: number): number => priceAt(drawing, zone, row) / 100;

        expect(problems).toEqual([]);
        expect(zones.map(({ heading }) => heading)).toEqual(drawing.names);
        expect(zones.map((zone) => zone.brackets.map(({ upToGrams, price }) => [upToGrams, Number(price)]))).toEqual(
          drawing.names.map((_name, zone) => drawing.weights.map((grams, row) => [grams, euros(zone, row)])),
        );
        expect(
          zones.map(({ stepGrams, stepPrice }) => (stepGrams === undefined ? null : [stepGrams, Number(stepPrice)])),
        ).toEqual(
          drawing.names.map((_name, zone) => (drawing.step ? [500, euros(zone, drawing.weights.length)] : null)),
        );
      }),
    );
  });
});
