import { XMLParser } from 'fast-xml-parser';
import type { ZipPart } from './zip-parts.ts';

type Node = Record<string, unknown>;

const ARRAYS = new Set(['numFmt', 'xf', 'sheet', 'Relationship']);
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseAttributeValue: false,
  isArray: (name) => ARRAYS.has(name),
});

/** `[$CHF-807]` or `"CHF"` in the format of a number. */
const MARK = /\[\$([^\]-]+)(?:-[^\]]*)?\]|"\s*([^"\s]+)\s*"|\\?([$£¥₣])/g;
const CELL = /<(?:\w+:)?c\s([^<>]*)(?<!\/)>/g;
const codes = new Set(Intl.supportedValuesOf('currency'));

/**
 * Returns the cells that show a currency other than the euro, which only their format says. The result has, by sheet,
 * the address of each (`C7`) and the currency.
 */
export function foreignCells(parts: readonly ZipPart[]): Map<string, Map<string, string>> {
  const texts = new Map(parts.map(({ name, bytes }) => [name, bytes]));
  const styles = foreignStyles(texts.get('xl/styles.xml'));
  if (styles.size === 0) return new Map();
  return new Map(
    sheetFiles(texts).map(([name, file]) => [name, cellsOf(texts.get(file)?.toString('utf8') ?? '', styles)]),
  );
}

function read(bytes: Buffer | undefined): Node {
  return bytes ? (parser.parse(bytes) as Node) : {};
}

function at(node: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Node | undefined)?.[name], node);
}

/** Returns the currency of each style that shows another one than the euro. */
function foreignStyles(bytes: Buffer | undefined): Map<string, string> {
  const sheet = read(bytes);
  const formats = (at(sheet, 'styleSheet', 'numFmts', 'numFmt') ?? []) as { numFmtId: string; formatCode: string }[];
  const foreign = new Map(
    formats.flatMap(({ numFmtId, formatCode }) => {
      const currency = currencyOf(formatCode);
      return currency === null ? [] : [[numFmtId, currency] as const];
    }),
  );
  const styles = (at(sheet, 'styleSheet', 'cellXfs', 'xf') ?? []) as { numFmtId?: string }[];
  return new Map(
    styles.flatMap(({ numFmtId = '' }, index) => {
      const currency = foreign.get(numFmtId);
      return currency === undefined ? [] : [[String(index), currency] as const];
    }),
  );
}

function currencyOf(format: string): string | null {
  for (const [, bracketed, quoted, sign] of format.matchAll(MARK)) {
    const mark = (bracketed ?? quoted ?? sign ?? '').toUpperCase();
    if (mark !== 'EUR' && (codes.has(mark) || (/\p{Sc}/u.test(mark) && mark !== '€'))) return mark;
  }
  return null;
}

/** Returns the name of each sheet and the part that holds it. */
function sheetFiles(texts: ReadonlyMap<string, Buffer>): [string, string][] {
  const sheets = (at(read(texts.get('xl/workbook.xml')), 'workbook', 'sheets', 'sheet') ?? []) as Node[];
  const relations = (at(read(texts.get('xl/_rels/workbook.xml.rels')), 'Relationships', 'Relationship') ??
    []) as Node[];
  const targets = new Map(relations.map(({ Id, Target }) => [Id, String(Target)]));
  return sheets.map(({ name, id }) => {
    const target = targets.get(id) ?? '';
    return [String(name), target.startsWith('/') ? target.slice(1) : `xl/${target}`];
  });
}

function cellsOf(text: string, styles: ReadonlyMap<string, string>): Map<string, string> {
  const cells = new Map<string, string>();
  for (const [, attributes = ''] of text.matchAll(CELL)) {
    const style = /\bs\s*=\s*["'](\d+)["']/.exec(attributes)?.[1] ?? '';
    const address = /\br\s*=\s*["']([A-Za-z]+\d+)["']/.exec(attributes)?.[1];
    const currency = styles.get(style);
    if (currency !== undefined && address !== undefined) cells.set(address.toUpperCase(), currency);
  }
  return cells;
}
