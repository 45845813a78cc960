import type { Clock } from '../../lib/clock.ts';
import { Problem } from '../../lib/errors.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 300_000;
/** How long after its last guess, and its wait, a guesser is forgotten. */
const FORGET_MS = 600_000;
/** Guessers that are remembered; the oldest make room. */
const MAX_ENTRIES = 10_000;

interface Guesser {
  count: number;
  blockedUntil: number;
}

export interface GuessesOptions {
  /** Wrong guesses before the first wait. */
  free: number;
  /** The problem of a guess that came too early. */
  refusal: { code: string; detail: string };
  now: Clock;
}

/** Slows down who guesses secrets: after some wrong guesses one waits, twice as long after each further one. */
export class Guesses {
  readonly #options: GuessesOptions;
  readonly #guessers = new Map<string, Guesser>();

  constructor(options: GuessesOptions) {
    this.#options = options;
  }

  /**
   * Counts a guess before it is looked up, so that guesses at the same moment count too. Returns the function that takes it
   * back when it was right. Throws a 429 while the guesser has to wait.
   */
  count(who: string): () => void {
    const { free, now } = this.#options;
    const at = now().getTime();
    const known = this.#guessers.get(who);
    const waitMs = known ? known.blockedUntil - at : 0;
    // A longer wait than the longest means that the clock was set back.
    const isFresh = known && waitMs > -FORGET_MS && waitMs <= LONGEST_WAIT_MS;
    if (isFresh && waitMs > 0) throw this.#tooMany(waitMs);
    const guesser = isFresh ? known : { count: 0, blockedUntil: at };
    guesser.count += 1;
    const surplus = guesser.count - free;
    if (surplus >= 0) guesser.blockedUntil = at + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** surplus);
    keepNewest(this.#guessers, who, guesser);
    return () => {
      guesser.count -= 1;
      guesser.blockedUntil = Math.min(guesser.blockedUntil, now().getTime());
    };
  }

  #tooMany(waitMs: number): Problem {
    const { code, detail } = this.#options.refusal;
    return new Problem(detail, {
      status: 429,
      code,
      title: 'Too many requests',
      retryable: true,
      headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
    });
  }
}

/** Sets an entry as the newest, and drops the oldest of a full map. */
export function keepNewest<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  if (map.size >= MAX_ENTRIES) map.delete(map.keys().next().value ?? '');
  map.set(key, value);
}
