import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection, Order, WebhookDelivery } from '../../src/db/entities/index.ts';
import { IntegrationError } from '../../src/lib/errors.ts';
import type { Marketplace } from '../../src/marketplaces/adapter.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.stop());

async function buyInShop(): Promise<number> {
  const response = await fetch(`${test.app.sandboxUrl}/woocommerce/_seed/orders`, { method: 'POST', body: '{}' });
  return ((await response.json()) as { id: number }).id;
}

interface Delivery {
  body: string;
  signature?: string;
  deliveryId?: string;
  connectionId?: number | string;
}

function deliver({ body, signature, deliveryId = 'd1', connectionId = test.connectionId }: Delivery) {
  return fetch(`${test.app.url}/webhooks/${connectionId}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-wc-webhook-resource': 'order',
      'x-wc-webhook-delivery-id': deliveryId,
      ...(signature === undefined ? {} : { 'x-wc-webhook-signature': signature }),
    },
    body,
  });
}

function sign(body: string, secret = 'whs_sandbox'): string {
  return createHmac('sha256', secret).update(body).digest('base64');
}

async function isImported(id: number): Promise<boolean> {
  return (await database(test).count(Order, { externalOrderId: String(id) })) === 1;
}

describe('a webhook of a shop', () => {
  it('brings the order in now, as the shop has it and not as the webhook says', async () => {
    const id = await buyInShop();
    const body = JSON.stringify({ id, billing: { first_name: 'Not', last_name: 'Believed' } });

    const answer = await deliver({ body, signature: sign(body), deliveryId: 'a' });
    await test.until(() => isImported(id), Boolean);
    const order = await database(test).findOneOrFail(Order, { externalOrderId: String(id) });
    const { body: read } = await test.call('GET', `/orders/${order.id}`);

    expect(answer.status).toBe(200);
    expect(JSON.stringify(read)).not.toContain('Believed');
  });

  it('is taken once, however often it is delivered', async () => {
    const body = JSON.stringify({ id: await buyInShop() });
    const delivery = { body, signature: sign(body), deliveryId: 'b' };

    const answers = await Promise.all([deliver(delivery), deliver(delivery), deliver(delivery)]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await database(test).count(WebhookDelivery, { deliveryId: { $like: 'b/%' } })).toBe(1);
  });

  it('is answered when it only tries the address', async () => {
    expect((await deliver({ body: 'webhook_id=7' })).status).toBe(200);
  });

  it.each<[string, (body: string) => Omit<Delivery, 'body'>]>([
    ['without a signature', () => ({})],
    ['with the signature of another secret', (body) => ({ signature: sign(body, 'guessed') })],
    ['with the signature of another body', () => ({ signature: sign('{}') })],
    ['for a connection that is not there', (body) => ({ signature: sign(body), connectionId: 999_999 })],
    ['for something that is no connection', (body) => ({ signature: sign(body), connectionId: 'x' })],
  ])('is refused %s, and nothing is read', async (_what, wrong) => {
    const body = JSON.stringify({ id: await buyInShop() });

    const answer = await deliver({ body, ...wrong(body) });

    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'signature-refused' });
  });

  it('is refused for a connection that was taken away', async () => {
    const body = JSON.stringify({ id: await buyInShop() });
    const em = database(test);
    await em.nativeUpdate(Connection, { id: test.connectionId }, { isConnected: false });

    const answer = await deliver({ body, signature: sign(body) });
    await em.nativeUpdate(Connection, { id: test.connectionId }, { isConnected: true });

    expect(answer.status).toBe(401);
  });

  it('whose signature cannot be checked at the moment is asked for again later', async () => {
    const marketplaces = test.app.deps.marketplaces as Map<string, Marketplace>;
    const real = marketplaces.get('woocommerce') as Marketplace;
    const read = async () => {
      throw new IntegrationError('no key', { kind: 'retryable', provider: 'x', code: 'no-answer', retryAfterMs: 7000 });
    };
    marketplaces.set('woocommerce', { ...real, webhook: { read } });

    const answer = await deliver({ body: '{}' });
    marketplaces.set('woocommerce', real);

    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('7');
  });

  it('that is huge is refused before anything is looked at', async () => {
    const answer = await deliver({ body: 'x'.repeat(2 * 1024 * 1024) });

    expect(answer.status).toBe(413);
  });

  it('answers no question that the platform never asks', async () => {
    expect((await fetch(`${test.app.url}/webhooks/${test.connectionId}?challenge_code=1`)).status).toBe(401);
  });
});
