import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { createResolver, resolveLocally } from '../../src/lib/resolve-name.ts';

const HEADER_BYTES = 12;
const TYPE_A = 1;
const NOT_FOUND = 3;

let server: Socket | undefined;

afterEach(async () => {
  const closing = server;
  server = undefined;
  if (closing) await new Promise<void>((resolve) => closing.close(() => resolve()));
});

/** A name server that knows one IPv4 address of every name, knows no name (null), or says nothing. */
async function nameServer(knows: string | null | 'nothing'): Promise<string> {
  const socket = createSocket('udp4');
  server = socket;
  socket.on('message', (question, from) => {
    if (knows !== 'nothing') socket.send(answerTo(question, knows), from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return `127.0.0.1:${socket.address().port}`;
}

/** RFC 1035, 4.1: the question again, and behind it the record if there is one of the type. */
function answerTo(question: Buffer, address: string | null): Buffer {
  const end = question.indexOf(0, HEADER_BYTES) + 5;
  const isA = question.readUInt16BE(end - 4) === TYPE_A;
  const record =
    address !== null && isA ? [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)] : [];
  const head = Buffer.from(question.subarray(0, end));
  head.writeUInt16BE(0x8180 | (address === null ? NOT_FOUND : 0), 2);
  head.writeUInt16BE(record.length > 0 ? 1 : 0, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([head, Buffer.from(record)]);
}

describe('the addresses of a name', () => {
  it('are those that a name server knows, also when one kind is missing', async () => {
    const resolve = createResolver({ servers: [await nameServer('93.184.216.34')] });

    expect(await resolve('receiver.example')).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  it('are empty for an unknown name', async () => {
    const resolve = createResolver({ servers: [await nameServer(null)] });

    await expect(resolve('receiver.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('are not waited for when the name server says nothing', async () => {
    const resolve = createResolver({ servers: [await nameServer('nothing')], timeoutMs: 100 });
    const started = performance.now();

    await expect(Promise.all(Array.from({ length: 8 }, () => resolve('receiver.example')))).rejects.toThrow();
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('are those of the machine in development', async () => {
    const addresses = (await resolveLocally('localhost')).map(({ address }) => address);

    expect(addresses.some((address) => address === '127.0.0.1' || address === '::1')).toBe(true);
  });
});
