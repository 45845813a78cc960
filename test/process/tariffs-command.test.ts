import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { tariffCommands } from '../../src/cli/tariffs.ts';
import { TariffEdition } from '../../src/db/entities/index.ts';
import { companyEm } from '../../src/db/orm.ts';
import { readTableFile, writeTableFile } from '../../src/documents/table-file.ts';
import { placeText } from '../../src/domain/pricing/sheets/sheet.ts';
import { importTariff } from '../../src/usecases/tariffs/import-tariff.ts';
import { type Edition, readEditions } from '../../src/usecases/tariffs/price-lists.ts';
import { addCompany } from '../api/second-company.ts';
import { runInProcess } from '../support/run-in-process.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { type CommandResult, smista } from './run-command.ts';

const italy = { upToGrams: 3000, price: '6.00' };
const TARIFF = {
  key: 'espresso',
  name: 'Espresso 2026',
  rounding: 1000,
  zones: [
    { code: 'ISOLE', name: 'Sicilia e Sardegna', match: { regions: ['SIC', 'SAR'] }, sale: { brackets: [italy] } },
    {
      code: 'IT',
      name: 'Italia',
      match: { countries: ['IT'] },
      sale: { brackets: [italy] },
      purchase: { brackets: [{ upToGrams: 3000, price: '4.00' }] },
    },
  ],
  surcharges: [{ name: 'Carburante', kind: 'percent', amount: '5' }],
};
const GRID = [
  ['LISTINO 2027', null, null],
  ['Peso', 'Italia', 'Sicilia e Sardegna'],
  ['fino a 3 kg', 6.9, 8.9],
  ['3-10', '9,50 €', '12,50 €'],
  ['oltre 10 kg, ogni 10 kg', 4, '5,50'],
  [null, null, null],
  ['IVA esclusa', null, null],
];

