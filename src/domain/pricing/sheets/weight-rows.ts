import { kilograms } from '../amount.ts';
import type { DecimalMark } from './numbers.ts';
import { type Cell, type CellPlace, cellText, type SheetProblem } from './sheet.ts';
import {
  type GramsReading,
  isDateCell,
  readGrams,
  readWeightLabel,
  type WeightLabel,
  type WeightUnit,
  type WrittenWeight,
} from './weights.ts';

/** The range of one row of a grid, in grams. */
export type WeightRow = { at: CellPlace } & (
  | { kind: 'bracket'; from: Weight | null; upTo: number }
  | { kind: 'step'; over: Weight | null; every: number }
  | { kind: 'minimum' }
  | { kind: 'unreadable' }
);

interface Weight {
  grams: number;
  /** One unit in the last written place, in grams: `3,01 kg` is precise to tens of grams. */
  precision: number;
}

/** How a file is read: its decimal mark, and the unit of weights without one. */
export interface WeightContext {
  mark: DecimalMark;
  unit: WeightUnit | null;
}

/** Returns the label of a row with its weight in two cells, or in one when `from` is undefined. */
export function labelOf(from: Cell | undefined, to: Cell | undefined): WeightLabel | null {
  const label = readWeightLabel(to);
  if (from === undefined || cellText(from) === '') return label;
  if (label?.kind === 'bracket' && label.from === null) {
    const begin = readWeightLabel(from);
    if (begin?.kind === 'bracket' && begin.from === null) return { ...label, from: begin.to };
  }
  return readWeightLabel(`${cellText(from)} ${cellText(to)}`.trim());
}

/** Returns the grams of a row; an unreadable row becomes a problem at its label. */
export function readWeightRow(
  cells: { from: Cell | undefined; to: Cell | undefined; at: CellPlace },
  context: WeightContext,
  problems: SheetProblem[],
): WeightRow {
  const { at } = cells;
  const label = labelOf(cells.from, cells.to);
  const refuse = (message: string): WeightRow => {
    problems.push({ ...at, message });
    return { kind: 'unreadable', at };
  };
  if (label === null) return refuse(unreadable([cells.from, cells.to]));
  if (label.kind === 'minimum') return { kind: 'minimum', at };
  const [begin, end] = label.kind === 'bracket' ? [label.from, label.to] : [label.over, label.every];
  const from = begin ? weightOf(begin, context) : null;
  const to = readGrams(end, context.mark, context.unit);
  if (from && 'problem' in from) return refuse(from.problem);
  if ('problem' in to) return refuse(to.problem);
  if (to.grams === 0) return refuse('A weight of nothing has no price');
  if (label.kind === 'step') return { kind: 'step', over: from, every: to.grams, at };
  if (from && from.grams >= to.grams)
    return refuse(`It ends at ${kilograms(to.grams)}, before it begins at ${kilograms(from.grams)}`);
  return { kind: 'bracket', from, upTo: to.grams, at };
}

function unreadable(cells: readonly (Cell | undefined)[]): string {
  const text = cells.map(cellText).filter(Boolean).join(' ');
  const date = cells.find(isDateCell);
  if (date) {
    return `The spreadsheet made the date ${date} of a range of weights: write it as text, such as "da 1 a 3"`;
  }
  if (text === '') return 'The weight is missing';
  return /\b(oltre|over|above)\b/i.test(text)
    ? `It says from which weight, but not for how many kilograms each: ${text}. Write "oltre 100 kg, ogni 10 kg"`
    : `Not a weight: ${text}`;
}

function weightOf(weight: WrittenWeight, context: WeightContext): (Weight & GramsReading) | { problem: string } {
  const reading = readGrams(weight, context.mark, context.unit);
  if ('problem' in reading) return reading;
  const inGrams = (weight.unit ?? context.unit) === 'g';
  const decimals = /[.,](\d+)$/.exec(String(weight.number))?.[1]?.length ?? 0;
  const precision = inGrams ? 1 : decimals > 0 ? 1000 / 10 ** decimals : 0;
  return { ...reading, precision };
}

/**
 * Checks that brackets rise from nothing without overlaps and holes, and that a step comes last. `rounding` is the step
 * in grams that weights are rounded up to: `0-3` and `4-5` adjoin for whole kilograms, and for nothing finer.
 */
export function checkWeightRows(rows: readonly WeightRow[], rounding: number, problems: SheetProblem[]): void {
  let reached = 0;
  let step: WeightRow | null = null;
  let isBroken = false;
  for (const row of rows) {
    const report = (message: string): void => void problems.push({ ...row.at, message });
    if (row.kind === 'unreadable') isBroken = true;
    if (row.kind === 'bracket') {
      if (step) report('A bracket comes after the step beyond the last one');
      const problem = isBroken ? null : bracketProblem(row, reached, rounding);
      if (problem) report(problem);
      if (!isBroken && row.upTo <= reached) continue;
      reached = row.upTo;
      isBroken = false;
    }
    if (row.kind === 'step') {
      if (step) report('A second step: a price list has one beyond the last bracket');
      else if (reached === 0 && !isBroken) report('A step needs brackets before it');
      else if (row.over && !isBroken && !adjoins(row.over, reached, rounding))
        report(`The step begins at ${kilograms(row.over.grams)}, the brackets end at ${kilograms(reached)}`);
      step = row;
    }
  }
}

function adjoins(from: Weight, reached: number, rounding: number): boolean {
  return from.grams >= reached && from.grams - reached <= Math.max(from.precision, rounding > 1 ? rounding : 0);
}

function bracketProblem(
  { from, upTo }: { from: Weight | null; upTo: number },
  reached: number,
  rounding: number,
): string | null {
  if (upTo === reached) return `A second bracket up to ${kilograms(upTo)}`;
  if (upTo < reached) return `Brackets must rise: ${kilograms(upTo)} comes after ${kilograms(reached)}`;
  if (!from || adjoins(from, reached, rounding)) return null;
  if (from.grams < reached)
    return `Brackets overlap: this one begins at ${kilograms(from.grams)}, the one before ends at ${kilograms(reached)}`;
  const hole = `Nothing has a price between ${kilograms(reached)} and ${kilograms(from.grams)}`;
  const isWhole = from.grams - reached <= 1000 && from.precision === 0;
  return isWhole ? `${hole}: begin where the one before ends, unless the tariff rounds up to 1000 grams` : hole;
}
