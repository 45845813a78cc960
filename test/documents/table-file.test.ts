import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import writeWorkbook from 'write-excel-file/node';
import { readTableFile, writeTableFile } from '../../src/documents/table-file.ts';
import { unzipBounded, ZipError } from '../../src/documents/zip-parts.ts';
import type { Sheet } from '../../src/domain/pricing/sheets/sheet.ts';
import { fromWorkbook, toWorkbook } from '../../src/domain/pricing/sheets/workbook.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { anyPriceList } from '../domain/pricing/sheets/any-price-list.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'smista-tables-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function put(name: string, content: Buffer | string): string {
  const file = path.join(directory, name);
  writeFileSync(file, content);
  return file;
}

async function refusalOf(file: string): Promise<string> {
  const error: unknown = await readTableFile(file).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(UsageError);
  return (error as UsageError).message.replace(file, 'FILE');
}

/** An archive with these parts, each with the sizes that are said of it and the data that it has. */
function zip(parts: readonly { name: string; content: Buffer; gap?: number }[]): Buffer {
  const files: Buffer[] = [];
  const directoryEntries: Buffer[] = [];
  let offset = 0;
  for (const { name, content, gap = 0 } of parts) {
    const data = deflateRawSync(content);
    const local = Buffer.alloc(30 + name.length);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt32LE(content.length, 22);
    local.writeUInt16LE(name.length, 26);
    local.write(name, 30);
    const entry = Buffer.alloc(46 + name.length);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    entry.write(name, 46);
    files.push(local, data, Buffer.alloc(gap));
    directoryEntries.push(entry);
    offset += local.length + data.length + gap;
  }
  const all = Buffer.concat(directoryEntries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(all.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, all, end]);
}

const WORKBOOK = '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>';
const RELATIONS =
  '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>';

/** The smallest workbook around one sheet's rows. */
function workbookOf(rows: string): Buffer {
  return zip([
    { name: 'xl/workbook.xml', content: Buffer.from(WORKBOOK) },
    { name: 'xl/_rels/workbook.xml.rels', content: Buffer.from(RELATIONS) },
    { name: 'xl/worksheets/sheet1.xml', content: Buffer.from(`<worksheet><sheetData>${rows}</sheetData></worksheet>`) },
  ]);
}

describe('CSV files', () => {
  const rows = [
    ['Peso', 'Italia', 'Città'],
    ['3', '6,90 €', '8,90 €'],
    ['5', '7,90 €', null],
  ];
  const text = (delimiter: string): string =>
    rows
      .map((row) => row.map((cell) => (cell?.includes(delimiter) ? `"${cell}"` : (cell ?? ''))).join(delimiter))
      .join('\r\n');

  it.each([';', '\t', ','])('are read with the delimiter %j', async (delimiter) => {
    expect(await readTableFile(put('listino.csv', text(delimiter)))).toEqual([{ name: 'listino', rows }]);
  });

  it.each<[string, Buffer]>([
    ['UTF-8', Buffer.from(text(';'))],
    ['UTF-8 with its mark', Buffer.from(`\ufeff${text(';')}`)],
    ['Windows-1252', iconv.encode(text(';'), 'windows-1252')],
    ['UTF-16', Buffer.from(`\ufeff${text('\t')}`, 'utf16le')],
    ['a line that says the delimiter', Buffer.from(`sep=;\r\n${text(';')}`)],
  ])('are read in %s', async (_encoding, bytes) => {
    expect((await readTableFile(put('listino.csv', bytes)))[0]?.rows).toEqual(rows);
  });

  it('are told from a workbook by what is in them', async () => {
    expect((await readTableFile(put('listino.xlsx', text(';'))))[0]?.rows).toEqual(rows);
    expect((await readTableFile(put('x.csv', 'PK;Italia\n3;4')))[0]?.rows[0]).toEqual(['PK', 'Italia']);
  });

  it('keep empty rows, so that rows are numbered as in a spreadsheet, and rows of different lengths', async () => {
    expect((await readTableFile(put('a.csv', 'a;b\n\nc;d;e\n')))[0]?.rows).toEqual([
      ['a', 'b'],
      [null],
      ['c', 'd', 'e'],
    ]);
  });

  it('keep decimal commas where hardly any line has a comma between cells', async () => {
    const csv = 'Listino, ed. 2027\nPeso;Italia\n3;6,90\n5;7,90';
    expect((await readTableFile(put('a.csv', csv)))[0]?.rows.at(-1)).toEqual(['5', '7,90']);
  });

  it('give back what was written, and nothing in them is carried out as a formula', async () => {
    const sheet: Sheet = {
      name: 'a',
      rows: [
        ['=1+1', '-', "'=x", '-1+1', 'a "b", c', '00100'],
        ['x', null, '3'],
      ],
    };
    const file = path.join(directory, 'a.csv');
    await writeTableFile(file, [sheet]);

    expect(await readTableFile(file)).toEqual([{ name: 'a', rows: [sheet.rows[0], ['x', null, '3']] }]);
    expect(readFileSync(file, 'utf8')).toMatch(/^'=1\+1,-,''=x,'-1\+1,/);
  });
});

