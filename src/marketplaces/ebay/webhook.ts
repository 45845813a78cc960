import { verify } from 'node:crypto';
import { z } from 'zod';
import { sha256 } from '../../lib/crypto.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { AccessToken } from '../../lib/tokens.ts';
import type { Webhook, WebhookDelivery, WebhookHint } from '../adapter.ts';
import type { Account } from './account.ts';
import { type EbayContext, readEbay } from './client.ts';
import { PublicKey } from './schema.ts';

/** eBay recommends to keep a key for an hour (description of getPublicKey, read 2026-11-21). */
const KEY_SECONDS = 3600;
/** Invented key ids must not use up the calls of the day; the figures are ours. */
const KEY_BUDGET = { capacity: 5, perSecond: 1 / 60 };

/** 404 says that there is none; the description has a 400 beside it, without a reason. */
const NO_SUCH_KEY = new Set<number | undefined>([400, 404]);

const HASHES: Readonly<Record<string, string>> = { SHA1: 'sha1', SHA256: 'sha256' };

const Signature = z.object({
  kid: z.string().regex(/^[\w-]{1,100}$/),
  signature: z.base64(),
  digest: z.string().toUpperCase(),
});

const Notification = z.object({
  metadata: z.object({ topic: z.string() }),
  notification: z.object({ notificationId: z.string().min(1), data: z.unknown() }),
});
/** One notification per line of the order. */
const OrderConfirmation = z.object({ order: z.object({ orderId: z.string().min(1) }) });

export const webhook: Webhook<Account> = {
  async read(context, delivery): Promise<WebhookHint | null> {
    if (context.account.verificationToken === undefined || !(await isGenuine(context, delivery))) return null;
    const sent = Notification.safeParse(parseJson(delivery.body.toString('utf8'))).data;
    if (!sent) return null;
    const order = OrderConfirmation.safeParse(sent.notification.data).data?.order;
    const isOrder = sent.metadata.topic === 'ORDER_CONFIRMATION';
    return {
      deliveryId: sent.notification.notificationId,
      externalOrderId: isOrder && order ? order.orderId : null,
    };
  },
  challenge({ verificationToken }, { query, url }) {
    const { challenge_code: code } = query;
    if (verificationToken === undefined || code === undefined) return null;
    return { challengeResponse: sha256(`${code}${verificationToken}${url}`) };
  },
};

/** ECDSA over the body as it came, with the key and the hash that the header names. */
async function isGenuine(context: EbayContext, { headers, body }: WebhookDelivery): Promise<boolean> {
  const header = Buffer.from(headers['x-ebay-signature'] ?? '', 'base64').toString('utf8');
  const given = Signature.safeParse(parseJson(header)).data;
  const hash = HASHES[given?.digest ?? ''];
  if (!given || hash === undefined) return false;
  const key = await publicKey(context, given.kid);
  try {
    return key !== null && verify(hash, body, key, Buffer.from(given.signature, 'base64'));
  } catch {
    // A malformed key or signature proves nothing.
    return false;
  }
}

/** Null when eBay has no key of that id. */
async function publicKey(context: EbayContext, kid: string): Promise<string | null> {
  try {
    return await context.token(`public-key:${kid}`, () => fetchKey(context, kid));
  } catch (error) {
    if (error instanceof IntegrationError && error.kind === 'permanent' && NO_SUCH_KEY.has(error.status)) return null;
    throw error;
  }
}

async function fetchKey(context: EbayContext, kid: string): Promise<AccessToken> {
  await context.budget('public-keys', KEY_BUDGET).take(1, 0);
  const path = `/commerce/notification/v1/public_key/${kid}`;
  const { key } = await readEbay(context, { operation: 'getPublicKey', path, identity: 'application' }, PublicKey);
  const bare = key.replace(/-----(BEGIN|END) PUBLIC KEY-----|\s/g, '');
  const value = `-----BEGIN PUBLIC KEY-----\n${bare}\n-----END PUBLIC KEY-----\n`;
  return { value, expiresInSeconds: KEY_SECONDS };
}
