import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Random } from '../../chaos/random.ts';
import { type PrintResult, printRaw } from '../../src/lib/print-raw.ts';

type Mood =
  | 'prints'
  | 'resets-at-once'
  | 'closes-at-once'
  | 'resets-inside'
  | 'closes-inside'
  | 'resets-after'
  | 'is-silent';
const MOODS: readonly Mood[] = [
  'prints',
  'resets-at-once',
  'closes-at-once',
  'resets-inside',
  'closes-inside',
  'resets-after',
  'is-silent',
];

const TRIES = 3;
const FAST = { connectMs: 2000, idleMs: 400, settleMs: 40 };

let server: Server;
let port: number;
let sockets: Set<Socket>;
let moods: Mood[];
/** Bytes of each connection, as the pretend printer read them. */
let received: string[];

beforeEach(async () => {
  moods = [];
  received = [];
  sockets = new Set();
  server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    pretend(socket, moods.shift() ?? 'prints');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  port = (server.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await new Promise<void>((done) => server.close(() => done()));
});

function pretend(socket: Socket, mood: Mood): void {
  const index = received.push('') - 1;
  if (mood === 'resets-at-once') return void socket.resetAndDestroy();
  if (mood === 'closes-at-once') return void socket.destroy();
  socket.on('data', (bytes) => {
    received[index] += bytes.toString('latin1');
    if (mood === 'resets-inside') socket.resetAndDestroy();
    if (mood === 'closes-inside') socket.destroy();
  });
  socket.on('end', () => {
    if (mood === 'prints') socket.end();
    if (mood === 'resets-after') socket.resetAndDestroy();
  });
}

function print(text: string, overrides: Partial<Parameters<typeof printRaw>[0]> = {}): Promise<PrintResult> {
  const { signal } = new AbortController();
  return printRaw({ ip: '127.0.0.1', port, bytes: Buffer.from(text, 'latin1'), signal, ...FAST, ...overrides });
}

const labelOf = (id: number, size = 400): string => `^XA^FD${id}^FS${'.'.repeat(size)}^XZ`;

describe('printRaw', () => {
  it('has printed once the printer ended the connection after all bytes', async () => {
    expect(await print(labelOf(1))).toEqual({ outcome: 'printed' });
    expect(received).toEqual([labelOf(1)]);
  });

  it('prints a label of several megabytes', async () => {
    const label = labelOf(1, 5_000_000);
    expect(await print(label, { idleMs: 5000 })).toEqual({ outcome: 'printed' });
    expect(received[0] === label).toBe(true);
  });

  it.each<[Mood, string]>([
    // The end or the reset that follows it may be seen first.
    ['closes-at-once', 'closed-early|connection-lost'],
    ['resets-inside', 'connection-lost'],
    ['closes-inside', 'closed-early'],
    ['resets-after', 'connection-lost'],
    ['is-silent', 'timed-out'],
  ])('does not know what a printer that %s has printed', async (mood, error) => {
    moods = [mood];
    const result = await print(labelOf(1));
    expect(result.outcome).toBe('unknown');
    expect(result).toMatchObject({ error: expect.stringMatching(error) });
  });

  it('claims nothing about a printer that resets at once', async () => {
    moods = ['resets-at-once'];
    // The reset may be seen before the first byte left.
    expect((await print(labelOf(1))).outcome).toMatch(/^(unknown|not-printed)$/);
    expect(received).toEqual(['']);
  });

  it('has not printed when the printer refuses the connection', async () => {
    await new Promise<void>((done) => server.close(() => done()));
    expect(await print(labelOf(1))).toEqual({ outcome: 'not-printed', error: 'unreachable' });
    server.listen(0, '127.0.0.1');
  });

  it('sends nothing once it was stopped', async () => {
    expect(await print(labelOf(1), { signal: AbortSignal.abort() })).toEqual({
      outcome: 'not-printed',
      error: 'stopped',
    });
    expect(received).toEqual([]);
  });

  it('loses no label and prints none twice while the printer breaks 1,000 times', { timeout: 60_000 }, async () => {
    const chance = new Random(20_261_123);
    const gone = await closedPort();
    const outcomes = new Map<number, PrintResult['outcome']>();
    let broken = 0;
    for (let id = 1; broken < 1000; ) {
      const ids = Array.from({ length: 50 }, () => id++);
      await Promise.all(
        ids.map(async (label) => {
          // Only what is known not to have left may be repeated without a person.
          for (let attempt = 1; attempt <= TRIES; attempt += 1) {
            const isGone = chance.int(1, 4) === 1;
            if (!isGone) moods.push(MOODS[chance.int(0, MOODS.length - 1)] ?? 'prints');
            const { outcome } = await print(labelOf(label, chance.int(10, 4000)), isGone ? { port: gone } : {});
            outcomes.set(label, outcome);
            if (outcome !== 'printed') broken += 1;
            if (outcome !== 'not-printed') break;
          }
        }),
      );
    }
    const counts = new Map<number, number>();
    for (const text of received) {
      const id = /^\^XA\^FD(\d+)\^FS\.*\^XZ$/.exec(text)?.[1];
      if (id) counts.set(Number(id), (counts.get(Number(id)) ?? 0) + 1);
    }
    const wrong = [...outcomes].filter(([id, outcome]) => {
      const copies = counts.get(id) ?? 0;
      return outcome === 'printed' ? copies !== 1 : outcome === 'not-printed' ? copies !== 0 : copies > 1;
    });
    expect(wrong).toEqual([]);
    expect(new Set(outcomes.values())).toEqual(new Set(['printed', 'not-printed', 'unknown']));
  });
});

async function closedPort(): Promise<number> {
  const closed = createServer();
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done));
  const { port: free } = closed.address() as AddressInfo;
  await new Promise<void>((done) => closed.close(() => done()));
  return free;
}
