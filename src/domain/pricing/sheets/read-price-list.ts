import type { PriceList } from '../price-list.ts';
import { priceListProblems } from '../price-list-check.ts';
import { CellIndex } from './cell-index.ts';
import { type GridTarget, listFromGrid, type UnderstoodZone } from './list-from-grid.ts';
import { readPriceGrids, type UnreadRow } from './price-grid.ts';
import { isPricesSheet, readPrices } from './prices-sheet.ts';
import { type CellPlace, inCellOrder, type Sheet, type SheetProblem } from './sheet.ts';
import { fromWorkbook, isWorkbook, withPrices } from './workbook.ts';

/** The prices of a file. With a problem there is no list. */
export interface PriceListReading {
  priceList: PriceList | null;
  understood: UnderstoodZone[];
  notices: string[];
  problems: SheetProblem[];
  notRead: UnreadRow[];
}

/**
 * Reads a file of prices: a whole workbook as `toWorkbook` writes it, its sheet of prices alone, or a carrier's own
 * file. The rules of `priceListProblems` apply to each result.
 */
export function readPriceList(sheets: readonly Sheet[], target: GridTarget): PriceListReading {
  if (isWorkbook(sheets)) return fromWhole(sheets, target);
  const prices = sheets.find(isPricesSheet);
  if (prices) return fromPrices(prices, target);
  const grid = readPriceGrids(sheets, { rounding: target.base?.rounding ?? 1 });
  const outcome = listFromGrid(grid.zones, grid.problems.length === 0, target);
  const problems = [...grid.problems, ...outcome.problems];
  const reading = { ...outcome, notRead: grid.notRead, problems };
  const first = { sheet: sheets[0]?.name ?? '', row: 1, column: 1 };
  return checked(sheets, reading, (path) => outcome.placeOf(path) ?? first);
}

function fromWhole(sheets: readonly Sheet[], { name }: GridTarget): PriceListReading {
  const reading = fromWorkbook(sheets);
  const bare = { understood: [], notices: [], notRead: [] };
  if ('problems' in reading) {
    return { ...bare, priceList: null, problems: inCellOrder(sheets, reading.problems) };
  }
  const priceList = name === null ? reading.priceList : { ...reading.priceList, name };
  const notices = ['The file is a whole workbook: it replaces everything, on both sides'];
  return checked(sheets, { ...bare, notices, priceList, problems: [] }, reading.placeOf);
}

/** Reads the prices of both sides for the zones of the base. */
function fromPrices(sheet: Sheet, { base, name, defaultName }: GridTarget): PriceListReading {
  const first = { sheet: sheet.name, row: 1, column: 1 };
  const bare = { understood: [], notices: [], notRead: [] };
  if (!base) {
    const message =
      'These are prices without zones: name the tariff they belong to with --like, or import the workbook';
    return { ...bare, priceList: null, problems: [{ ...first, message }] };
  }
  const problems: SheetProblem[] = [];
  const index = new CellIndex();
  index.set([], first);
  const transports = readPrices(sheet, index, problems);
  const { list, placeOf } = withPrices({ ...base, name: name ?? defaultName }, transports, { index, problems });
  const notices = base.zones
    .filter(({ code }) => !transports.has(code))
    .map(({ code }) => `Zone ${code} keeps its prices: the file has none for it`);
  return checked([sheet], { ...bare, notices, priceList: list, problems }, placeOf);
}

function checked(
  sheets: readonly Sheet[],
  reading: PriceListReading,
  placeOf: (path: readonly PropertyKey[]) => CellPlace,
): PriceListReading {
  const broken = reading.priceList ? priceListProblems(reading.priceList) : [];
  const problems = inCellOrder(sheets, [
    ...reading.problems,
    ...broken.map(({ path, message }) => ({ ...placeOf(path), message })),
  ]);
  return { ...reading, problems, priceList: problems.length > 0 ? null : reading.priceList };
}
