import { PriceList } from '../price-list.ts';
import { CellIndex } from './cell-index.ts';
import { readPrices, type Transports, writePrices } from './prices-sheet.ts';
import { readRecords, writeRecords } from './record-sheet.ts';
import { type Cell, type CellPlace, cellText, isBlankRow, type Sheet, type SheetProblem } from './sheet.ts';
import { PRICES_SHEET, TABLES, TARIFF_FIELDS, TARIFF_SHEET, type TableLayout, ZONES } from './workbook-columns.ts';

type Fields = Record<string, unknown>;

/** A price list from its workbook, with the cell of each value; or its problems, cell by cell. */
export type WorkbookReading =
  | { priceList: PriceList; placeOf: (path: readonly PropertyKey[]) => CellPlace }
  | { problems: SheetProblem[] };

/** Writes every field of a price list in sheets; `fromWorkbook` returns the same list. */
export function toWorkbook(list: PriceList): Sheet[] {
  const [zones, ...others] = TABLES.map((layout) => writeRecords(layout, list[layout.field] as Fields[]));
  const tariff = TARIFF_FIELDS.map(({ heading }): Cell[] => [
    heading,
    ((list as Fields)[heading] as Cell | undefined) ?? null,
  ]);
  const sheets: Sheet[] = [{ name: TARIFF_SHEET, rows: [['field', 'value'], ...tariff] }];
  return zones ? [...sheets, zones, writePrices(list.zones), ...others] : sheets;
}

/** Returns true for the sheets that `toWorkbook` writes. */
export function isWorkbook(sheets: readonly Sheet[]): boolean {
  return [TARIFF_SHEET, ZONES.sheet, PRICES_SHEET].every((name) => sheetNamed(sheets, name) !== undefined);
}

function sheetNamed(sheets: readonly Sheet[], name: string): Sheet | undefined {
  return sheets.find((sheet) => sheet.name.toLowerCase() === name.toLowerCase());
}

/** Reads the sheets that `toWorkbook` writes, and ignores others. */
export function fromWorkbook(sheets: readonly Sheet[]): WorkbookReading {
  const problems: SheetProblem[] = [];
  const index = new CellIndex();
  const list: Fields = {};
  const tariff = sheetNamed(sheets, TARIFF_SHEET);
  index.set([], { sheet: tariff?.name ?? TARIFF_SHEET, row: 1, column: 1 });
  if (tariff) readTariff(tariff, list, { index, problems });
  for (const layout of TABLES) {
    const sheet = sheetNamed(sheets, layout.sheet);
    if (sheet) readTable(layout, sheet, list, { index, problems });
  }
  const prices = sheetNamed(sheets, PRICES_SHEET);
  const zones = (list.zones ?? []) as Fields[];
  const codes = new Map(zones.map((zone, position) => [position, String(zone.code)]));
  if (prices) addPrices(zones, prices, { index, problems });
  const placeOf = (path: readonly PropertyKey[]): CellPlace => placeIn(index, codes, path);
  const parsed = PriceList.safeParse(list);
  if (parsed.success && problems.length === 0) return { priceList: parsed.data, placeOf };
  const issues = (parsed.error?.issues ?? []).filter(({ path }) => !isMissingSide(path));
  return { problems: [...problems, ...issues.map(({ path, message }) => ({ ...placeOf(path), message }))] };
}

/** Words the fault of a zone without prices, at the place where its prices should be. */
function isMissingSide(path: readonly PropertyKey[]): boolean {
  return path[0] === 'zones' && path[2] === 'sale' && path.length === 3;
}

/** Reads the zones of a sheet in the layout of `Zones`, without their prices. */
export function readZones(sheet: Sheet): { zones: Fields[]; index: CellIndex; problems: SheetProblem[] } {
  const index = new CellIndex();
  const problems: SheetProblem[] = [];
  index.set([], { sheet: sheet.name, row: 1, column: 1 });
  const zones = readRecords(ZONES, sheet, index, problems);
  return { zones, index, problems };
}

