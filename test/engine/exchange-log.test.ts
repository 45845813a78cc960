import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OperationItem, ShipmentAttempt } from '../../src/db/entities/index.ts';
import { demoCompany } from '../../src/demo/demo-company.ts';
import { storeExchanges } from '../../src/engine/exchange-log.ts';
import { redactor } from '../../src/engine/redact.ts';
import { createLog } from '../../src/lib/log.ts';
import { importOrders } from '../../src/usecases/marketplaces/import-orders.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { runJob } from '../../src/workers/run-job.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import {
  database,
  jobContext,
  orderShipment,
  type ReadExchange,
  readExchanges,
  recordingDeps,
} from '../usecases/engine.ts';

/** Every character that XML, forms and addresses write in another way; the pretend carrier asks for the first seven. */
const PASSWORD = `sandbox&!'`;
const CONSUMER_SECRET = 'cs_sandbox';
const CONSUMER_KEY = 'ck_sandbox';

/** A text as it would be read by somebody who undoes what the wire does to it. */
function decoded(text: string): string {
  const unescaped = (from: string): string =>
    from.replaceAll('&apos;', "'").replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  let plain = text;
  try {
    plain = decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // not encoded
  }
  return [text, plain, unescaped(text), unescaped(plain)].join('\n');
}

describe('the log of exchanges', () => {
  let test: TestApp;
  const lines: string[] = [];

  beforeAll(async () => {
    const log = createLog({ level: 'trace', destination: { write: (line: string) => void lines.push(line) } });
    // No worker: the test is the worker.
    test = await startTestApp({ roles: ['api'], log });
    const document = structuredClone(demoCompany(test.app.sandboxUrl ?? '')) as {
      companies: { contracts: { account: Record<string, string> }[] }[];
    };
    const gls = document.companies[0]?.contracts.find(({ account }) => 'passwordClienteGls' in account);
    if (gls) gls.account.passwordClienteGls = PASSWORD;
    await apply(test.app.deps, ApplyDocument.parse(document));
  });
  afterEach(() => test.clearFaults());
  afterAll(() => test.stop());

  /** Runs one job as a worker would, whatever comes of it. */
  async function work(name: string, data: object): Promise<void> {
    const { deps } = recordingDeps(test);
    const job = { id: `${name}-1`, name, data, isLastTry: true };
    await runJob(deps, job, jobContext()).catch(() => undefined);
  }

  async function itemOf(shipmentId: number, kind: 'cancel' | 'send'): Promise<{ itemId: number }> {
    return { itemId: (await database(test).findOneOrFail(OperationItem, { shipmentId, kind })).id };
  }

  /** One shipment's life, with every kind of failure on the way. */
  async function live(): Promise<{ shipmentId: number; orderId: number }> {
    const marketplace = { connection_id: test.connectionId, order_id: '1001' };
    const { shipmentId, orderId } = await orderShipment(test, { overrides: { marketplace } });
    await test.fault('gls-it', 'AddParcel', 'accept-then-500');
    await work('book', { shipmentId });
    await work('reconcile', { shipmentId });
    await test.fault('gls-it', 'CloseWorkDayByShipmentNumber', 'malformed');
    for (const _try of [1, 2]) await work('transmit', { shipmentIds: [shipmentId] });
    await test.fault('gls-it', 'Tracking', 'status-503');
    for (const _try of [1, 2]) await work('track', { shipmentIds: [shipmentId] });
    await test.call('POST', `/orders/${orderId}/send-to-marketplace`, undefined, { prefer: 'respond-async' });
    await work('send', await itemOf(shipmentId, 'send'));
    await importOrders(recordingDeps(test).deps, { connectionId: test.connectionId, ...jobContext() });
    return { shipmentId, orderId };
  }

  it('tells the owner and the result of every call, without any credential', async () => {
    const { shipmentId } = await live();
    const plain = await orderShipment(test);
    await work('book', { shipmentId: plain.shipmentId });

    const exchanges = await readExchanges(test);
    const attempt = await database(test).findOneOrFail(ShipmentAttempt, { shipmentId, operation: 'create' });

    const operations = exchanges.map(({ row }) => row.operation);
    for (const expected of ['AddParcel', 'ListSped', 'CloseWorkDayByShipmentNumber', 'Tracking', 'orders.list']) {
      expect(operations).toContain(expected);
    }
    expect(exchanges.find(({ row }) => row.operation === 'AddParcel')?.row).toMatchObject({
      shipmentId,
      attemptId: attempt.id,
      effect: 'write',
      status: 500,
    });
    for (const { row, request, response } of exchanges) {
      const text = decoded([request, response, row.url, row.error].join('\n'));
      for (const secret of [PASSWORD, CONSUMER_SECRET, CONSUMER_KEY]) {
        expect(text, `${row.operation} of ${row.provider}`).not.toContain(secret);
      }
    }
  });

  it('cuts labels out of the texts', async () => {
    const isSold = ({ row }: ReadExchange): boolean => row.operation === 'AddParcel' && row.status === 200;

    const sold = (await readExchanges(test)).find(isSold);

    expect(sold?.response).toMatch(/<PdfLabel>\[\d+ characters of base64\]<\/PdfLabel>/);
    expect(sold?.response).toContain('<NumeroSpedizione>');
    expect(sold?.response.length).toBeLessThan(16_400);
  });

  it('writes no credentials and no addresses to the log', () => {
    const all = lines.join('');

    expect(lines.length).toBeGreaterThan(5);
    for (const secret of [PASSWORD, CONSUMER_SECRET, CONSUMER_KEY, test.demo.apiKey]) expect(all).not.toContain(secret);
    for (const personal of ['Chiara Prova', 'chiara@example.com', 'Via Torino']) expect(all).not.toContain(personal);
  });

  it('puts ids into jobs and nothing else', async () => {
    const { queues } = test.app.deps;

    const jobs = await Promise.all(
      ['carrier-gls-it', 'marketplace-woocommerce'].map((name) => queues.queue(name).getJobs()),
    );

    const payloads = jobs.flat().map((job) => Object.keys(job.data).toSorted());
    expect(payloads.length).toBeGreaterThan(2);
    for (const keys of payloads) {
      expect([
        ['companyId', 'requestId', 'shipmentId'],
        ['companyId', 'itemId', 'requestId'],
        ['companyId', 'requestId', 'shipmentIds'],
      ]).toContainEqual(keys);
    }
  });
});

