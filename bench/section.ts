/** One part of the results. */
export interface Section {
  title: string;
  /** In Markdown. */
  table: string;
  /** How it was measured, one sentence each. */
  notes: string[];
  /** Independent of the speed of the machine: ours divided by the floor of the same run. */
  ratios: Ratio[];
  /** Everything that was measured, for machines. */
  data: unknown;
}

export interface Ratio {
  name: string;
  value: number;
  /** The least it should be; null: it only serves to see whether it becomes worse. */
  goal: number | null;
}

export interface Options {
  rounds: number;
  seconds: number;
  isProfiled: boolean;
  /** Only rows whose name holds this. */
  only: string;
  /** Said as often as there is something new, from 0 to 1. */
  progress(name: string, share: number): void;
}

/** Ours beside the floor: medians over the rounds; null: not measured. */
export interface Row {
  name: string;
  perSecond: number;
  p50Ms: number | null;
  p99Ms: number | null;
  /** CPU of our processes, per unit of work. */
  cpuMs: number | null;
  /** CPU of PostgreSQL, per unit of work. */
  databaseCpuMs: number | null;
  rssMb: number | null;
  floor: { perSecond: number; p99Ms: number | null; cpuMs: number | null; databaseCpuMs: number | null };
  /** The least that the ratio should be. */
  goal: number;
}

export function digits(value: number | null, places: number): string {
  return value === null ? '–' : value.toFixed(places);
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}

export function ratioOf({ perSecond, floor }: Row): number {
  return perSecond / floor.perSecond;
}

/** Builds a section whose every row stands beside its floor. */
export function comparison(title: string, rows: readonly Row[], notes: string[]): Section {
  const lines = rows.map((row) => {
    const ratio = ratioOf(row);
    return [
      row.name,
      digits(row.perSecond, 0),
      digits(row.p50Ms, 1),
      digits(row.p99Ms, 1),
      digits(row.cpuMs, 2),
      digits(row.databaseCpuMs, 2),
      digits(row.rssMb, 0),
      digits(row.floor.perSecond, 0),
      digits(row.floor.p99Ms, 1),
      digits(row.floor.cpuMs, 2),
      digits(row.floor.databaseCpuMs, 2),
      percent(ratio),
      `${percent(row.goal)}${ratio < row.goal ? ', missed' : ''}`,
    ];
  });
  const heads = ['Case', 'per second', 'p50 ms', 'p99 ms', 'CPU ms', 'of PostgreSQL', 'MiB'];
  return {
    title,
    table: tableOf([...heads, 'floor per second', 'its p99 ms', 'its CPU ms', 'of PostgreSQL', 'ratio', 'goal'], lines),
    notes,
    ratios: rows.map((row) => ({ name: row.name, value: ratioOf(row), goal: row.goal })),
    data: rows,
  };
}

export function tableOf(heads: readonly string[], lines: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [row(heads), row(heads.map(() => '---')), ...lines.map(row)].join('\n');
}
