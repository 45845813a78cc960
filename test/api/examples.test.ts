import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Example, laterPickups, STORY } from '../../src/api/openapi/story.ts';
import { carrierQueue, EVENTS_QUEUE, marketplaceQueue, PRINTERS_QUEUE, trackingQueue } from '../../src/queue/jobs.ts';
import { answerFaults, document } from '../support/api-document.ts';
import { type PretendPrinter, startPretendPrinter } from '../support/pretend-printer.ts';
import { noteStatements, slowedDown } from '../support/statement-plans.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { walkExamples } from '../support/walk-examples.ts';

/** Its link is signed: there is none that holds everywhere. */
const SIGNED = 'GET /documents/{id}';

const CARRIERS = ['gls-it', 'dhl-express', 'ups', 'inpost-it'];

/** The first order of the story. */
function order(): { shipping: object } {
  return STORY.find(({ of }) => of === 'POST /orders')?.body as { shipping: object };
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const below = path.replace('/api/v1/external', '');
    return { method, path: below, of: `${method.toUpperCase()} ${below}`, operation };
  }),
);

describe('the examples of the document', () => {
  let test: TestApp;
  let printer: PretendPrinter;
  let statements: ReadonlySet<string>;
  beforeAll(async () => {
    const queues = [
      ...CARRIERS.map(carrierQueue),
      trackingQueue('gls-it'),
      marketplaceQueue('woocommerce'),
      EVENTS_QUEUE,
      PRINTERS_QUEUE,
    ];
    printer = await startPretendPrinter();
    const env = { PRINTERS_ALLOW_LOOPBACK: 'true', PRINTER_PORTS: String(printer.port) };
    test = await startTestApp({ queues, env });
    statements = await noteStatements(test.app.deps.orm);
  });
  afterAll(async () => {
    await test.stop();
    await printer.close();
  });

  it('are sent to a fresh demo, one after the other, and each gets its answer', { timeout: 120_000 }, async () => {
    const odd: string[] = [];
    const control = (what: string, body: object) =>
      fetch(`${test.demo.sandboxUrl}/_control/${what}`, { method: 'POST', body: JSON.stringify(body) });

    await walkExamples(
      { app: test.app, call: test.call, until: test.until, control, printerPort: printer.port, hasEvents: false },
      (example: Example, { status, body }) => {
        // A worker may be faster than an answer that does not wait for it.
        const wanted = example.isAsync ? [200, 202] : [example.status];
        if (!wanted.includes(status)) odd.push(`${example.of}: ${status} ${JSON.stringify(body)}`);
        if (JSON.stringify(body).includes('blockingError":"')) odd.push(`${example.of}: ${body.blockingError}`);
      },
    );

    expect(odd).toEqual([]);
    expect(statements.size).toBeGreaterThan(300);
    expect(await slowedDown(test, statements)).toEqual([]);
  });

  it.each<[string, string, unknown, Record<string, string>]>([
    ['BadRequest', 'POST', { ...order(), shipping: { ...order().shipping, zip: '4013' }, items: [] }, {}],
    ['Unauthorized', 'POST', order(), { 'x-api-key': 'none' }],
    ['MethodNotAllowed', 'PUT', order(), {}],
    ['UnsupportedMediaType', 'POST', order(), { 'content-type': 'text/plain' }],
  ])('of a problem are what a faulty request gets: %s', async (name, method, body, headers) => {
    const stated = document.components.responses[name];
    const example = stated?.content?.['application/problem+json']?.example as object;

    const answer = await test.call(method, '/orders', body, headers);

    expect(answer.body).toEqual({ ...example, requestId: answer.headers.get('x-request-id') });
    for (const [header, { schema }] of Object.entries(stated?.headers ?? {})) {
      expect(answer.headers.get(header)).toBe(schema.example);
    }
  });

  it('ask for a courier on a day to come, also when the written day is over', () => {
    const pickups = JSON.stringify(STORY.filter(({ of }) => of === 'POST /pickups'));

    expect(laterPickups(pickups, new Date('2031-02-26T10:00:00Z'))).toContain('"date":"2031-03-05"');
  });

  it('cover every endpoint: its path, its body, and each JSON answer of a success', () => {
    const missing = operations.flatMap(({ of, operation }) => [
      ...(operation.parameters ?? [])
        .filter((one) => one.in !== 'header' && one.required && one.example === undefined && of !== SIGNED)
        .map((one) => `${of}: parameter ${one.name}`),
      ...Object.entries(operation.requestBody?.content ?? {})
        // A workbook cannot be shown in a document.
        .filter(([type]) => type.includes('json') || type.startsWith('text/'))
        .filter(([, media]) => media.example === undefined && media.examples === undefined)
        .map(() => `${of}: body`),
      ...Object.entries(operation.responses)
        .filter(([, response]) => response.content?.['application/json'])
        .filter(([, response]) => response.content?.['application/json']?.example === undefined)
        .map(([status]) => `${of}: answer ${status}`),
    ]);

    expect(missing).toEqual([]);
    expect(STORY.map(({ of }) => of).filter((of) => !operations.some((one) => one.of === of))).toEqual([]);
  });

  it('are answers and problems that the document itself allows', () => {
    const faults = operations.flatMap(({ method, path, of, operation }) =>
      Object.entries(operation.responses).flatMap(([status, stated]) => {
        const response = document.components.responses[stated.$ref?.split('/').at(-1) ?? ''] ?? stated;
        return Object.entries(response.content ?? {})
          .filter(([, media]) => media.example !== undefined)
          .flatMap(([contentType, { example: body }]) =>
            answerFaults({ method, path, status: Number(status), contentType, body }),
          )
          .map((fault) => `${of} ${status}: ${fault}`);
      }),
    );

    expect(faults).toEqual([]);
  });
});
