import type { DraftLine } from './adapter.ts';

/** Returns the code without the dots and spaces that people write. */
export function commodityCode({ commodityCode: code }: Pick<DraftLine, 'commodityCode'>): string {
  return code.replace(/[\s.]/g, '');
}

/** Returns the value of all lines in cents, without VAT. */
export function linesCents(lines: readonly DraftLine[]): number {
  return lines.reduce((sum, { unitValueCents, quantity }) => sum + unitValueCents * quantity, 0);
}

/** Returns true for a whole number from 1 to `max`. */
export function isCount(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= max;
}

/** Lists the faults of each line as one problem. A rule is what the line must hold, and whether it does. */
export function lineProblems(
  lines: readonly DraftLine[],
  purpose: string,
  rules: (line: DraftLine) => Readonly<Record<string, boolean>>,
): string[] {
  return lines.flatMap((line, index) => {
    const lacks = Object.entries(rules(line)).flatMap(([what, holds]) => (holds ? [] : [what]));
    const name = line.sku === '' ? `Line ${index + 1}` : `Line ${index + 1} (${line.sku})`;
    return lacks.length === 0 ? [] : [`${name} needs ${purpose}: ${lacks.join(', ')}`];
  });
}
