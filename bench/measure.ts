/** How one case went. */
export interface Measured {
  name: string;
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
}

const ROUNDS = 3;

/** Closed loop: `clients` at a time, each starts its next call when its last one is over. The median of three rounds. */
export async function closedLoop(
  name: string,
  options: { clients: number; seconds: number },
  call: (index: number) => Promise<void>,
): Promise<Measured> {
  let index = 0;
  const round = async (seconds: number): Promise<Measured> => {
    const durations: number[] = [];
    const started = performance.now();
    const until = started + seconds * 1000;
    await Promise.all(
      Array.from({ length: options.clients }, async () => {
        while (performance.now() < until) {
          const begun = performance.now();
          await call(index++);
          durations.push(performance.now() - begun);
        }
      }),
    );
    const elapsed = (performance.now() - started) / 1000;
    return { name, perSecond: durations.length / elapsed, ...percentiles(durations) };
  };
  await round(1); // warms caches and the compiler
  const rounds: Measured[] = [];
  for (let at = 0; at < ROUNDS; at++) rounds.push(await round(options.seconds));
  return median(rounds);
}

export function percentiles(durations: readonly number[]): { p50Ms: number; p99Ms: number } {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

export function median(rounds: readonly Measured[]): Measured {
  const sorted = rounds.toSorted((a, b) => a.perSecond - b.perSecond);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (!middle) throw new Error('nothing was measured');
  return middle;
}
