import { describe, expect, it } from 'vitest';
import { freePort } from '../../src/lib/free-port.ts';
import { decodeIpp, encodeIpp } from '../../src/lib/ipp.ts';
import { type IppPrint, printIpp } from '../../src/lib/print-ipp.ts';
import { type Reply, startFakeServer } from '../support/fake-server.ts';
import { IPP_STATES, ippReply } from '../support/ipp-reply.ts';

const PDF = Buffer.from('%PDF-1.4\n%a label for the test\n%%EOF\n');
const { completed: COMPLETED, aborted: ABORTED } = IPP_STATES;

function print(port: number, overrides: Partial<IppPrint> = {}) {
  const { signal } = new AbortController();
  return printIpp({
    address: { scheme: 'ipp', host: 'printer.lan', port, path: '/ipp/print' },
    ip: '127.0.0.1',
    bytes: PDF,
    contentType: 'application/pdf',
    jobName: 'Shipment 1',
    signal,
    pollMs: 20,
    ...overrides,
  });
}

describe('printIpp', () => {
  async function answered(replies: Reply[], overrides: Partial<IppPrint> = {}) {
    const server = await startFakeServer(replies);
    try {
      return { result: await print(Number(new URL(server.url).port), overrides), requests: server.requests };
    } finally {
      await server.close();
    }
  }

  it('waits for the printer to complete the job', async () => {
    const { result, requests } = await answered([
      ippReply(0, 5),
      ippReply(0, 5, 'job-printing'),
      ippReply(0, COMPLETED),
    ]);
    expect(result).toEqual({ outcome: 'printed' });
    // The name stays in the request although the connection went to the address.
    expect(requests[0]?.headers.host).toMatch(/^printer\.lan:/);
  });

  it('does not know about a job that the printer aborted, and gives its reason', async () => {
    const { result } = await answered([ippReply(0, 3), ippReply(0, ABORTED, 'aborted-by-system')]);
    expect(result).toEqual({ outcome: 'unknown', error: 'job-stopped', reason: 'aborted-by-system' });
  });

  it('does not know about a job that stays without paper', async () => {
    const { result } = await answered([ippReply(0, 3), ippReply(0, 6, 'printer-stopped')], { pollMs: 60, jobMs: 50 });
    expect(result).toEqual({ outcome: 'unknown', error: 'timed-out', reason: 'printer-stopped' });
  });

  it('has not printed what the printer refused because it is busy', async () => {
    const { result } = await answered([ippReply(0x0507, 0)]);
    expect(result).toMatchObject({ outcome: 'not-printed', error: 'refused' });
  });

  it.each<[string, Reply]>([
    ['whose answer was lost', { ending: 'reset' }],
    ['whose answer is cut off', { ending: 'truncate', body: ippReply(0, 3).body ?? '' }],
    ['that answered something else', { body: 'It works!' }],
    ['that failed as a web server', { status: 500, body: '' }],
  ])('does not know about a job %s', async (_what, reply) => {
    expect((await answered([reply])).result).toMatchObject({ outcome: 'unknown', error: 'connection-lost' });
  });

  it('has not printed when the printer refuses the connection', async () => {
    expect(await print(await freePort())).toEqual({ outcome: 'not-printed', error: 'unreachable' });
  });
});

it('reads every value of an attribute', () => {
  const bytes = encodeIpp(0, 1, [{ tag: 'keyword', name: 'job-state-reasons', value: ['one', 'two'] }]);
  expect(decodeIpp(bytes).attributes.get('job-state-reasons')).toEqual(['one', 'two']);
});
