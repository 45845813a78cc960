import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { GENERATED_DOCS } from '../../scripts/generated-docs.ts';
import { MARKETPLACE_ERRORS } from '../../src/domain/marketplace-error.ts';
import { freePort } from '../../src/lib/free-port.ts';
import { openPoster } from '../../src/lib/guarded-post.ts';
import { newEventSecret } from '../../src/usecases/events/event-secrets.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { blocksOf } from './read-documents.ts';

/** The same structure with the names of types in the place of values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

describe('the documents', () => {
  let test: TestApp;
  let directory: string;

  beforeAll(async () => {
    test = await startTestApp({ queues: null });
    directory = mkdtempSync(path.join(tmpdir(), 'smista-docs-'));
  });
  afterAll(async () => {
    await test.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  it('have a receiver of events that takes what is signed and nothing else', async () => {
    const [block] = blocksOf('js', 'docs/events.md');
    const file = path.join(directory, 'receiver.mjs');
    writeFileSync(file, block?.text ?? '');
    const [port, secret] = [await freePort(), newEventSecret()];
    const receiver = spawn(process.execPath, [file], { env: { EVENTS_SECRET: secret, PORT: String(port) } });
    const poster = openPoster({
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      allowPrivate: true,
      timeoutMs: 5000,
    });
    const body = JSON.stringify({ type: 'order.created', data: { sequence: 42 } });
    const tell = (id: string, at: Date, sent = body) =>
      poster.post({
        url: `http://127.0.0.1:${port}/`,
        headers: {
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': `v1,${'A'.repeat(43)}= ${new Webhook(secret).sign(id, at, body)}`,
        },
        body: sent,
        signal: new AbortController().signal,
      });
    const printed = once(receiver.stdout, 'data');

    const first = await test.until(
      () => tell('evt_1', new Date()),
      ({ error }) => error !== 'unreachable',
    );
    const late = await tell('evt_1', new Date(Date.now() - 600_000));
    const forged = await tell('evt_1', new Date(), body.replace('42', '43'));
    await poster.close();
    receiver.kill();

    expect([first.status, late.status, forged.status]).toEqual([204, 401, 401]);
    expect(String((await printed)[0])).toBe('42 order.created\n');
  });

  it('show answers as the service gives them', async () => {
    const order = JSON.parse(readFileSync('examples/orders/plain.json', 'utf8'));
    const { body } = await test.call('POST', '/orders', order);
    await test.call('POST', '/shipment/create', [{ orderId: body.order.id }]);
    const faulty = { ...order, shipping: { ...order.shipping, zip: '1' }, items: [] };
    const events = await test.until(
      async () => (await test.call('GET', '/events')).body as { type: string }[],
      (list) => list.some(({ type }) => type === 'shipment.status_changed'),
    );
    const given: Record<string, unknown[]> = {
      'docs/errors.md': [(await test.call('POST', '/orders', faulty)).body],
      'docs/events.md': [events.filter(({ type }) => type === 'shipment.status_changed').slice(0, 1)],
    };
    const shown = Object.groupBy(blocksOf('json'), ({ file }) => file);
    const answers = Object.entries(shown).map(([file, blocks = []]) => [
      file,
      blocks.map(({ text }) => JSON.parse(text)),
    ]);

    expect(shapeOf(Object.fromEntries(answers))).toEqual(shapeOf(given));
  });

  it('have an example of a price list that is accepted', () => {
    const [block] = blocksOf('yaml', 'docs/tariffs.md');
    const company = { key: 'example', name: 'Example', ...parse(block?.text ?? '') };

    expect(ApplyDocument.safeParse({ companies: [company] }).error?.issues).toBeUndefined();
    expect(company.tariffs).toHaveLength(1);
  });

  it('have queries that PostgreSQL understands', async () => {
    const client = new pg.Client({ connectionString: test.app.config.databaseUrl });
    await client.connect();
    const queries = blocksOf('sql');
    for (const { file, text } of queries) {
      // Some of them repair things: nothing of that is kept.
      await client.query('begin');
      await client.query(text).catch((error: Error) => {
        throw new Error(`${file}: ${error.message}\n${text}`);
      });
      await client.query('rollback');
    }
    await client.end();

    expect(queries.length).toBeGreaterThan(0);
  });

  it('list every error code there is, and none that is not', () => {
    const listed = new Set(
      [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `([\w-]+)`/gm)].map(([, code = '']) => code),
    );
    const used = new Set<string>(Object.keys(MARKETPLACE_ERRORS));
    for (const file of globSync('src/**/*.ts')) {
      const text = readFileSync(file, 'utf8');
      for (const [, code = ''] of text.matchAll(/\bcode: '([a-z]+(?:-[a-z]+)+)'/g)) used.add(code);
      for (const [, code = ''] of text.matchAll(/conflict\(\s*'([a-z-]+)'/g)) used.add(code);
    }

    expect([...used].filter((code) => !listed.has(code)).toSorted()).toEqual([]);
  });

  it('that are generated are up to date', () => {
    const stale = Object.entries(GENERATED_DOCS).filter(([file, content]) => readFileSync(file, 'utf8') !== content());

    expect(stale.map(([file]) => file)).toEqual([]);
  });
});
