import { PriceList, type PriceListTransport, type PriceListZone } from '../price-list.ts';
import type { Side } from '../quote-input.ts';
import type { CellPlace, SheetProblem } from './sheet.ts';
import { type MeantZone, resolveHeadings, type ZoneIdentity } from './zone-headings.ts';
import type { GridZone } from './zone-prices.ts';

/** The target of a grid's prices. */
export interface GridTarget {
  /** The list that keeps its zones, surcharges and options; null: there is none yet. */
  base: PriceList | null;
  /** Zones that headings may name, beside those of the base; one with a code of the base replaces it. */
  zones: readonly ZoneIdentity[];
  side: Side;
  /** Name of the new list; null: the list's own name, else `defaultName`. */
  name: string | null;
  defaultName: string;
}

/** The prices of one zone as we read them. */
export interface UnderstoodZone {
  heading: string;
  code: string;
  /** The meaning of the zone, where only the heading gave it. */
  isNew: boolean;
  match: ZoneIdentity['match'];
  side: Side;
  transport: PriceListTransport;
}

export interface GridOutcome {
  priceList: PriceList | null;
  understood: UnderstoodZone[];
  notices: string[];
  problems: SheetProblem[];
  placeOf: (path: readonly PropertyKey[]) => CellPlace | null;
}

/**
 * Builds a price list with a grid's prices on one side; an unsolvable part becomes a problem at its heading. When the
 * grid has unread prices (`isComplete` false), it checks only the headings.
 */
export function listFromGrid(grid: readonly GridZone[], isComplete: boolean, target: GridTarget): GridOutcome {
  const own = new Set(target.zones.map(({ code }) => code));
  const known = [...target.zones, ...(target.base?.zones ?? []).filter(({ code }) => !own.has(code))];
  const { zones: meant, problems } = resolveHeadings(grid, known);
  const priced = grid.flatMap((zone, index): Priced[] => {
    const found = meant[index];
    return found ? [{ ...found, grid: zone }] : [];
  });
  const zones = zonesOf(priced, target, problems);
  const placeOf = (path: readonly PropertyKey[]): CellPlace | null => {
    const code = path[0] === 'zones' && typeof path[1] === 'number' ? zones[path[1]]?.code : undefined;
    return priced.find(({ zone }) => zone.code === code)?.grid.at ?? null;
  };
  const understood = priced.map(({ zone, isNew, grid: from }) => ({
    heading: from.heading,
    code: zone.code,
    isNew,
    match: zone.match,
    side: target.side,
    transport: transportOf(from),
  }));
  const notices = noticesOf(priced, target);
  if (problems.length > 0 || !isComplete) return { priceList: null, understood, notices, problems, placeOf };
  const parsed = PriceList.safeParse({ ...target.base, name: target.name ?? target.defaultName, zones });
  const first = grid[0]?.at ?? { sheet: '', row: 1, column: 1 };
  for (const { path, message } of parsed.error?.issues ?? []) {
    problems.push({ ...(placeOf(path) ?? first), message });
  }
  return { priceList: parsed.data ?? null, understood, notices, problems, placeOf };
}

interface Priced extends MeantZone {
  grid: GridZone;
}

function transportOf({ brackets, stepGrams, stepPrice, minimum }: GridZone): PriceListTransport {
  return {
    brackets,
    ...(stepGrams === undefined ? {} : { stepGrams, stepPrice }),
    ...(minimum === undefined ? {} : { minimum }),
  };
}

/** Returns the zones of the base with the new prices, then the new zones. */
function zonesOf(priced: readonly Priced[], target: GridTarget, problems: SheetProblem[]): PriceListZone[] {
  const byCode = new Map(priced.map((each) => [each.zone.code, each]));
  const identities = new Map(target.zones.map((zone) => [zone.code, zone]));
  const before = target.base?.zones ?? [];
  const kept = before.map((zone): PriceListZone => {
    const from = byCode.get(zone.code);
    const identity = identities.get(zone.code);
    return { ...zone, ...identity, ...(from ? { [target.side]: transportOf(from.grid) } : {}) };
  });
  const isKept = new Set(before.map(({ code }) => code));
  const added = priced.flatMap(({ zone, grid }): PriceListZone[] => {
    if (isKept.has(zone.code)) return [];
    if (target.side === 'sale') return [{ ...zone, sale: transportOf(grid) }];
    const message = `The zone ${zone.code} has no sale prices yet: import those first`;
    problems.push({ ...grid.at, message });
    return [];
  });
  return [...kept, ...added];
}

/** Lists the prices that the file left unchanged: they may be intended, or outdated. */
function noticesOf(priced: readonly Priced[], { base, zones, side }: GridTarget): string[] {
  const codes = new Set(priced.map(({ zone }) => zone.code));
  const kept = (base?.zones ?? []).filter((zone) => !codes.has(zone.code));
  const inBase = new Set(base?.zones.map(({ code }) => code));
  const unpriced = zones.filter(({ code }) => !codes.has(code) && !inBase.has(code));
  return [
    ...kept.map((zone) =>
      zone[side]
        ? `Zone ${zone.code} keeps its ${side} prices: the file has none for it`
        : `Zone ${zone.code} still has no ${side} prices`,
    ),
    ...unpriced.map(({ code }) => `Zone ${code} is left out: the file has no prices for it`),
  ];
}