describe('workbooks', () => {
  it('are read with their sheets, numbers, texts and days', async () => {
    const sheets = [
      { sheet: 'Foglio 1', data: [['a', 6.9, null, new Date(Date.UTC(2027, 0, 31))]], dateFormat: 'dd/mm/yyyy' },
      { sheet: 'Note', data: [[null], ['  x  ', true]] },
    ];
    const file = put('a.xlsx', await writeWorkbook(sheets).toBuffer());

    expect(await readTableFile(file)).toEqual([
      { name: 'Foglio 1', rows: [['a', 6.9, null, '2027-01-31']] },
      {
        name: 'Note',
        rows: [
          [null, null],
          ['x', 'true'],
        ],
      },
    ]);
  });

  it('give back any price list that was written', { timeout: 60_000 }, async () => {
    const file = path.join(directory, 'list.xlsx');
    await fc.assert(
      fc.asyncProperty(anyPriceList, async (list) => {
        await writeTableFile(file, toWorkbook(list));
        expect(fromWorkbook(await readTableFile(file))).toMatchObject({ priceList: list });
      }),
      { numRuns: 40 },
    );
  });

  it('tell a currency that only the format of a number says', async () => {
    const formats = [
      '[$CHF-807] #,##0.00',
      '[$€-410] #,##0.00',
      '#,##0.00 "USD"',
      '[$$-409]0.00',
      '0.00 "kg"',
      '0.00 "EUR"',
    ];
    const cells = formats.map((format) => ({ value: 7.5, type: Number, format }));
    const file = put('a.xlsx', await writeWorkbook([{ sheet: 'A', data: [['x'], cells] }]).toBuffer());

    expect((await readTableFile(file))[0]?.rows[1]).toEqual(['CHF 7.5', 7.5, 'USD 7.5', '$ 7.5', 7.5, 7.5]);
  });

  it('keep texts that are odd to XML or to JavaScript', async () => {
    const odd = ['toString', '__proto__', '_x0041_', 'a\u0001b', '<&>"', "'x", '=1+1', '\ufffd', 'a\nb', '007', '1e3'];
    const file = path.join(directory, 'odd.xlsx');
    await writeTableFile(file, [{ name: 'A', rows: [odd] }]);

    expect((await readTableFile(file))[0]?.rows).toEqual([odd]);
  });

  it('may be formatted down to the last row of a spreadsheet', async () => {
    const bytes = workbookOf('<row r="1"><c r="A1"><v>7</v></c></row><row r="1048576"><c r="XFD1048576" s="0"/></row>');

    expect(await readTableFile(put('a.xlsx', bytes))).toEqual([{ name: 'A', rows: [[7]] }]);
  });
});

