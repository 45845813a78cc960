import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, type Call, Caller } from './caller.ts';
import type { Company } from './companies.ts';
import type { Random } from './random.ts';
import type { ClientBook } from './told.ts';

export interface ClickOptions {
  /** Unique among all clients. */
  name: string;
  company: Company;
  apiUrls: readonly string[];
  random: Random;
  book: ClientBook;
  /** Epoch milliseconds after which it stops asking. */
  deadline(): number;
}

/** A person before a screen: clicks once or twice, with a key or without, and follows what takes longer. */
export class Clicks {
  readonly #options: ClickOptions;
  readonly #caller: Caller;
  #nextKey = 1;

  constructor(options: ClickOptions) {
    this.#options = options;
    this.#caller = new Caller({ ...options, apiKey: options.company.apiKey });
  }

  ask(call: Call): Promise<Answer | null> {
    return this.#caller.ask(call);
  }

  /** Asks once under a key of its own, so that a repeat after a broken line is the same request. */
  once(call: Call): Promise<Answer | null> {
    return this.#caller.askAndFollow({ ...call, key: this.#freshKey() });
  }

  /** Once or twice, at the same moment or later, with a key of its own, the same key, or none. */
  async click(call: Call, { sameKey = false } = {}): Promise<(Answer | null)[]> {
    const { random } = this.#options;
    const prefer = random.weighted({ '': 5, 'respond-async': 3, 'wait=1': 2 }) || undefined;
    const keyed = (): Call => ({
      ...call,
      prefer,
      key: call.key ?? (random.chance(0.6) ? this.#freshKey() : undefined),
    });
    const first = sameKey && !call.key ? { ...call, prefer, key: this.#freshKey() } : keyed();
    if (!random.chance(0.3)) return [await this.#caller.askAndFollow(first)];
    const second = sameKey || random.chance(0.5) ? first : keyed();
    const pause = random.chance(0.5) ? 0 : random.int(50, 3000);
    return Promise.all([this.#caller.askAndFollow(first), delay(pause).then(() => this.#caller.askAndFollow(second))]);
  }

  wonder(call: Call, answer: Answer): void {
    const path = call.path.replace(/\d+/g, '{id}');
    this.#options.book.wonder(
      `${answer.status} to ${call.method} ${path}`,
      JSON.stringify({ asked: call.body ?? null, answered: answer.body }),
    );
  }

  #freshKey(): string {
    return `${this.#options.name}-key-${this.#nextKey++}`;
  }
}
