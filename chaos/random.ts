/** A seeded source of chance (mulberry32): the same seed gives the same numbers. */
export class Random {
  readonly #seed: number;
  #state: number;

  constructor(seed: number) {
    this.#seed = seed >>> 0;
    this.#state = this.#seed;
  }

  /** An independent source of the same seed, so that one part's draws do not shift those of another. */
  fork(name: string): Random {
    let hash = this.#seed ^ 0x9e3779b9;
    for (const char of name) hash = Math.imul(hash ^ char.charCodeAt(0), 0x85ebca6b) ^ (hash >>> 13);
    return new Random(hash);
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** A whole number from 0 up, with this mean. */
  about(mean: number): number {
    const most = Math.ceil(2 * mean);
    let drawn = 0;
    for (let at = 0; at < most; at++) drawn += this.chance(mean / most) ? 1 : 0;
    return drawn;
  }

  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.int(0, values.length - 1)];
    if (value === undefined) throw new Error('Nothing to pick from');
    return value;
  }

  /** Picks a name as often as its weight says. */
  weighted<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>): Name {
    const entries = Object.entries(weights) as [Name, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of entries) {
      left -= weight;
      if (left < 0) return name;
    }
    return entries[entries.length - 1]?.[0] as Name;
  }
}
