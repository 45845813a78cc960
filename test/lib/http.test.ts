import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { IntegrationError } from '../../src/lib/errors.ts';
import { type Effect, Http, type RecordedExchange } from '../../src/lib/http.ts';
import { type FakeServer, type Reply, startFakeServer } from '../support/fake-server.ts';

const LIMIT = 1000;

interface Outcome {
  failure: IntegrationError;
  exchange: RecordedExchange | undefined;
  mayHaveWritten: boolean;
}

let server: FakeServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Sends one request that must fail. */
async function fail(url: string, effect: Effect, options: { timeoutMs?: number } = {}): Promise<Outcome> {
  const exchanges: RecordedExchange[] = [];
  const record = (exchange: RecordedExchange): void => void exchanges.push(exchange);
  const { signal } = new AbortController();
  const http = new Http({ provider: 'Acme', signal, record, maxResponseBytes: LIMIT, ...options });
  const failure = await http.send({ operation: 'Book', effect, method: 'POST', url, body: 'x' }).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(failure instanceof IntegrationError)) throw new Error('It should have failed', { cause: failure });
  return { failure, exchange: exchanges[0], mayHaveWritten: http.mayHaveWritten };
}

function urlOf(listening: Server): string {
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

async function failWith(reply: Reply, effect: Effect): Promise<Outcome> {
  server = await startFakeServer([reply]);
  return fail(server.url, effect);
}

describe('an answer that breaks off', () => {
  const truncated = { ending: 'truncate', body: 'Spedizione 610000001 creata' } as const;

  it.each([
    ['write', 200, 'unknown-outcome'],
    ['write', 400, 'unknown-outcome'],
    ['write', 404, 'unknown-outcome'],
    ['write', 500, 'unknown-outcome'],
    ['write', 503, 'retryable'],
    ['read', 200, 'retryable'],
    ['read', 404, 'retryable'],
  ] as const)('in a %s with status %i is kept as far as it came, and is %s', async (effect, status, kind) => {
    const { failure, exchange, mayHaveWritten } = await failWith({ ...truncated, status }, effect);

    expect(failure).toMatchObject({ kind, code: 'no-answer', message: 'Acme did not finish its answer to Book' });
    expect(mayHaveWritten).toBe(kind === 'unknown-outcome');
    expect(exchange).toMatchObject({ status, responseBody: 'Spedizione 610', responseBytes: 14 });
    expect(exchange?.error).toMatch(/^[A-Z_]+$/);
  });

  it('gives an adapter no half of an answer to read', async () => {
    const { failure } = await failWith({ ...truncated, status: 404 }, 'read');

    expect([failure.status, failure.body]).toEqual([undefined, undefined]);
  });

  it('still says when to come back', async () => {
    const headers = { 'retry-after': '7' };

    const { failure } = await failWith({ ...truncated, status: 429, headers }, 'write');

    expect(failure).toMatchObject({ kind: 'retryable', retryAfterMs: 7000 });
  });

  it('is kept as far as it came when the time is over', async () => {
    const slow = createServer((_request, response) => void response.writeHead(200).write('Spedizi'));
    await once(slow.listen(0, '127.0.0.1'), 'listening');

    const { failure, exchange } = await fail(urlOf(slow), 'write', { timeoutMs: 250 });
    slow.closeAllConnections();
    slow.close();

    expect(failure).toMatchObject({ kind: 'unknown-outcome', code: 'no-answer' });
    expect(exchange).toMatchObject({ status: 200, responseBody: 'Spedizi', error: 'TimeoutError' });
  });
});

describe('an answer above the limit', () => {
  it.each([
    ['write', 200, 'unknown-outcome'],
    ['write', 400, 'unknown-outcome'],
    ['read', 200, 'retryable'],
  ] as const)('in a %s with status %i is cut off, kept, and is %s', async (effect, status, kind) => {
    const { failure, exchange } = await failWith({ status, body: 'x'.repeat(LIMIT + 1) }, effect);

    expect(failure).toMatchObject({ kind, code: 'answer-too-large' });
    expect(exchange).toMatchObject({ status, error: 'answer-too-large', responseBytes: LIMIT });
    expect(exchange?.responseBody).toBe('x'.repeat(LIMIT));
  });

  it('is read at the limit itself', async () => {
    server = await startFakeServer([{ body: 'x'.repeat(LIMIT) }]);
    const http = new Http({ provider: 'Acme', signal: new AbortController().signal, maxResponseBytes: LIMIT });

    const answer = await http.send({ operation: 'Book', effect: 'write', method: 'POST', url: server.url });

    expect(answer.body).toHaveLength(LIMIT);
  });

  it('is not listened to any longer', async () => {
    const closed = Promise.withResolvers<void>();
    const pour = (response: ServerResponse): void => {
      while (response.write('x'.repeat(LIMIT)));
      response.once('drain', () => pour(response));
    };
    const endless = createServer((_request, response) => {
      response.once('close', closed.resolve);
      pour(response);
    });
    await once(endless.listen(0, '127.0.0.1'), 'listening');

    const { failure } = await fail(urlOf(endless), 'read');
    await closed.promise;
    endless.close();

    expect(failure.code).toBe('answer-too-large');
  });
});

describe('the text that is kept of an answer', () => {
  it.each([
    ['UTF-8', Buffer.from('città nuova €')],
    ['ISO-8859-1', Buffer.from('città nuova', 'latin1')],
    ['UTF-16', Buffer.from('città nuova', 'utf16le')],
    ['UTF-16, the other way round', Buffer.from('città nuova', 'utf16le').swap16()],
    ['UTF-8 that was cut inside a character', Buffer.concat([Buffer.from('città nuova'), Buffer.from([0xe2, 0x82])])],
  ])('can be read when it came in %s', async (_encoding, body) => {
    const { exchange } = await failWith({ status: 500, body }, 'write');

    expect(exchange?.responseBody).toMatch(/^città nuova( €)?$/);
  });
});

describe('an answer that was packed', () => {
  const packed = (body: Buffer): Reply => ({ headers: { 'content-encoding': 'gzip' }, body });

  it('is read as if it was not', async () => {
    server = await startFakeServer([packed(gzipSync('{"number":"610000001"}'))]);
    const exchanges: RecordedExchange[] = [];
    const { signal } = new AbortController();
    const http = new Http({ provider: 'Acme', signal, record: (exchange) => void exchanges.push(exchange) });

    const { body } = await http.send({
      operation: 'Book',
      effect: 'write',
      method: 'POST',
      url: server.url,
      body: 'x',
    });

    expect(body.toString('utf8')).toBe('{"number":"610000001"}');
    expect(exchanges[0]?.responseBody).toBe('{"number":"610000001"}');
  });

  it.each([
    ['unpacks to more than an answer may have', gzipSync('x'.repeat(LIMIT + 1)), 'answer-too-large'],
    ['cannot be unpacked', Buffer.from('no gzip at all'), 'no-answer'],
  ])('leaves the outcome of a write unknown when it %s', async (_what, body, code) => {
    server = await startFakeServer([packed(body)]);

    const { failure } = await fail(server.url, 'write');

    expect(failure).toMatchObject({ kind: 'unknown-outcome', code });
  });
});