/** Maps a path of the list to its cells: the parts below a zone's side are in the sheet of prices. */
function placeIn(index: CellIndex, codes: ReadonlyMap<number, string>, path: readonly PropertyKey[]): CellPlace {
  const [field, position, side, ...rest] = path;
  const code = field === 'zones' && typeof position === 'number' ? codes.get(position) : undefined;
  const price = code !== undefined && (side === 'sale' || side === 'purchase') ? ['prices', code, side, ...rest] : null;
  const found = (price && index.find(price)) ?? index.find(path);
  return found ?? { sheet: TARIFF_SHEET, row: 1, column: 1 };
}

/** The known cells, and the problems found in them. */
export interface Reading {
  index: CellIndex;
  problems: SheetProblem[];
}

function readTariff(sheet: Sheet, list: Fields, { index, problems }: Reading): void {
  for (const [row, cells] of sheet.rows.entries()) {
    const name = cellText(cells[0]);
    if (row === 0 || isBlankRow(cells)) continue;
    const at = { sheet: sheet.name, row: row + 1, column: 2 };
    const field = TARIFF_FIELDS.find(({ heading }) => heading.toLowerCase() === name.toLowerCase());
    if (!field) {
      const known = TARIFF_FIELDS.map(({ heading }) => heading).join(', ');
      problems.push({ ...at, column: 1, message: `There is no field ${name}; known are ${known}` });
      continue;
    }
    index.set([field.heading], at);
    const cell = cells[1] ?? null;
    if (cellText(cell) === '') continue;
    const isNumber = field.kind === 'number' && /^\d+(\.\d+)?$/.test(cellText(cell));
    list[field.heading] = isNumber
      ? Number(cell)
      : typeof cell === 'number' && field.kind === 'text'
        ? String(cell)
        : cell;
  }
}

function readTable(layout: TableLayout, sheet: Sheet, list: Fields, { index, problems }: Reading): void {
  index.set([layout.field], { sheet: sheet.name, row: 1, column: 1 });
  list[layout.field] = readRecords(layout, sheet, index, problems);
}

/** Puts the prices into their zones; each zone needs those of sale. */
function addPrices(zones: readonly Fields[], sheet: Sheet, { index, problems }: Reading): void {
  const transports = readPrices(sheet, index, problems);
  refuseOtherZones(transports, new Set(zones.map(({ code }) => String(code))), { index, problems });
  for (const [position, zone] of zones.entries()) {
    const own = transports.get(String(zone.code));
    Object.assign(zone, own);
    if (own?.sale) continue;
    const at = index.find(['zones', position]) ?? { sheet: sheet.name, row: 1, column: 1 };
    const message = `Zone ${String(zone.code)} has no column of sale prices in the sheet ${sheet.name}`;
    problems.push({ ...at, message });
  }
}

function refuseOtherZones(transports: Transports, codes: ReadonlySet<string>, { index, problems }: Reading): void {
  for (const [code, sides] of transports) {
    if (codes.has(code)) continue;
    const at = index.find(['prices', code, Object.keys(sides)[0] ?? '']);
    if (at) problems.push({ ...at, message: `There is no zone ${code}` });
  }
}

/**
 * Returns a list with the prices of a sheet instead of its own, for the zones that the sheet has; null with a problem.
 */
export function withPrices(
  list: PriceList,
  transports: Transports,
  { index, problems }: Reading,
): { list: PriceList | null; placeOf: (path: readonly PropertyKey[]) => CellPlace } {
  const codes = new Map(list.zones.map(({ code }, position) => [position, code]));
  const placeOf = (path: readonly PropertyKey[]): CellPlace => placeIn(index, codes, path);
  refuseOtherZones(transports, new Set(codes.values()), { index, problems });
  const zones = list.zones.map((zone) => ({ ...zone, ...transports.get(zone.code) }));
  const parsed = PriceList.safeParse({ ...list, zones });
  problems.push(...(parsed.error?.issues ?? []).map(({ path, message }) => ({ ...placeOf(path), message })));
  return { list: problems.length > 0 ? null : (parsed.data ?? null), placeOf };
}
