import { createHmac } from 'node:crypto';
import type { Account } from './account.ts';

export interface UnsignedRequest {
  method: string;
  /** Exactly as it is sent, with its query. */
  url: string;
  /** Empty where there is none. */
  body: string;
  now: Date;
}

/** Signs a request: HMAC-SHA256, as hex, over method, address, body and Unix time, a line each. */
export function sign({ clientKey, secretKey }: Account, request: UnsignedRequest): Record<string, string> {
  const timestamp = String(Math.floor(request.now.getTime() / 1000));
  const text = [request.method, request.url, request.body, timestamp].join('\n');
  return {
    'shop-client-key': clientKey,
    'shop-timestamp': timestamp,
    'shop-signature': createHmac('sha256', secretKey).update(text).digest('hex'),
  };
}
