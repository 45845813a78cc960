import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Random } from './random.ts';

export const EVENT_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

/** An event that was taken: answered with 2xx. */
export interface TakenEvent {
  company: string;
  id: string;
  sequence: number;
  type: string;
}

/** The clients' own server, which takes events and sometimes does not. */
export interface EventReceiver {
  url: string;
  /** In the order they were taken. */
  taken: TakenEvent[];
  /** Bodies whose signature did not fit. */
  forged: number;
  failures: number;
  /** From now on it takes everything. */
  calmDown(): void;
  close(): Promise<void>;
}

export async function startReceiver(random: Random): Promise<EventReceiver> {
  let isCalm = false;
  const taken: TakenEvent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8');
      const id = String(request.headers['webhook-id']);
      if (!isSigned(request.headers, raw)) {
        receiver.forged += 1;
        return void response.writeHead(401).end();
      }
      const { type, data } = JSON.parse(raw) as { type: string; data: { sequence: number } };
      const company = (request.url ?? '').split('/').at(-1) ?? '';
      const whim = isCalm ? 'take' : random.weighted({ take: 94, refuse: 2, cut: 2, 'take and cut': 2 });
      if (whim !== 'take') receiver.failures += 1;
      // Taken, although the answer is lost: it comes again, which "at least once" allows.
      if (whim.startsWith('take')) taken.push({ company, id, sequence: data.sequence, type });
      if (whim.endsWith('cut')) return void request.socket.destroy();
      response.writeHead(whim === 'take' ? 204 : 500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: EventReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    taken,
    forged: 0,
    failures: 0,
    calmDown: () => {
      isCalm = true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return receiver;
}

/** Standard Webhooks, written from its specification and not from our code. */
function isSigned(headers: NodeJS.Dict<string | string[]>, raw: string): boolean {
  const key = Buffer.from(EVENT_SECRET.slice('whsec_'.length), 'base64');
  const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`;
  const expected = `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
  return String(headers['webhook-signature']).split(' ').includes(expected);
}
