import type { Clock } from '../../lib/clock.ts';
import { sha256 } from '../../lib/crypto.ts';
import { networkOf } from '../../lib/network-of.ts';
import type { Person } from '../../usecases/people/sessions.ts';
import type { Identity } from '../../usecases/setup/api-keys.ts';
import { Guesses, type GuessesOptions, keepNewest } from './guesses.ts';

/** Different wrong secrets that an address may try before it waits. */
const FREE_GUESSES = 30;
const WRONG_MS = 60_000;

export interface SecretGuardOptions<Owner> {
  identify: (secret: string) => Promise<Owner | null>;
  refusal: GuessesOptions['refusal'];
  now: Clock;
}

/**
 * Finds the owner of a secret, and slows down who guesses secrets. Secrets that were right before pass at once from every address.
 * A wrong one is remembered for a minute. A client with an old key or cookie thus costs no query, and its address need not wait.
 */
export class SecretGuard<Owner> {
  readonly #identify: SecretGuardOptions<Owner>['identify'];
  readonly #now: Clock;
  readonly #right = new Map<string, true>();
  readonly #wrong = new Map<string, number>();
  readonly #guesses: Guesses;
  /** Look-ups of secrets that were never right, by hash: many requests with one new secret are one guess. */
  readonly #pending = new Map<string, Promise<Owner | null>>();

  constructor({ identify, refusal, now }: SecretGuardOptions<Owner>) {
    this.#identify = identify;
    this.#now = now;
    this.#guesses = new Guesses({ free: FREE_GUESSES, refusal, now });
  }

  /** Returns null for a wrong secret. Throws a 429 while the address has to wait. */
  async identify(secret: string, address: string): Promise<Owner | null> {
    const hash = sha256(secret);
    if (this.#right.has(hash)) {
      const found = await this.#identify(secret);
      if (!found) this.#right.delete(hash);
      return found;
    }
    if ((this.#wrong.get(hash) ?? 0) > this.#now().getTime()) return null;
    const pending = this.#pending.get(hash);
    if (pending) return pending;
    const looking = this.#guess(secret, hash, networkOf(address)).finally(() => this.#pending.delete(hash));
    this.#pending.set(hash, looking);
    return looking;
  }

  async #guess(secret: string, hash: string, network: string): Promise<Owner | null> {
    // Once is enough: a browser with an old cookie asks for as long as its tab is open.
    const takeBack = this.#wrong.has(hash) ? () => undefined : this.#guesses.count(network);
    let isWrong = false;
    try {
      const found = await this.#identify(secret);
      isWrong = found === null;
      if (found) keepNewest(this.#right, hash, true);
      else keepNewest(this.#wrong, hash, this.#now().getTime() + WRONG_MS);
      return found;
    } finally {
      if (!isWrong) takeBack();
    }
  }
}

/** The guards of the two secrets that a request may carry. */
export interface Guards {
  keys: SecretGuard<Identity>;
  sessions: SecretGuard<Person>;
}

/** Makes the guards of a process, which counts for itself. */
export function createGuards(find: {
  key: (key: string) => Promise<Identity | null>;
  session: (token: string) => Promise<Person | null>;
  now: Clock;
}): Guards {
  const { now } = find;
  const key = { code: 'too-many-wrong-keys', detail: 'Too many wrong keys came from this address' };
  const session = { code: 'too-many-wrong-sessions', detail: 'Too many wrong session cookies came from this address' };
  return {
    keys: new SecretGuard({ identify: find.key, refusal: key, now }),
    sessions: new SecretGuard({ identify: find.session, refusal: session, now }),
  };
}
