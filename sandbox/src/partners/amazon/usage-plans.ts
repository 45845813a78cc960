import type { RequestHandler } from 'express';
import type { Clock } from '../../clock.ts';
import { sendErrors } from './answers.ts';
import { sellerOf } from './auth.ts';

interface Plan {
  perSecond: number;
  burst: number;
}

/** The default usage plans of the official descriptions. */
const PLANS = {
  searchOrders: { perSecond: 0.0056, burst: 20 },
  getOrder: { perSecond: 0.5, burst: 30 },
  confirmShipment: { perSecond: 2, burst: 10 },
} as const satisfies Record<string, Plan>;

/** One token bucket per seller and operation. A restart fills them. */
export class UsagePlans {
  readonly #now: Clock;
  readonly #buckets = new Map<string, { tokens: number; at: number }>();

  constructor(now: Clock) {
    this.#now = now;
  }

  limit(operation: keyof typeof PLANS): RequestHandler {
    const { perSecond, burst } = PLANS[operation];
    return (_request, response, next) => {
      const key = `${sellerOf(response)}/${operation}`;
      const at = this.#now().getTime();
      const bucket = this.#buckets.get(key) ?? { tokens: burst, at };
      const tokens = Math.min(burst, bucket.tokens + ((at - bucket.at) / 1000) * perSecond);
      this.#buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at });
      if (tokens < 1) {
        const message = 'You exceeded your quota for the requested resource.';
        return sendErrors(response, 429, { code: 'QuotaExceeded', message });
      }
      response.set('x-amzn-RateLimit-Limit', String(perSecond));
      next();
    };
  }
}
