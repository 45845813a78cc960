import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { sameSecret } from '../../lib/crypto.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { MarketplaceContext, Webhook, WebhookDelivery, WebhookHint } from '../adapter.ts';
import type { Account } from './account.ts';

/** The order of an `orders/*` topic; anything else in it is read from the shop instead. */
const Body = z.object({ id: z.int().positive() });

export const webhook: Webhook<Account> = {
  async read(
    { account }: MarketplaceContext<Account>,
    { headers, body }: WebhookDelivery,
  ): Promise<WebhookHint | null> {
    const { clientSecret, shop } = account;
    const signature = headers['x-shopify-hmac-sha256'];
    const deliveryId = headers['x-shopify-webhook-id'];
    if (clientSecret === undefined || signature === undefined || deliveryId === undefined) return null;
    const expected = createHmac('sha256', clientSecret).update(body).digest('base64');
    if (!sameSecret(signature, expected)) return null;
    // One app signs for all shops that have it.
    if (headers['x-shopify-shop-domain'] !== shop) return null;
    const order = Body.safeParse(parseJson(body.toString('utf8')));
    const isOrder = headers['x-shopify-topic']?.startsWith('orders/') === true && order.success;
    return { deliveryId, externalOrderId: isOrder ? String(order.data.id) : null };
  },
};
