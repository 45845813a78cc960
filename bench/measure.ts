import { readdirSync, readFileSync } from 'node:fs';

/** How one case went. */
export interface Measured {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Runs a closed loop: each of `clients` starts its next call when its last one is over. */
export async function closedLoop(
  options: { clients: number; seconds: number },
  call: (index: number) => Promise<void>,
): Promise<Measured> {
  let index = 0;
  const durations: number[] = [];
  const started = performance.now();
  const until = started + options.seconds * 1000;
  await Promise.all(
    Array.from({ length: options.clients }, async () => {
      while (performance.now() < until) {
        const begun = performance.now();
        await call(index++);
        durations.push(performance.now() - begun);
      }
    }),
  );
  return { perSecond: (durations.length * 1000) / (performance.now() - started), ...percentiles(durations) };
}

export function percentiles(durations: readonly number[]): { p50Ms: number; p99Ms: number } {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

export function median(values: readonly number[]): number {
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
  if (middle === undefined) throw new Error('nothing was measured');
  return middle;
}

const TICKS_PER_SECOND = 100;

/** Returns the CPU seconds of a process and of the children it waited for. Linux only. */
export function cpuSeconds(pid: number): number {
  return statOf(pid)?.cpuSeconds ?? 0;
}

/** Returns the CPU seconds of a server that has a process per connection. Linux only. */
export function cpuSecondsOfTree(pid: number): number {
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  return processes
    .map(statOf)
    .filter((stat) => stat !== null && (stat.pid === pid || stat.parent === pid))
    .reduce((sum, stat) => sum + (stat?.cpuSeconds ?? 0), 0);
}

function statOf(pid: number): { pid: number; parent: number; cpuSeconds: number } | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; the fields after it are numbers.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0, ...rest] = fields;
    const ticks = rest.slice(9, 13).reduce((sum, value) => sum + value, 0);
    return { pid, parent, cpuSeconds: ticks / TICKS_PER_SECOND };
  } catch {
    return null; // gone meanwhile
  }
}

export function rssMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