describe('files that are no tables', () => {
  it.each<[string, () => Buffer | string, RegExp]>([
    ['nothing', () => '', /^FILE is empty$/],
    ['blanks', () => ' ;; \n ; ', /^FILE is empty$/],
    ['an old workbook', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), /old Excel: save it as \.xlsx/],
    [
      'a workbook with a password',
      () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
      /protected by a password/,
    ],
    ['a PDF', () => '%PDF-1.7', /is a PDF/],
    ['a web page', () => '\ufeff<html><table>', /is a web page/],
    ['bytes', () => Buffer.from([1, 0, 2, 0]), /neither \.xlsx nor \.csv/],
    ['half a workbook', () => workbookOf('').subarray(0, 200), /cannot be read: it is damaged/],
    ['another archive', () => zip([{ name: 'a.txt', content: Buffer.from('a') }]), /not an Excel workbook/],
    ['broken XML', () => workbookOf('<row r="1"><c r="A1"><v>7</c>'), /not an Excel workbook|is empty/],
    ['a quote that never ends', () => 'a;b\n"c;d', /cannot be read/],
    ['too many bytes', () => Buffer.alloc(10_000_001, 'a;'), /is larger than 10 MB/],
    ['too many columns', () => ';'.repeat(1000).concat('a'), /more than 50000 rows or 1000 columns/],
    ['a cell far to the right', () => workbookOf('<row r="1"><c r="XFD1"><v>7</v></c></row>'), /1000 columns/],
    ['a cell far below', () => workbookOf('<row r="60000"><c r="A60000"><v>7</v></c></row>'), /50000 rows/],
    ['a wide and long sheet', () => workbookOf('<row r="40000"><c r="ALK40000"><v>7</v></c></row>'), /2000000 cells/],
    ['a row beyond all rows', () => workbookOf('<row r="99999999"></row>'), /50000 rows/],
  ])('are refused in words: %s', async (_what, content, words) => {
    expect(await refusalOf(put('file.xlsx', content()))).toMatch(words);
  });

  it('are refused when they are not there, or cannot be written', async () => {
    expect(await refusalOf(path.join(directory, 'nowhere.csv'))).toMatch(/^FILE cannot be read: ENOENT/);
    expect(await refusalOf(directory)).toMatch(/^FILE cannot be read: EISDIR/);
    await expect(writeTableFile(path.join(directory, 'no', 'a.csv'), [])).rejects.toThrow(/cannot be written/);
    await expect(writeTableFile(path.join(directory, 'a.ods'), [])).rejects.toThrow(/must end in \.xlsx or \.csv/);
  });
});

describe('archives that unpack to more than memory holds', () => {
  const small = { name: 'a', content: Buffer.from('a') };

  it('are refused by what comes out, whatever they say of their size', () => {
    const bomb = zip([small, { name: 'b', content: Buffer.alloc(5_000_000) }]);

    expect(bomb.length).toBeLessThan(10_000);
    expect(() => unzipBounded(bomb, 1_000_000)).toThrow(new ZipError('it holds too much'));
    expect(unzipBounded(bomb, 6_000_000).map(({ bytes }) => bytes.length)).toEqual([1, 5_000_000]);
  });

  it('are refused when there is room for a part that the directory does not name', () => {
    expect(() => unzipBounded(zip([{ ...small, gap: 100 }, small]), 1000)).toThrow(new ZipError('it is damaged'));
    expect(() => unzipBounded(zip([small, { ...small, gap: 100 }]), 1000)).toThrow(new ZipError('it is damaged'));
  });

  it('never break on bytes that were changed', () => {
    const good = zip([small, { name: 'b', content: Buffer.from('bcd'.repeat(50)) }]);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 8 }), (changes) => {
        const bytes = Buffer.from(good);
        for (const [at, value] of changes) bytes[at] = value;
        try {
          unzipBounded(bytes, 10_000);
        } catch (error) {
          expect(error).toBeInstanceOf(ZipError);
        }
      }),
      { numRuns: 1000 },
    );
  });
});
