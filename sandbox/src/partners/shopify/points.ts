/** Measured on a shop of the standard plan. */
const MAXIMUM = 2000;
const RESTORE_PER_SECOND = 100;

/** A leaky bucket for each token. */
export class Points {
  readonly #left = new Map<string, { left: number; at: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** False when there are not enough; nothing is taken then. */
  take(token: string, cost: number): boolean {
    const left = this.#leftOf(token);
    if (left < cost) return false;
    this.set(token, left - cost);
    return true;
  }

  giveBack(token: string, points: number): void {
    this.set(token, Math.min(MAXIMUM, this.#leftOf(token) + points));
  }

  set(token: string, left: number): void {
    this.#left.set(token, { left, at: this.#now() });
  }

  statusOf(token: string): { maximumAvailable: number; currentlyAvailable: number; restoreRate: number } {
    const currentlyAvailable = Math.floor(this.#leftOf(token));
    return { maximumAvailable: MAXIMUM, currentlyAvailable, restoreRate: RESTORE_PER_SECOND };
  }

  #leftOf(token: string): number {
    const bucket = this.#left.get(token) ?? { left: MAXIMUM, at: this.#now() };
    const restored = ((this.#now() - bucket.at) / 1000) * RESTORE_PER_SECOND;
    return Math.min(MAXIMUM, bucket.left + restored);
  }
}
