import { Webhook } from 'standardwebhooks';

/** Signs with each active secret (Standard Webhooks 1.0), so that a receiver can change its secret at any time. */
export function signedHeaders(
  secrets: readonly string[],
  { id, body, now }: { id: string; body: string; now: Date },
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'smista',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, now, body)).join(' '),
  };
}
