import { sha256 } from '../../lib/crypto.ts';
import { Problem } from '../../lib/errors.ts';
import { networkOf } from '../../lib/network-of.ts';
import type { Identity } from '../../usecases/setup/api-keys.ts';

/** Different wrong keys that an address may try before it waits. */
const FREE_GUESSES = 30;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 300_000;
/** How long after its last guess, and its wait, an address is forgotten. */
const FORGET_MS = 600_000;
const WRONG_KEY_MS = 60_000;
/** Entries of each map; the oldest make room. */
const MAX_ENTRIES = 10_000;

interface Guesses {
  count: number;
  blockedUntil: number;
}

export interface KeyGuardOptions {
  identify: (key: string) => Promise<Identity | null>;
  /** Epoch milliseconds. */
  now?: () => number;
}

/**
 * Finds the owner of an API key, and slows down who guesses keys. An address that tried too many different wrong keys waits, twice as
 * long after each further one. Keys that were right before pass at once from every address. A wrong key is remembered for a minute: a
 * client with an old key costs no query then, and its address need not wait.
 */
export class KeyGuard {
  readonly #identify: KeyGuardOptions['identify'];
  readonly #now: () => number;
  readonly #right = new Map<string, true>();
  readonly #wrong = new Map<string, number>();
  readonly #guesses = new Map<string, Guesses>();
  /** Look-ups of keys that were never right, by hash: many requests with one new key are one guess. */
  readonly #pending = new Map<string, Promise<Identity | null>>();

  constructor({ identify, now = Date.now }: KeyGuardOptions) {
    this.#identify = identify;
    this.#now = now;
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
    const guesses = this.#count(network);
    let isWrong = false;
    try {
      const found = await this.#identify(key);
      isWrong = found === null;
      if (found) keep(this.#right, hash, true);
      else keep(this.#wrong, hash, this.#now() + WRONG_KEY_MS);
      return found;
    } finally {
      if (!isWrong) this.#takeBack(guesses);
    }
  }

  /** Counts a guess before its look-up, so that guesses at the same moment count too. Throws while the address has to wait. */
  #count(network: string): Guesses {
    const now = this.#now();
    const known = this.#guesses.get(network);
    if (known && known.blockedUntil > now) throw tooManyWrongKeys(known.blockedUntil - now);
    const isFresh = known && now - known.blockedUntil < FORGET_MS;
    const guesses = isFresh ? known : { count: 0, blockedUntil: now };
    guesses.count += 1;
    const surplus = guesses.count - FREE_GUESSES;
    if (surplus >= 0) guesses.blockedUntil = now + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** surplus);
    keep(this.#guesses, network, guesses);
    return guesses;
  }

  #takeBack(guesses: Guesses): void {
    guesses.count -= 1;
    guesses.blockedUntil = Math.min(guesses.blockedUntil, this.#now());
  }
}

/** Sets an entry as the newest, and drops the oldest of a full map. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  if (map.size >= MAX_ENTRIES) map.delete(map.keys().next().value ?? '');
  map.set(key, value);
}

function tooManyWrongKeys(waitMs: number): Problem {
  return new Problem('Too many wrong keys came from this address', {
    status: 429,
    code: 'too-many-wrong-keys',
    title: 'Too many requests',
    retryable: true,
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
  });
}
