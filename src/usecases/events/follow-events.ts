import { setTimeout as delay } from 'node:timers/promises';
import { companyEm } from '../../db/orm.ts';
import { numberEvents } from '../../db/queries/number-events.ts';
import type { Deps } from '../../engine/deps.ts';
import { Problem } from '../../lib/errors.ts';
import { seeingCompanies } from '../../lib/visible-companies.ts';
import { type EventMessage, listEvents } from './read-events.ts';

const LOOK_MS = 1000;
const MAX_AT_ONCE = 500;
/** A browser has one connection for each of its tabs. */
const MAX_FOLLOWERS = 50;

interface Following {
  companyId: number;
  /** Null: only events from now on. */
  after: number | null;
  /** The length of the stream. */
  seconds: number;
}

/** Hands out events as they happen, for those who watch. */
export class EventFollowers {
  readonly #deps: Pick<Deps, 'orm' | 'vault'>;
  readonly #stopped = new AbortController();
  readonly #counts = new Map<number, number>();

  constructor(deps: Pick<Deps, 'orm' | 'vault'>) {
    this.#deps = deps;
  }

  /**
   * Yields the events after a number, and an empty list every second without any. It ends after its time, and when the
   * process stops. Throws a 429 when too many follow the company.
   */
  async *follow({ companyId, after, seconds }: Following): AsyncGenerator<EventMessage[]> {
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(seconds * 1000)]);
    this.#count(companyId, 1);
    try {
      let last = after ?? (await this.#lastNumber(companyId));
      while (!signal.aborted) {
        const asked = { companyId, after: last, types: null, limit: MAX_AT_ONCE };
        const events = await seeingCompanies([companyId], () => listEvents(this.#deps, asked));
        last = events.at(-1)?.data.sequence ?? last;
        yield events;
        if (events.length < MAX_AT_ONCE) await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      this.#count(companyId, -1);
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  #lastNumber(companyId: number): Promise<number> {
    return seeingCompanies([companyId], () => numberEvents(companyEm(this.#deps.orm, companyId), companyId));
  }

  #count(companyId: number, change: 1 | -1): void {
    const count = (this.#counts.get(companyId) ?? 0) + change;
    if (count > MAX_FOLLOWERS)
      throw new Problem(`At most ${MAX_FOLLOWERS} streams of events are open at a time`, {
        status: 429,
        code: 'too-many-at-once',
        title: 'Too many requests',
        headers: { 'Retry-After': '10' },
      });
    if (count === 0) this.#counts.delete(companyId);
    else this.#counts.set(companyId, count);
  }
}
