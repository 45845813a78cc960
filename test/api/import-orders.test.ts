import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeXlsx } from '../../src/documents/xlsx-table.ts';
import type { Cell } from '../../src/domain/pricing/sheets/sheet.ts';
import { type Answer, startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany, declareCompany, type SecondCompany } from './second-company.ts';

const CSV = 'text/csv';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const HEAD = ['Numero ordine', 'Nome', 'Indirizzo', 'CAP', 'Città', 'SKU', 'Quantità', 'Prezzo'];

let test: TestApp;
let company: SecondCompany;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
  company = await addCompany(test, 'fogli', {
    settings: { order_sheets: { gestionale: { order_number: 'Rif.', zip: 'Codice' } } },
  });
});
afterAll(() => test.stop());

/** The smallest workbook around the XML of its rows. */
function hostileWorkbook(rows: string): Buffer {
  const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const part = (text: string): Uint8Array => strToU8(text);
  return Buffer.from(
    zipSync({
      'xl/workbook.xml': part(
        `<workbook xmlns:r="${relations}"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': part(
        `<Relationships><Relationship Id="rId1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      ),
      'xl/worksheets/sheet1.xml': part(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
    }),
  );
}

interface Upload {
  query?: string;
  type?: string;
  headers?: Record<string, string>;
}

function upload(
  body: string | Buffer,
  { query = '', type = CSV, headers = company.headers }: Upload = {},
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
): Promise<Answer<any>> {
  return test.call('POST', `/orders/import${query}`, body, { ...headers, 'content-type': type });
}

function csv(...rows: (string | number)[][]): string {
  return rows.map((row) => row.map((cell) => `"${cell}"`).join(';')).join('\r\n');
}

function line(number: string, changes: Partial<Record<string, string | number>> = {}): (string | number)[] {
  const plain = [number, 'Lucia Farinelli', 'Via Mazzini 48', '40137', 'Bologna', 'MUG-01', 2, '14,90'];
  return plain.map((cell, at) => changes[HEAD[at] ?? ''] ?? cell);
}

async function numbersOf(headers: Record<string, string>): Promise<string[]> {
  const { body } = await test.call('GET', '/orders?limit=1000', undefined, headers);
  return body.map(({ orderNumber }: { orderNumber: string }) => orderNumber);
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
async function read(orderId: number): Promise<any> {
  return (await test.call('GET', `/orders/${orderId}`, undefined, company.headers)).body;
}

describe('POST /orders/import', () => {
  it('creates the orders of the example, with its lines, parcels, cash on delivery and days', async () => {
    const { status, body } = await upload(readFileSync('examples/orders.csv'));

    expect(status).toBe(200);
    expect(body).toMatchObject({ created: 3, existing: 0, refused: 0, valid: 0, ignoredColumns: [] });
    expect(body.orders.map(({ rows }: { rows: number[] }) => rows)).toEqual([[2, 3], [4], [5]]);
    const [first, second, third] = await Promise.all(
      body.orders.map(({ orderId }: { orderId: number }) => read(orderId)),
    );
    expect(first.orderItems.map((item: Record<string, unknown>) => [item.sku, item.quantity])).toEqual([
      ['MUG-01', 2],
      ['TEA-03', 1],
    ]);
    expect(first.order).toMatchObject({
      orderNumber: 'W-1001',
      totalGrossAmount: '38.30',
      dateMarketplaceCreation: '2026-11-21T00:00:00.000Z',
    });
    expect(first.customerAddress).toMatchObject({ address: 'Via Mazzini 48', countryCode: 'IT', state: 'BO' });
    expect(second.customerAddress).toMatchObject({ zip: '00184', company: 'Officina Santangelo' });
    expect(second.order.parcelNumber).toBe(2);
    expect(second.payment).toEqual({ method: 'COD', codAmount: '89.40' });
    expect(third.customerAddress.countryCode).toBe('FR');
  });

  it('reads a workbook, whose numbers are no texts, and the sheet that is named', async () => {
    const rows: Cell[][] = [HEAD, [1001, 'Anna', 'Via Po 1', 184, 'Roma', 77, 1, 9.5]];
    const file = await writeXlsx([
      { name: 'Istruzioni', rows: [['Leggimi']] },
      { name: 'Ordini', rows },
    ]);

    const first = await upload(file, { type: XLSX });
    const named = await upload(file, { type: XLSX, query: '?sheet=ordini' });
    const missing = await upload(file, { type: XLSX, query: '?sheet=Altro' });

    expect(first.status).toBe(422);
    expect(named.body.orders[0]).toMatchObject({ orderNumber: '1001', status: 'created' });
    const { customerAddress, orderItems } = await read(named.body.orders[0].orderId);
    expect([customerAddress.zip, orderItems[0].sku]).toEqual(['00184', '77']);
    expect(missing.body.detail).toBe('The file has no sheet Altro. It has: Istruzioni, Ordini');
  });

  it('reads Windows-1252, with the euro and accents of an Italian Excel', async () => {
    const text = csv(HEAD, line('ANSI-1', { Città: 'Forlì', CAP: '47121', Prezzo: '€ 1.234,50' }));

    const { body } = await upload(iconv.encode(text, 'windows-1252'));

    const { customerAddress, orderItems } = await read(body.orders[0].orderId);
    expect([customerAddress.city, orderItems[0].unitPriceGross]).toEqual(['Forlì', 1234.5]);
  });

  it('finds every fault in a dry run, by row and column, and writes nothing', async () => {
    const before = await numbersOf(company.headers);
    const sheet = csv(
      HEAD,
      line('DRY-1', { Quantità: 'due', CAP: '401X3' }),
      line('DRY-2'),
      line('DRY-2', { Indirizzo: 'Via Po 3', Prezzo: '' }),
      line('', { Nome: '' }),
    );

    const { body } = await upload(sheet, { query: '?dryRun=true' });

    expect(body).toMatchObject({ created: 0, existing: 0, refused: 3, valid: 0 });
    expect(body.orders.map(({ faults }: { faults: unknown }) => faults)).toEqual([
      [
        { row: 2, column: 'Quantità', message: 'is no clear number: due' },
        { row: 2, column: 'CAP', message: 'must be a five-digit Italian postal code' },
      ],
      [
        {
          row: 4,
          column: 'Indirizzo',
          message: 'differs from row 3 of the same order: an order has one value of it',
        },
        { row: 4, column: 'Prezzo', message: 'is missing' },
      ],
      [
        { row: 5, column: 'Numero ordine', message: 'is missing' },
        { row: 5, column: 'Nome', message: 'is missing' },
      ],
    ]);
    expect(await numbersOf(company.headers)).toEqual(before);
  });

  it('creates the orders without a fault, and refuses the others with the rules of POST /orders', async () => {
    const sheet = csv(
      [...HEAD, 'Magazzino', 'Provincia'],
      [...line('MIX-1'), '', 'BO'],
      [...line('MIX-2'), 'nowhere', ''],
      [...line('MIX-3'), '', 'Atlantide'],
      [...line('MIX-4', { Prezzo: '999999', Quantità: 90000 }), '', ''],
    );

    const { body } = await upload(sheet);

    expect(body.orders).toMatchObject([
      { orderNumber: 'MIX-1', status: 'created' },
      { status: 'refused', orderId: null, faults: [{ row: 3, column: 'Magazzino' }] },
      { status: 'refused', faults: [{ row: 4, column: 'Provincia' }] },
      { status: 'refused', faults: [{ row: 5, message: 'The sum is above 20000000.00' }] },
    ]);
    const numbers = await numbersOf(company.headers);
    expect(numbers.filter((number) => number.startsWith('MIX'))).toEqual(['MIX-1']);
  });

  it('leaves an existing order as it is, and creates each order once when sheets arrive at the same moment', async () => {
    const sheet = csv(HEAD, ...Array.from({ length: 120 }, (_each, at) => line(`ONCE-${at}`)));

    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(sheet)));
    const changed = await upload(csv(HEAD, line('ONCE-7', { Città: 'Modena', Quantità: 'molti' })));

    const ids = answers.map(({ body }) => body.orders.map(({ orderId }: { orderId: number }) => orderId));
    expect(answers.reduce((sum, { body }) => sum + body.created, 0)).toBe(120);
    for (const own of ids) expect(own).toEqual(ids[0]);
    expect((await numbersOf(company.headers)).filter((number) => number.startsWith('ONCE'))).toHaveLength(120);
    expect(changed.body.orders[0]).toMatchObject({ status: 'existing', orderId: ids[0]?.[7], faults: [] });
    expect((await read(ids[0]?.[7])).customerAddress.city).toBe('Bologna');
  });

  it('takes the headers of a saved mapping, and names the saved ones', async () => {
    const sheet = csv(['Rif.', ...HEAD.slice(1, 3), 'Codice', ...HEAD.slice(4)], line('MAP-1'));

    const plain = await upload(sheet);
    const mapped = await upload(sheet, { query: '?mapping=gestionale' });
    const unknown = await upload(sheet, { query: '?mapping=altro' });

    expect(plain.body.violations.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringMatching(/^A column is missing. Its header is one of: order number, .*numero ordine/),
      expect.stringMatching(/^A column is missing. Its header is one of: zip, /),
    ]);
    expect(mapped.body).toMatchObject({ created: 1, ignoredColumns: [] });
    expect(unknown.body.detail).toBe('The company has no mapping altro. It has: gestionale');
  });

  it('keeps companies apart, also those with the same numbers', async () => {
    const other = await addCompany(test, 'altri-fogli');
    await declareCompany(test, 'altri-fogli');
    const sheet = csv(HEAD, line('OURS-1'));
    const ours = await upload(sheet);

    const theirs = await upload(sheet, { headers: other.headers });
    const withOurMapping = await upload(sheet, { headers: other.headers, query: '?mapping=gestionale' });

    expect([ours.body.created, theirs.body.created]).toEqual([1, 1]);
    expect(theirs.body.orders[0].orderId).not.toBe(ours.body.orders[0].orderId);
    expect(await numbersOf(other.headers)).toEqual(['OURS-1']);
    expect(withOurMapping.status).toBe(422);
  });

  it('answers for the warehouse and contract of another company as for none', async () => {
    const { body: own } = await test.call('GET', '/warehouses', undefined, company.headers);
    const { body: foreign } = await test.call('GET', '/warehouses');
    const places = [own[0].id, foreign[0].id, 2_000_000_000];
    const contracts = ['', test.contractId, 2_000_000_000];
    const rows = places.map((place, at) => [...line(`PLACE-${at}`), place, contracts[at] ?? '']);

    const { body } = await upload(csv([...HEAD, 'Magazzino', 'Contratto'], ...rows));

    const messages = body.orders.map(({ faults }: { faults: { column: string; message: string }[] }) =>
      faults.map(({ column, message }) => `${column}: ${message}`),
    );
    expect(messages[0]).toEqual([]);
    expect(messages[1]).toEqual([
      'Magazzino: There is no such warehouse',
      'Contratto: There is no such carrier contract',
    ]);
    expect(messages[2]).toEqual(messages[1]);
  });

  it('takes formulas and control characters as texts', async () => {
    const sheet = csv([...HEAD, '=1+1'], [...line('TEXT-1', { Nome: '=HYPERLINK(0)\u0007' }), 'x']);

    const { body } = await upload(sheet);

    expect(body.ignoredColumns).toEqual(['=1+1']);
    expect((await read(body.orders[0].orderId)).customerAddress.fullName).toBe('=HYPERLINK(0)\u0007');
  });

  it('refuses other media types, unknown parameters, too many rows and too large files in words', async () => {
    const rows = csv(HEAD, ...Array.from({ length: 10_001 }, (_each, at) => line(`R-${at}`)));

    const [type, misspelt, long, large, empty] = [
      await upload('{}', { type: 'application/json' }),
      await upload(csv(HEAD, line('TYPO-1')), { query: '?dry_run=true' }),
      await upload(rows),
      await upload(Buffer.alloc(2_100_000, 'x')),
      await upload(''),
    ];

    expect([type, misspelt, long, large, empty].map(({ status }) => status)).toEqual([415, 400, 422, 413, 400]);
    expect(misspelt.body.detail).toContain('use dryRun, sheet, mapping');
    expect(long.body.detail).toBe('The sheet has 10001 rows, and 10000 at most are read: divide it');
    expect(await numbersOf(company.headers)).not.toContain('TYPO-1');
  });

  it('refuses workbooks that would take all memory or time, and answers others meanwhile', async () => {
    const far = hostileWorkbook('<row r="1"><c r="&#90;ZZZZZ1" t="str"><v>x</v></c></row>');
    const endless = hostileWorkbook('<row '.repeat(4_000_000));

    const [first, second, meanwhile] = await Promise.all([
      upload(far, { type: XLSX }),
      upload(endless, { type: XLSX }),
      test.call('GET', '/warehouses', undefined, company.headers),
    ]);

    expect([first.status, second.status]).toEqual([400, 400]);
    // A busy machine runs out of time before it runs out of memory.
    expect(first.body.detail).toMatch(/^The file (holds too much|takes too long) to read$/);
    expect(second.body.detail).toBe('The file takes too long to read');
    expect(meanwhile.status).toBe(200);
  }, 60_000);

  it('answers any bytes without a failure of its own', async () => {
    const workbook = await writeXlsx([{ name: 'A', rows: [HEAD, line('FUZZ-1')] }]);
    const torn = fc.tuple(fc.nat(workbook.length - 1), fc.nat(255)).map(([at, byte]) => {
      const bytes = Buffer.from(workbook);
      bytes[at] = byte;
      return bytes;
    });
    const cell = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom('"', '\u0000', 'x'.repeat(60_000)),
    );
    const text = fc
      .array(fc.array(cell, { minLength: 8, maxLength: 8 }))
      .map((rows) => Buffer.from(csv(HEAD, ...rows)));
    const noise = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
    const property = fc.asyncProperty(fc.oneof(torn, text, noise), async (bytes) => {
      // The answer itself is compared with the document.
      const { status } = await upload(bytes);
      expect([200, 400, 422]).toContain(status);
    });

    await fc.assert(property, { numRuns: 40 });
  });
});
