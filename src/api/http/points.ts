import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { FindCompany } from '../../engine/find.ts';
import { Problem } from '../../lib/errors.ts';

const WINDOW_SECONDS = 60;

/** The points that a company may still spend in the current minute. */
export interface Balance {
  limit: number;
  left: number;
  /** Seconds until all points are there again. */
  resetSeconds: number;
}

export interface PointOptions {
  /** Counts what was spent per minute, without a limit of its own. */
  store: RateLimiterAbstract;
  /** For companies without a limit of their own; 0: no limit. */
  defaultLimit: number;
  company: FindCompany;
  /** Tells installations that share one Redis apart. */
  installation: string;
}

/** Points of a company per minute: a request costs one, a batch one per element. */
export class Points {
  readonly #options: PointOptions;

  constructor(options: PointOptions) {
    this.#options = options;
  }

  /**
   * Spends points of a company, of which `paid` are spent already. Returns null without a limit. Throws a 429 that spends
   * nothing when too few are left.
   */
  async spend(companyId: number, points: number, { paid = 0 } = {}): Promise<Balance | null> {
    const limit = await this.#limitOf(companyId);
    if (limit === null) return null;
    const { store } = this.#options;
    const key = this.#keyOf(companyId);
    // A batch above the limit costs all of it, because it could never be sent otherwise.
    const cost = Math.min(points, limit) - paid;
    const state = await store.consume(key, cost).catch(passOnOutage);
    if (state === null) return null;
    const resetSeconds = Math.ceil(state.msBeforeNext / 1000);
    if (state.consumedPoints <= limit) return { limit, left: limit - state.consumedPoints, resetSeconds };
    await store.reward(key, cost).catch(passOnOutage);
    throw tooManyRequests({ limit, left: Math.max(0, limit - state.consumedPoints + cost), resetSeconds });
  }

  /** Returns what is left without spending; null: no limit. */
  async balance(companyId: number): Promise<Balance | null> {
    const limit = await this.#limitOf(companyId);
    if (limit === null) return null;
    const state = await this.#options.store.get(this.#keyOf(companyId)).catch(passOnOutage);
    const spent = state?.consumedPoints ?? 0;
    return { limit, left: Math.max(0, limit - spent), resetSeconds: Math.ceil((state?.msBeforeNext ?? 0) / 1000) };
  }

  async #limitOf(companyId: number): Promise<number | null> {
    const company = await this.#options.company(companyId);
    const limit = company?.settings.limits?.pointsPerMinute ?? this.#options.defaultLimit;
    return limit === 0 ? null : limit;
  }

  #keyOf(companyId: number): string {
    return `${this.#options.installation}:${companyId}`;
  }
}

/** Counts the requests of all admins of the installation like those of one company. No company has this id. */
const INSTALLATION = 0;

/** Returns the company id that a person or key of one company spends the points of, or one of all companies. */
export function pointsOf({ companyId }: { companyId: number | null }): number {
  return companyId ?? INSTALLATION;
}

/** Returns the headers of the IETF draft "RateLimit header fields for HTTP". */
export function pointHeaders({ limit, left, resetSeconds }: Balance): Record<string, string> {
  return {
    RateLimit: `"default";r=${left};t=${resetSeconds}`,
    'RateLimit-Policy': `"default";q=${limit};qu="points";w=${WINDOW_SECONDS}`,
  };
}

/** While the store of the points is away, requests pass. */
function passOnOutage(error: unknown): null {
  if (error instanceof Error) return null;
  throw new Error('The store of points has a limit of its own', { cause: error });
}

function tooManyRequests(balance: Balance): Problem {
  return new Problem(
    `Too many requests: ${balance.left} of ${balance.limit} points are left for this minute; a request costs one, a batch one per element`,
    {
      status: 429,
      code: 'too-many-requests',
      title: 'Too many requests',
      retryable: true,
      headers: { 'Retry-After': String(Math.max(1, balance.resetSeconds)), ...pointHeaders(balance) },
    },
  );
}
