import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPoster, type PosterOptions, type PostResult } from '../../src/lib/guarded-post.ts';
import { type EventReceiver, startEventReceiver } from '../support/event-receiver.ts';
import { refusingUrl } from '../support/fake-server.ts';

const LIMIT_MS = 700;
/** What a slow machine may add. */
const SLACK_MS = 1500;

let receiver: EventReceiver;
let stops: (() => Promise<void>)[];

beforeEach(async () => {
  receiver = await startEventReceiver();
  stops = [() => receiver.close()];
});
afterEach(async () => {
  for (const stop of stops) await stop();
});

async function post(url: string, options: Partial<PosterOptions> = {}, signal = new AbortController().signal) {
  const poster = openPoster({
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    allowPrivate: true,
    timeoutMs: LIMIT_MS,
    ...options,
  });
  const started = performance.now();
  try {
    const result = await poster.post({ url, headers: { 'content-type': 'application/json' }, body: '{}', signal });
    return { ...result, tookMs: performance.now() - started };
  } finally {
    await poster.close();
  }
}

/** A server that says whatever a test wants as soon as somebody connects, and goes on. */
async function rawServer(talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => undefined);
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Writes the same again and again until the other side hangs up. */
function forever(socket: Socket, text: string, everyMs: number): void {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
}

describe('a receiver that answers', () => {
  it.each([
    [200, null],
    [204, null],
    [301, 'redirected'],
    [304, 'redirected'],
    [400, 'refused'],
    [410, 'gone'],
    [500, 'refused'],
  ])('%i is told apart', async (status, error) => {
    receiver.answer(status);

    expect(await post(receiver.url)).toMatchObject({ status, error });
  });

  it('a redirect is not followed', async () => {
    const other = await startEventReceiver();
    stops.push(() => other.close());
    receiver.answer((response) => response.writeHead(307, { location: other.url }).end());

    expect(await post(receiver.url)).toMatchObject({ status: 307, error: 'redirected' });
    expect(other.received).toEqual([]);
  });

  it('503 may ask for a pause', async () => {
    receiver.answer((response) => response.writeHead(503, { 'retry-after': '120' }).end());

    expect(await post(receiver.url)).toMatchObject({ error: 'refused', retryAfterMs: 120_000 });
  });
});

describe('a receiver that means harm costs at most the limit', () => {
  async function costs(url: string, options: Partial<PosterOptions> = {}): Promise<PostResult> {
    const { tookMs, ...result } = await post(url, options);
    expect(tookMs).toBeLessThan(LIMIT_MS + SLACK_MS);
    return result;
  }

  it('when it never answers', async () => {
    receiver.answer(() => undefined);

    expect(await costs(receiver.url)).toMatchObject({ status: null, error: 'timed-out' });
  });

  it('when its headers never end', async () => {
    const url = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      forever(socket, 'x-a: b\r\n', 20);
    });

    expect(await costs(url)).toMatchObject({ error: 'timed-out' });
  });

  it('when its headers are huge', async () => {
    const url = await rawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(1_000_000)}\r\n\r\n`);
    });

    expect(await costs(url)).toMatchObject({ status: null, error: 'answer-unreadable' });
  });

  it('when it says "wait" for ever', async () => {
    const url = await rawServer((socket) => forever(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 5));

    expect((await costs(url)).status).toBeNull();
  });

  it('when its answer trickles', async () => {
    const url = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      forever(socket, '1\r\nx\r\n', 50);
    });

    expect(await costs(url)).toMatchObject({ status: 200, error: null });
  });

  it('when its answer is huge', async () => {
    let sent = 0;
    receiver.answer((response) => {
      const block = Buffer.alloc(64 * 1024);
      const more = (): void => {
        while (!response.destroyed && response.write(block)) sent += block.length;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });

    expect(await costs(receiver.url)).toMatchObject({ status: 200, error: null });
    expect(sent).toBeLessThan(50 * 1024 * 1024);
  });

  it('when it resets the connection', async () => {
    receiver.answer((response) => response.socket?.resetAndDestroy());

    expect(await costs(receiver.url)).toMatchObject({ status: null, error: 'connection-lost' });
  });

  it('when it hangs up in the middle of its answer', async () => {
    receiver.answer((response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    });

    expect(await costs(receiver.url)).toMatchObject({ status: 200, error: null });
  });

  it('when it speaks no HTTP', async () => {
    const url = await rawServer((socket) => socket.on('data', () => socket.write('SSH-2.0-OpenSSH_9.6\r\n')));

    expect(await costs(url)).toMatchObject({ error: 'answer-unreadable' });
  });

  it('when it accepts and speaks no TLS', async () => {
    const url = await rawServer((socket) => socket.on('data', () => socket.write('HTTP/1.1 400 Bad\r\n\r\n')));

    expect(await costs(url.replace('http:', 'https:'))).toMatchObject({ error: 'tls-failed' });
  });

  it('when nothing listens', async () => {
    expect(await costs(await refusingUrl())).toMatchObject({ error: 'unreachable' });
  });

  it('when its name is never looked up to the end', async () => {
    const resolve = () => new Promise<never>(() => undefined);

    expect(await costs('http://receiver.example/', { resolve })).toMatchObject({ error: 'timed-out' });
  });
});

describe('a name', () => {
  const named = (): string => `http://receiver.example:${receiver.port}/events`;

  it('is looked up once, connected to at that address, and said in the request', async () => {
    let lookups = 0;
    const resolve = async () => {
      lookups += 1;
      return [{ address: '127.0.0.1', family: 4 }];
    };

    expect(await post(named(), { resolve })).toMatchObject({ status: 204 });
    expect(lookups).toBe(1);
    expect(receiver.received[0]?.headers.host).toBe(`receiver.example:${receiver.port}`);
  });

  it('is said to the receiver before TLS is', async () => {
    const asked = Promise.withResolvers<string>();
    const server = createTlsServer({
      SNICallback: (name, callback) => {
        asked.resolve(name);
        callback(new Error('no certificate'));
      },
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stops.push(() => new Promise<void>((resolve) => server.close(() => resolve())));

    const { port } = server.address() as AddressInfo;
    const result = await post(`https://receiver.example:${port}/`, {});

    expect(await asked.promise).toBe('receiver.example');
    expect(result.status).toBeNull();
  });

  it('that is unknown is said to be', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    };

    expect(await post(named(), { resolve })).toMatchObject({ error: 'name-unknown' });
  });

  it.each(['127.0.0.1', '169.254.169.254', '10.1.2.3', '::1', '::ffff:127.0.0.1', 'fd00::1', '64:ff9b::7f00:1'])(
    'that means %s is not connected to',
    async (address) => {
      const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }];
      const url = named().replace('http:', 'https:');

      expect(await post(url, { resolve, allowPrivate: false })).toMatchObject({ error: 'address-refused' });
      expect(receiver.received).toEqual([]);
    },
  );
});

describe('an address without a name', () => {
  it('is checked too', async () => {
    const options = { allowPrivate: false };

    expect(await post(receiver.url, options)).toMatchObject({ error: 'address-refused' });
    expect(await post(receiver.url.replace('http:', 'https:'), options)).toMatchObject({ error: 'address-refused' });
    expect(receiver.received).toEqual([]);
  });
});

describe('a worker that stops', () => {
  it('is not kept by a receiver', async () => {
    receiver.answer(() => undefined);
    const stop = new AbortController();
    const posting = post(receiver.url, { timeoutMs: 30_000 }, stop.signal);
    setImmediate(() => stop.abort());

    await expect(posting).rejects.toThrow();
  });
});
