import { sha256 } from '../../lib/crypto.ts';
import { networkOf } from '../../lib/network-of.ts';
import type { Identity } from '../../usecases/setup/api-keys.ts';
import { Guesses, keepNewest } from './guesses.ts';

/** Different wrong keys that an address may try before it waits. */
const FREE_GUESSES = 30;
const WRONG_KEY_MS = 60_000;

export interface KeyGuardOptions {
  identify: (key: string) => Promise<Identity | null>;
  /** Epoch milliseconds. */
  now?: () => number;
}

/**
 * Finds the owner of an API key, and slows down who guesses keys. Keys that were right before pass at once from every address. A
 * wrong key is remembered for a minute: a client with an old key costs no query then, and its address need not wait.
 */
export class KeyGuard {
  readonly #identify: KeyGuardOptions['identify'];
  readonly #now: () => number;
  readonly #right = new Map<string, true>();
  readonly #wrong = new Map<string, number>();
  readonly #guesses: Guesses;
  /** Look-ups of keys that were never right, by hash: many requests with one new key are one guess. */
  readonly #pending = new Map<string, Promise<Identity | null>>();

  constructor({ identify, now = Date.now }: KeyGuardOptions) {
    this.#identify = identify;
    this.#now = now;
    const refusal = { code: 'too-many-wrong-keys', detail: 'Too many wrong keys came from this address' };
    this.#guesses = new Guesses({ free: FREE_GUESSES, refusal, now });
  }

  /** Returns null for a wrong key. Throws a 429 while the address has to wait. */
  async identify(key: string, address: string): Promise<Identity | null> {
    const hash = sha256(key);
    if (this.#right.has(hash)) {
      const found = await this.#identify(key);
      if (!found) this.#right.delete(hash);
      return found;
    }
    if ((this.#wrong.get(hash) ?? 0) > this.#now()) return null;
    const pending = this.#pending.get(hash);
    if (pending) return pending;
    const looking = this.#guess(key, hash, networkOf(address)).finally(() => this.#pending.delete(hash));
    this.#pending.set(hash, looking);
    return looking;
  }

  async #guess(key: string, hash: string, network: string): Promise<Identity | null> {
    const takeBack = this.#guesses.count(network);
    let isWrong = false;
    try {
      const found = await this.#identify(key);
      isWrong = found === null;
      if (found) keepNewest(this.#right, hash, true);
      else keepNewest(this.#wrong, hash, this.#now() + WRONG_KEY_MS);
      return found;
    } finally {
      if (!isWrong) takeBack();
    }
  }
}