describe('redaction', () => {
  it.each([
    ['as it is', 'p&ss w<rd'],
    ['in an address', encodeURIComponent('p&ss w<rd')],
    ['in a form', new URLSearchParams({ key: 'p&ss w<rd' }).toString()],
    ['in XML', '<Password>p&amp;ss w&lt;rd</Password>'],
    ['in XML in a form', new URLSearchParams({ xml: '<P>p&amp;ss w&lt;rd</P>' }).toString()],
    ['in base64', Buffer.from('p&ss w<rd').toString('base64')],
  ])('finds a secret %s', (_where, text) => {
    const clean = redactor(['p&ss w<rd'])(text);

    expect(clean).toContain('***');
    expect(decoded(clean)).not.toMatch(/p&ss|w<rd/);
  });

  it('finds a secret in JSON', () => {
    const clean = redactor(['a"b\\c'])(JSON.stringify({ key: 'a"b\\c' }));

    expect(clean).toBe('{"key":"***"}');
  });

  it.each([
    ['in JSON as PHP writes it', String.raw`{"key":"a\/b\u00e8c"}`, 'a/bèc'],
    ['in an address with small letters', 'key=a%2fb', 'a/b'],
    ['as numbered characters', '<P>a&#39;b&amp;c</P>', "a'b&c"],
    ['in base64 without its end', Buffer.from('a-secret').toString('base64').replaceAll('=', ''), 'a-secret'],
  ])('finds a secret %s', (_where, text, secret) => {
    const clean = redactor([secret])(text);

    expect(clean).toContain('***');
    expect(clean).not.toContain('b');
  });

  it('finds a secret that is as long as a label', () => {
    const token = `${'A'.repeat(50)}.${'b'.repeat(600)}.signature`;

    const clean = redactor([token])(`Bearer ${token}, ${'C'.repeat(500)}`);

    expect(clean).toBe('Bearer ***, [500 characters of base64]');
  });

  it('finds the beginning of a secret where an answer broke off', () => {
    const broken = redactor(['secret-word'])('<Password>secret-w', { mayBeCut: true });
    const whole = redactor(['secret-word'])('it ends on sec');

    expect(broken).toBe('<Password>***');
    expect(whole).toBe('it ends on sec');
  });
});

describe('the address of an exchange', () => {
  let test: TestApp;
  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'] });
  });
  afterAll(() => test.stop());

  it.each([
    [
      'keeps its query with the request',
      { url: 'https://shop.example/orders?email=anna%40example.com&page=2', requestBody: '' },
      { url: 'https://shop.example/orders', request: 'email=anna%40example.com&page=2' },
    ],
    [
      'keeps its query with the body, when there is one',
      { url: 'https://shop.example/orders?dry=1', requestBody: '{"a":1}' },
      { url: 'https://shop.example/orders', request: 'dry=1\n{"a":1}' },
    ],
    [
      'gives away no credential in its path, query or login',
      { url: 'https://me:k%2Fey@shop.example/api/k%2Fey/orders?token=k/ey#k/ey', requestBody: '' },
      { url: 'https://shop.example/api/***/orders', request: 'token=***' },
    ],
    ['may be none', { url: 'k/ey is no address', requestBody: '' }, { url: '*** is no address', request: '' }],
  ])('%s', async (name, wire, kept) => {
    const owner = {
      companyId: test.demo.companyId,
      shipmentId: null,
      contractId: null,
      attemptId: null,
      provider: 'x',
      requestId: name,
    };
    const answer = { status: 200, responseBody: '', responseBytes: 0, error: null, durationMs: 1 };
    const call = { operation: 'x', effect: 'read', method: 'GET', startedAt: new Date() } as const;

    await storeExchanges(test.app.deps, owner, { exchanges: [{ ...call, ...wire, ...answer }], secrets: ['k/ey'] });

    const found = (await readExchanges(test)).find(({ row }) => row.requestId === name);
    expect({ url: found?.row.url, request: found?.request }).toEqual(kept);
  });
});
