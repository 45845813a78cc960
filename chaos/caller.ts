import { setTimeout as delay } from 'node:timers/promises';
import { BASE_PATH } from '../src/api/http/base-path.ts';
import type { Random } from './random.ts';
import type { ClientBook } from './told.ts';

/** Longer than the api waits and than one stands still. */
const PATIENCE_MS = 20_000;

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a client reads what it expects
  body: any;
  location: string | null;
  /** An earlier try of the same call broke and had no key. It may have been carried out, and this answer does not know of it. */
  mayHaveRun?: boolean;
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
  key?: string | undefined;
  prefer?: string | undefined;
}

export interface CallerOptions {
  apiUrls: readonly string[];
  apiKey: string;
  random: Random;
  book: ClientBook;
  /** Epoch milliseconds after which no caller tries again. */
  deadline(): number;
}

/** Speaks to the api as a client behind a load balancer: what got no answer is asked again until it has one. */
export class Caller {
  readonly #options: CallerOptions;

  constructor(options: CallerOptions) {
    this.#options = options;
  }

  /** The first answer that is neither a lost connection nor "try again"; null when the time is over. */
  async ask(call: Call): Promise<Answer | null> {
    const { random, book, deadline } = this.#options;
    let last: Answer | null = null;
    let mayHaveRun = false;
    while (Date.now() < deadline()) {
      const answer = await this.#once(call);
      last = answer ?? last;
      if (answer && !isAskAgain(answer)) return { ...answer, mayHaveRun };
      mayHaveRun ||= !call.key && call.method !== 'GET' && answer?.status !== 429;
      if (answer?.status === 500) book.wonder(`500 to ${call.method} ${shape(call.path)}`, JSON.stringify(answer.body));
      await delay(random.int(100, 600));
    }
    const words = last ? `${last.status} ${JSON.stringify(last.body)}` : 'nothing';
    book.unanswered.push(`${call.method} ${call.path} ${JSON.stringify(call.body ?? null)}: ${words}`.slice(0, 600));
    return null;
  }

  /** Asks, and follows a 202 until the operation is settled. */
  async askAndFollow(call: Call): Promise<Answer | null> {
    let answer = await this.ask(call);
    while (answer?.status === 202 && answer.location) {
      await delay(this.#options.random.int(200, 900));
      const { location } = answer;
      answer = await this.ask({ method: 'GET', path: location.slice(BASE_PATH.length) });
      if (answer?.status === 202) answer.location ??= location;
    }
    return answer;
  }

  async #once(call: Call): Promise<Answer | null> {
    const { apiUrls, apiKey, random } = this.#options;
    try {
      const response = await fetch(`${random.pick(apiUrls)}${BASE_PATH}${call.path}`, {
        method: call.method,
        headers: {
          'x-api-key': apiKey,
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(call.key ? { 'idempotency-key': call.key } : {}),
          ...(call.prefer ? { prefer: call.prefer } : {}),
        },
        ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return { status: response.status, body: await response.json(), location: response.headers.get('location') };
    } catch {
      return null; // the connection broke: the outcome is unknown
    }
  }
}

function isAskAgain({ status, body }: Answer): boolean {
  if (status === 500 || status === 503 || status === 429) return true;
  return status === 409 && body?.code === 'idempotency-in-flight';
}

function shape(path: string): string {
  return path.replace(/\d+/g, '{id}').replace(/\?.*/, '');
}