describe('smista tariffs', () => {
  let test: TestApp;
  let env: Record<string, string>;
  let directory: string;
  let companyId: number;
  let number = 0;
  let key: string;

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'], queues: [] });
    directory = mkdtempSync(path.join(tmpdir(), 'smista-tariffs-'));
    const { databaseUrl = '', dataDir } = test.app.config;
    env = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, DATABASE_POOL: '2', QUEUE_POOL: '2' };
    ({ companyId } = await addCompany(test, 'bottega', { tariffs: [TARIFF], contracts: [] }));
  });
  afterAll(async () => {
    await test.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  beforeEach(() => {
    number += 1;
    key = `t${number}`;
  });

  const run = (command: string, ...args: string[]): Promise<CommandResult> =>
    runInProcess(test.app, tariffCommands, ['tariffs', command, ...args]);
  const importing = (file: string, ...args: string[]): Promise<CommandResult> =>
    run('import', file, '--company', 'bottega', '--tariff', key, ...args);
  const editions = (tariff = key): Promise<Edition[]> =>
    readEditions(companyEm(test.app.deps.orm, companyId), { key: tariff });

  async function workbook(rows: unknown[][]): Promise<string> {
    const file = path.join(directory, 'listino.xlsx');
    writeFileSync(
      file,
      await writeWorkbook([{ sheet: 'Foglio1', data: rows as never, dateFormat: 'dd/mm' }]).toBuffer(),
    );
    return file;
  }

  function csv(text: string): string {
    const file = path.join(directory, 'listino.csv');
    writeFileSync(file, text);
    return file;
  }

  /** The grid with one other cell. */
  const gridWith = (row: number, column: number, cell: unknown): Promise<string> =>
    workbook(GRID.map((cells, at) => (at === row ? cells.with(column, cell as never) : cells)));

  it('are commands of smista', async () => {
    const file = await workbook(GRID);

    const [dry, wrong] = await Promise.all([
      smista(['tariffs', 'import', file, '--company', 'bottega', '--tariff', key, '--dry-run'], env),
      smista(['tariffs', 'export', 'a.csv', '--company', 'nobody', '--tariff', key], env),
    ]);

    expect([dry.code, dry.stderr]).toEqual([0, '']);
    expect(dry.stdout).toContain(`Without --dry-run: created tariff ${key}`);
    expect(wrong).toEqual({ code: 2, stdout: '', stderr: 'There is no company nobody\n' });
  });

  it('shows what it understood of a sheet and writes nothing, then writes it, then finds it unchanged', async () => {
    const file = await workbook(GRID);

    const dry = await importing(file, '--from', '2027-01-01', '--dry-run');
    const before = await editions();
    const first = await importing(file, '--from', '2027-01-01', '--name', 'Nuovo');
    const again = await importing(file, '--from', '2027-01-01');

    expect([dry.code, dry.stderr, before]).toEqual([0, '', []]);
    expect(dry.stdout).toMatch(
      /^Sicilia e Sardegna +SICILIA_E_SARDEGNA \(new\) +8\.9 up to 3 kg … 12\.50 up to 10 kg \(2\), then 5\.50 each 10 kg +regions SIC SAR$/m,
    );
    expect(dry.stdout).toContain('Foglio1!A1: LISTINO 2027');
    expect(dry.stdout).toContain('Foglio1!A7: IVA esclusa');
    expect(dry.stdout).toContain(`Nothing was written. Without --dry-run: created tariff ${key} from 2027-01-01`);
    expect(first.stdout).toContain(`created   tariff ${key} from 2027-01-01\n`);
    expect(again.stdout).toContain(`unchanged tariff ${key} from 2027-01-01\n`);
    expect(await editions()).toMatchObject([
      {
        from: '2027-01-01',
        to: null,
        priceList: {
          name: 'Nuovo',
          zones: [
            {
              code: 'ITALIA',
              match: { countries: ['IT'] },
              sale: {
                brackets: [
                  { upToGrams: 3000, price: '6.9' },
                  { upToGrams: 10_000, price: '9.50' },
                ],
                stepGrams: 10_000,
                stepPrice: '4',
              },
            },
            { match: { regions: ['SIC', 'SAR'] }, sale: { stepPrice: '5.50' } },
          ],
        },
      },
    ]);
  });

  it('puts prices into a list that is there, and keeps its zones, surcharges and other side', async () => {
    const sale = await importing(
      await workbook(GRID),
      '--like',
      'espresso',
      '--from',
      '2027-01-01',
      '--to',
      '2027-12-31',
    );
    const [made] = await editions();

    expect([sale.code, sale.stderr]).toEqual([0, '']);
    expect(made).toMatchObject({
      to: '2027-12-31',
      priceList: {
        name: key,
        rounding: 1000,
        surcharges: [{ name: 'Carburante' }],
        zones: [
          { code: 'ISOLE', sale: { brackets: [{ price: '8.9' }, { price: '12.50' }] } },
          { code: 'IT', sale: { brackets: [{ price: '6.9' }, {}] }, purchase: { brackets: [{ price: '4.00' }] } },
        ],
      },
    });

    const only = csv('Peso;Italia\n3;5,00\n10;7,00\n');
    const purchase = await importing(only, '--side', 'purchase', '--from', '2027-01-01');

    expect(purchase.stdout).toContain('Zone ISOLE still has no purchase prices');
    expect(purchase.stdout).toContain(`changed   tariff ${key} from 2027-01-01`);
    expect(await editions()).toMatchObject([
      {
        to: '2027-12-31',
        priceList: {
          zones: [{ sale: { brackets: [{ price: '8.9' }, {}] } }, { purchase: { brackets: [{ price: '5.00' }, {}] } }],
        },
      },
    ]);
  });

  it('takes a new list from the one before it', async () => {
    await importing(await workbook(GRID), '--like', 'espresso');
    const next = await importing(csv('Peso;Italia\n3;7,50\n'), '--from', '2028-01-01');

    expect(next.stdout).toContain('Zone ISOLE keeps its sale prices: the file has none for it');
    expect((await editions()).map(({ from, priceList }) => [from, priceList.zones.map(({ code }) => code)])).toEqual([
      ['', ['ISOLE', 'IT']],
      ['2028-01-01', ['ISOLE', 'IT']],
    ]);
    expect((await importing(csv('Peso;Italia\n3;7,50\n'))).stderr).toContain(
      `Tariff ${key} has price lists from 2028-01-01: say with --from when this one begins`,
    );
  });

  it.each<[string, [number, number, unknown], string]>([
    ['a price that is missing', [3, 2, null], 'Foglio1!C4: The price is missing'],
    ['a price in words', [3, 1, 'su richiesta'], 'Foglio1!B4: Not a price: su richiesta'],
    [
      'a decimal point among commas',
      [4, 2, '5.50'],
      'Foglio1!C5: 5.50 has decimals with ".", the file otherwise with ","',
    ],
    ['a thousand or three decimals', [3, 1, '1.234'], 'Foglio1!B4: 1.234 may mean 1234 or 1.234'],
    ['francs', [3, 1, 'CHF 9,50'], 'Foglio1!B4: Prices are in euro, this one is in CHF'],
    ['brackets that overlap', [3, 0, '2-10'], 'Foglio1!A4: Brackets overlap: this one begins at 2 kg'],
    ['a hole between brackets', [3, 0, '5-10'], 'Foglio1!A4: Nothing has a price between 3 kg and 5 kg'],
    ['a weight that is none', [3, 0, 'fino a 1O kg'], 'Foglio1!A4: Not a weight: fino a 1O kg'],
    [
      'a date made of weights',
      [3, 0, new Date(Date.UTC(2027, 9, 3))],
      'Foglio1!A4: The spreadsheet made the date 2027-10-03',
    ],
    [
      'a zone that nobody knows',
      [1, 2, 'Zona 3'],
      'Foglio1!C2: It is not known where Zona 3 is: give its zones with --zones',
    ],
    ['a zone twice', [1, 2, 'Italy'], 'Foglio1!C2: The zones ITALIA and ITALY both claim the country IT'],
  ])('refuses %s at its cell, and writes nothing', async (_what, change, problem) => {
    const file = await gridWith(...change);
    const rest = { from: null, to: null, like: null, zonesFile: null, name: null, isDryRun: false };
    const input = { file, companyKey: 'bottega', tariffKey: key, side: 'sale' as const, ...rest };

    const { problems, change: written } = await importTariff(test.app.deps, input);

    expect(problems.map((each) => `${placeText(each)}: ${each.message}`).join('\n')).toContain(problem);
    expect([written, await editions()]).toEqual([null, []]);
  });

  it('lists every problem of a file', async () => {
    const { stderr } = await importing(csv('Peso;Italia;Zona 9\n3;;8,90\n2;7,00;$ 9\n'));

    expect(stderr.trim().split('\n')).toEqual([
      'Nothing was written. These cells cannot be taken as they are:',
      expect.stringContaining('  listino!C1: It is not known where Zona 9 is'),
      '  listino!B2: The price is missing',
      '  listino!A3: Brackets must rise: 2 kg comes after 3 kg',
      '  listino!C3: Prices are in euro, this one is in $: $ 9',
    ]);
  });

  it('takes zones from a file, by code, name or label', async () => {
    const zones = path.join(directory, 'zones.csv');
    writeFileSync(
      zones,
      'code,name,label,countries,postalCodes\nEU1,Europa 1,Zona 1,"DE, FR",\nROMA,Roma centro,,,00118-00199\n',
    );
    const grid = csv('Peso;Zona 1;Roma centro\n3;12,00;5,00\n');

    const done = await importing(grid, '--zones', zones);
    writeFileSync(zones, 'code,name,countries\nEU1,Zona 1,Germania\n');
    const wrong = await importing(grid, '--zones', zones);

    expect([done.code, done.stderr]).toEqual([0, '']);
    expect((await editions())[0]?.priceList.zones.map(({ code, match }) => [code, match])).toEqual([
      ['EU1', { countries: ['DE', 'FR'] }],
      ['ROMA', { postalCodes: ['00118-00199'] }],
    ]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('zones!C2: A country is two letters, such as IT');
  });

  it('exports a whole list and takes it back, also edited', async () => {
    const file = path.join(directory, 'out.xlsx');

    const out = await run('export', file, '--company', 'bottega', '--tariff', 'espresso');
    const unchanged = await smista(['tariffs', 'import', file, '--company', 'bottega', '--tariff', 'espresso'], env);
    const copied = await importing(file, '--from', '2027-06-01');
    const sheets = await readTableFile(file);
    sheets.find(({ name }) => name === 'Prices')?.rows[2]?.splice(1, 1, '6,50');
    await writeTableFile(file, sheets);
    const edited = await importing(file, '--from', '2027-06-01');

    expect(out.stdout).toBe(`Espresso 2026 (always) is in ${file}.\n`);
    expect(unchanged.stdout).toContain('unchanged tariff espresso');
    expect(copied.stdout).toContain(`created   tariff ${key} from 2027-06-01`);
    expect((await editions())[0]?.priceList).toEqual((await editions('espresso'))[0]?.priceList);
    expect([edited.code, edited.stderr]).toEqual([
      2,
      expect.stringContaining('Prices!B3: Write decimals with a point'),
    ]);
  });

  it('exports one sheet as CSV, whose prices can be brought back', async () => {
    const file = path.join(directory, 'prices.csv');
    await run('export', file, '--company', 'bottega', '--tariff', 'espresso');
    const [sheet] = await readTableFile(file);

    expect(sheet?.rows).toEqual([
      ['zone', 'ISOLE', 'IT', 'IT'],
      ['side', 'sale', 'sale', 'purchase'],
      ['3000', '6.00', '6.00', '4.00'],
    ]);
    sheet?.rows[2]?.splice(3, 1, '4.50');
    await writeTableFile(file, sheet ? [sheet] : []);
    const alone = await importing(file);
    const done = await importing(file, '--like', 'espresso');

    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('These are prices without zones')]);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect((await editions())[0]?.priceList.zones[1]?.purchase?.brackets).toEqual([{ upToGrams: 3000, price: '4.50' }]);
  });

  it('lists what there is, and checks it', async () => {
    await importing(csv('Peso;Lombardia\n3;5,00\n'));

    const [list, holes] = await Promise.all([
      run('list', '--company', 'bottega'),
      run('check', '--company', 'bottega', '--tariff', key),
    ]);
    const em = companyEm(test.app.deps.orm, companyId);
    const [zone] = (await editions())[0]?.priceList.zones ?? [];
    const twice = { name: 'Doppio', zones: [zone, { ...zone, code: 'LOM2' }] };
    const [edition] = await em.find(TariffEdition, {}, { orderBy: { id: 'desc' }, limit: 1 });
    await em.nativeUpdate(TariffEdition, { id: edition?.id ?? 0 }, { priceList: twice });
    const wrong = await run('check', '--company', 'bottega', '--tariff', key);
    await em.nativeUpdate(TariffEdition, { id: edition?.id ?? 0 }, { priceList: { name: 'Alt', zones: [] } });
    const old = await run('check', '--company', 'bottega', '--tariff', key);

    expect(list.stdout).toMatch(/^COMPANY +TARIFF +FROM +UNTIL +ZONES +CONTRACTS +NAME$/m);
    expect(list.stdout).toMatch(/^bottega +espresso +- +- +2 +- +Espresso 2026$/m);
    expect(holes.code).toBe(0);
    expect(holes.stdout).toContain('hole  No zone covers the region Toscana (TOS)');
    expect(holes.stdout).toContain('hole  Zone LOMBARDIA has no sale price above 3 kg');
    expect([wrong.code, wrong.stdout]).toEqual([
      1,
      expect.stringContaining('WRONG The zones LOMBARDIA and LOM2 both claim the region LOM'),
    ]);
    expect([old.code, old.stdout]).toEqual([1, expect.stringContaining('WRONG zones: At least one zone is needed')]);
  });

  it.each([
    [['import', 'nowhere.xlsx', '--company', 'bottega', '--tariff', 'a'], 'nowhere.xlsx cannot be read'],
    [['import', 'package.json', '--company', 'bottega', '--tariff', 'A B'], "A tariff's key is lowercase letters"],
    [['import', 'package.json', '--company', 'nobody', '--tariff', 'a'], 'There is no company nobody'],
    [['import', 'package.json', '--company', 'bottega', '--tariff', 'a', '--like', 'b'], 'There is no tariff b'],
    [['import', 'package.json', '--company', 'bottega', '--tariff', 'a', '--from', '2027-02-31'], 'YYYY-MM-DD'],
    [
      ['import', 'x', '--company', 'bottega', '--tariff', 'a', '--from', '2027-02-01', '--to', '2027-01-01'],
      'The period ends before it begins',
    ],
    [['import', 'package.json', '--company', 'bottega', '--tariff', 'a'], 'There are no prices here that can be read'],
    [['export', 'a.ods', '--company', 'bottega', '--tariff', 'espresso'], 'a.ods must end in .xlsx or .csv'],
    [['export', 'a.csv', '--company', 'bottega', '--tariff', 'nothing'], 'There is no tariff nothing'],
    [['check', '--company', 'bottega', '--tariff', 'nothing'], 'There is no tariff nothing'],
    [['list', '--company', 'nobody'], 'There is no company nobody'],
  ])('says in a sentence what is wrong with %j', async (args, sentence) => {
    const { code, stderr } = await run(...(args as [string, ...string[]]));

    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});
