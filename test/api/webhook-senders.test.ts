import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const MIB = 1024 * 1024;
/** The limits of src/api/webhooks.ts. */
const BODY_MS = 10_000;
const REQUESTS = 200;
const LONG = { timeout: 120_000 };

interface Sender {
  socket: Socket;
  /** Everything that came back so far. */
  text(): string;
  /** Resolves with the status line's number once an answer came. */
  status: Promise<number>;
  closed: Promise<void>;
}

describe('a sender of webhooks', LONG, () => {
  let test: TestApp;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'] });
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await test.stop();
  });

  /** Sends the head of a delivery, and nothing of its body. */
  function send(id: number, head: string, method = 'POST'): Sender {
    const { hostname, port } = new URL(test.app.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    let text = '';
    const answered = Promise.withResolvers<number>();
    const closed = Promise.withResolvers<void>();
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
      if (status) answered.resolve(Number(status));
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      answered.resolve(0);
      closed.resolve();
    });
    socket.write(`${method} /webhooks/${id} HTTP/1.1\r\nHost: x\r\n${head}\r\n\r\n`);
    return { socket, text: () => text, status: answered.promise, closed: closed.promise };
  }

  it('is refused before its body, when nothing listens or the body would be too large', async () => {
    const unknown = send(999_999, 'Content-Length: 100');
    const large = send(test.connectionId, `Content-Length: ${MIB + 1}`);

    expect(await unknown.status).toBe(401);
    expect(await large.status).toBe(413);
    // Neither sent a byte of its body, and both are cut off.
    await Promise.all([unknown.closed, large.closed]);
  });

  it('is refused when a body of unknown length grows too large', async () => {
    const chunked = send(test.connectionId, 'Transfer-Encoding: chunked');
    const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    for (let sent = 0; sent <= MIB; sent += 0x10000) chunked.socket.write(piece);

    expect(await chunked.status).toBe(413);
    await chunked.closed;
  });

  it('is cut off when it sends a byte now and then', async () => {
    const started = Date.now();
    const slow = send(test.connectionId, 'Content-Length: 1000');
    const drip = setInterval(() => slow.socket.write('x'), 1000);

    const status = await slow.status;
    await slow.closed;
    clearInterval(drip);

    expect(status).toBe(408);
    expect(slow.text()).toContain('too-slow');
    expect(Date.now() - started).toBeGreaterThan(BODY_MS - 100);
  });

  it('waits when two hundred others send, and gets its turn after them', async () => {
    const others = Array.from({ length: REQUESTS }, () => send(test.connectionId, 'Content-Length: 2'));
    await test.until(
      async () => (await send(test.connectionId, 'Content-Length: 2').status) || 0,
      (status) => status === 503,
    );

    for (const { socket } of others) socket.write('{}');
    const statuses = await Promise.all(others.map(({ status }) => status));
    const next = send(test.connectionId, 'Content-Length: 0');

    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(await next.status).toBe(401);
  });
});
