import { EventSourceParserStream } from 'eventsource-parser/stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany, type SecondCompany } from './second-company.ts';
import { createOrder } from './ship-orders.ts';

let test: TestApp;
let other: SecondCompany;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
  other = await addCompany(test, 'altra');
});
afterAll(() => test.stop());

interface Sent {
  id: number;
  type: string;
  orderId: number;
}

/** Opens a stream. `next` waits for its next event; null: the stream is over. */
async function follow(query: string, headers: Record<string, string> = { 'x-api-key': test.demo.apiKey }) {
  const response = await fetch(`${test.app.url}/api/v1/external/events/stream${query}`, { headers });
  const events = response.body
    ?.pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  return {
    response,
    async next(): Promise<Sent | null> {
      const read = await events?.read();
      if (!read || read.done) return null;
      const { type, data } = JSON.parse(read.value.data);
      return { id: Number(read.value.id), type, orderId: data.orderId };
    },
    close: () => events?.cancel(),
  };
}

describe('the stream of events', () => {
  it('sends what happens from now on, to its own company alone', async () => {
    await createOrder(test);
    const [mine, theirs] = [await follow(''), await follow('', other.headers)];
    const first = await createOrder(test);
    const second = await createOrder(test, {}, other.headers);

    expect(mine.response.headers.get('content-type')).toContain('text/event-stream');
    expect(await mine.next()).toMatchObject({ type: 'order.created', orderId: first });
    expect(await theirs.next()).toMatchObject({ type: 'order.created', orderId: second });
    await Promise.all([mine.close(), theirs.close()]);
  });

  it('goes on after a number without a gap or a repetition, and ends after its seconds', async () => {
    const before = await test.call('GET', '/events?limit=1000');
    const after = before.body.at(-1).data.sequence;
    const missed = [await createOrder(test), await createOrder(test)];
    const stream = await follow(`?after=${after}&seconds=1`);

    expect(await stream.next()).toEqual({ id: after + 1, type: 'order.created', orderId: missed[0] });
    expect(await stream.next()).toEqual({ id: after + 2, type: 'order.created', orderId: missed[1] });
    expect(await stream.next()).toBeNull();
  });

  it('leaves room for others: a company has fifty at most, and one that ended makes room', async () => {
    const streams = await Promise.all(Array.from({ length: 50 }, () => follow('?after=0')));
    const refused = await test.call('GET', '/events/stream');
    const elsewhere = await follow('', other.headers);
    await streams[0]?.close();
    const again = await test.until(
      () => test.call('GET', '/events/stream?seconds=1'),
      ({ status }) => status === 200,
    );

    expect(streams.map(({ response }) => response.status)).toEqual(Array(50).fill(200));
    expect(refused).toMatchObject({ status: 429, body: { code: 'too-many-at-once' } });
    expect(elsewhere.response.status).toBe(200);
    expect(again.status).toBe(200);
    await Promise.all([...streams, elsewhere].map((stream) => stream.close()));
  });

  it('is not held open by requests that only ask for its head', async () => {
    const ask = (method: 'HEAD' | 'GET') =>
      fetch(`${test.app.url}/api/v1/external/events/stream?seconds=600`, {
        method,
        headers: { 'x-api-key': test.demo.apiKey },
      });
    for (let asked = 0; asked < 60; asked++) expect((await ask('HEAD')).status).toBe(200);
    const response = await ask('GET');

    expect(response.status).toBe(200);
    await (await response.body?.getReader())?.cancel();
  });

  it('ends when the service stops', async () => {
    const stopping = await startTestApp({ roles: ['api'] });
    const response = await fetch(`${stopping.app.url}/api/v1/external/events/stream?after=0`, {
      headers: { 'x-api-key': stopping.demo.apiKey },
    });
    const [text] = await Promise.all([response.text(), stopping.stop()]);

    expect(text).toMatch(/^(:\n\n|id: )/);
  });
});
