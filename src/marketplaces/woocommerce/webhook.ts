import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { sameSecret } from '../../lib/crypto.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { MarketplaceContext, Webhook, WebhookDelivery, WebhookHint } from '../adapter.ts';
import type { Account } from './account.ts';

/** The order of an `order.*` topic; anything else in it is read from the shop instead. */
const Body = z.object({ id: z.int().positive() });
/** The shop tries a new webhook without a signature, and gives it up unless it is answered. */
const PING = /^webhook_id=\d+$/;

export const webhook: Webhook<Account> = {
  async read(
    { account }: MarketplaceContext<Account>,
    { headers, body }: WebhookDelivery,
  ): Promise<WebhookHint | null> {
    const { webhookSecret } = account;
    if (webhookSecret === undefined) return null;
    const signature = headers['x-wc-webhook-signature'];
    if (signature === undefined) {
      return PING.test(body.toString('utf8')) ? { deliveryId: 'ping', externalOrderId: null } : null;
    }
    const expected = createHmac('sha256', webhookSecret).update(body).digest('base64');
    if (!sameSecret(signature, expected)) return null;
    const order = Body.safeParse(parseJson(body.toString('utf8')));
    const isOrder = headers['x-wc-webhook-resource'] === 'order' && order.success;
    const externalOrderId = isOrder ? String(order.data.id) : null;
    // The shop's own id repeats within one second.
    return { deliveryId: `${headers['x-wc-webhook-delivery-id'] ?? ''}/${externalOrderId ?? ''}`, externalOrderId };
  },
};
