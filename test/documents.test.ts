import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { GENERATED_DOCS } from '../scripts/generated-docs.ts';
import { ROUTES } from '../src/api/routes/index.ts';
import { systemEm } from '../src/db/orm.ts';
import { MARKETPLACE_ERRORS } from '../src/domain/marketplace-error.ts';
import { freePort } from '../src/lib/free-port.ts';
import { openPoster } from '../src/lib/guarded-post.ts';
import { ApplyDocument } from '../src/usecases/apply-document.ts';
import { newEventSecret } from '../src/usecases/event-secrets.ts';
import { startTestApp, type TestApp } from './support/test-app.ts';

const run = promisify(execFile);

interface Block {
  file: string;
  language: string;
  text: string;
}

const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')];
const blocks: Block[] = documents.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```/gm)].map(([, language = '', text = '']) => ({
    file,
    language,
    text,
  })),
);

/** Commands that are executed elsewhere, and where. */
const ELSEWHERE: readonly [RegExp, string][] = [
  [/^npm (ci|test|run|start)\b/, 'the quality gate itself'],
  [/^npm ci && npm (start|test)$/, 'the quality gate itself'],
  [/^docker compose /, 'no engine in a test: docker-compose.yml is validated where docker-compose is'],
  [/^cp \.env\.example /, 'test/process: every setting is read'],
  [/ start --role /, 'test/process/roles.test.ts'],
];

/** One command per entry: lines that end in a backslash, a pipe or inside quotes go on. */
function commandsOf(text: string): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of text.split('\n')) {
    open = open === '' ? line : `${open}\n${line}`;
    const quotes = [...open.replaceAll(/"[^"']*"/g, '').matchAll(/'/g)].length;
    if (/(\\|\|)$/.test(open.trimEnd()) || quotes % 2 === 1) continue;
    const command = open.replace(/\s{2,}#.*$/, '').trim();
    if (command !== '' && !command.startsWith('#')) commands.push(command);
    open = '';
  }
  return commands;
}

/** The example as its reader fills it in. */
function filledIn(example: string): string {
  return example
    .replaceAll(/COMPANY NAME|WAREHOUSE NAME/g, 'Bottega Aurora')
    .replaceAll('VIA AND NUMBER', 'Via dei Mille 7')
    .replace(': PASSWORD', ': sandbox')
    .replace('ck_KEY', 'ck_1')
    .replace('cs_SECRET', 'cs_1')
    .replace(/whsec_A+=/, newEventSecret());
}

describe('the documents', () => {
  let test: TestApp;
  let directory: string;

  beforeAll(async () => {
    test = await startTestApp({ queues: null });
    directory = mkdtempSync(path.join(tmpdir(), 'smista-docs-'));
    writeFileSync(path.join(directory, 'company.yaml'), filledIn(readFileSync('examples/company.yaml', 'utf8')));
    // What the reader of README has in front of him: a first order.
    const { body } = await test.call('POST', '/orders', JSON.parse(readFileSync('examples/orders/plain.json', 'utf8')));
    // And of operations: something was said about it.
    await test.call('POST', '/shipment/create', [{ orderId: body.order.id }]);
    // And a shipment at the desk.
    const second = await test.call('POST', '/orders', JSON.parse(readFileSync('examples/orders/plain.json', 'utf8')));
    await test.call('POST', '/shipment/create', [{ orderId: second.body.order.id }]);
    await systemEm(test.app.deps.orm).execute(
      `update shipments set process_status = 'unknown_outcome', exhausted_at = now() where id = 2`,
    );
    // And one in giacenza.
    await systemEm(test.app.deps.orm).execute(
      'insert into held_cases (company_id, shipment_id, opened_at) select company_id, id, now() from shipments where id = 1',
    );
  });
  afterAll(async () => {
    await test.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  /** The same command against the servers of this test. */
  function here(command: string): string {
    return (
      command
        .replaceAll('http://127.0.0.1:3000', test.app.url)
        .replaceAll('http://127.0.0.1:3001', test.demo.sandboxUrl)
        .replaceAll('.data/demo.json', path.join(test.app.config.dataDir, 'demo.json'))
        .replaceAll(/\b(label\.pdf|company\.yaml|gls-2027\.xlsx|zones\.csv|recording\.json)\b/g, (name) =>
          path.join(directory, name),
        )
        .replace(/^smista /, 'node bin/smista.js ')
        // The example company points at the real carrier, which a test does not reach: the doctor says so and ends with 1.
        .replace(/ doctor$/, ' doctor || test $? -eq 1')
        .replaceAll('curl ', 'curl --silent --show-error --fail ')
    );
  }

  it('have shell blocks whose every command runs', { timeout: 240_000 }, async () => {
    const shell = blocks.filter(({ language }) => language === 'sh');
    let executed = 0;
    for (const block of shell) {
      const script = commandsOf(block.text).filter((command) => !ELSEWHERE.some(([pattern]) => pattern.test(command)));
      if (script.length === 0) continue;
      const { PATH = '', HOME = '' } = process.env;
      const env = {
        PATH: `${path.dirname(process.execPath)}:${PATH}`,
        HOME,
        DATABASE_URL: test.app.config.databaseUrl ?? '',
        DATA_DIR: test.app.config.dataDir,
        NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache'),
        LOG_LEVEL: 'silent',
        ENV_FILE: '/dev/null',
        DATABASE_POOL: '4',
        QUEUE_POOL: '4',
      };
      const text = `set -euo pipefail\n${script.map(here).join('\n')}\n`;
      await run('bash', ['-c', text], { env }).catch((error: { stderr: string }) => {
        throw new Error(`${block.file}:\n${text}\n${error.stderr}`);
      });
      executed += script.length;
    }

    expect(executed).toBeGreaterThan(10);
  });

  it('have a receiver of events that takes what is signed and nothing else', async () => {
    const [block] = blocks.filter(({ file, language }) => file === 'docs/events.md' && language === 'js');
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

  it('have an example of a price list that is accepted', () => {
    const [block] = blocks.filter(({ file, language }) => file === 'docs/tariffs.md' && language === 'yaml');
    const company = { key: 'example', name: 'Example', ...parse(block?.text ?? '') };

    expect(ApplyDocument.safeParse({ companies: [company] }).error?.issues).toBeUndefined();
    expect(company.tariffs).toHaveLength(1);
  });

  it('have queries that PostgreSQL understands', async () => {
    const client = new pg.Client({ connectionString: test.app.config.databaseUrl });
    await client.connect();
    const queries = blocks.filter(({ language }) => language === 'sql');
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

  it('have example orders that are accepted', async () => {
    const files = globSync('examples/orders/*.json');
    for (const file of files) {
      const answer = await test.call('POST', '/orders', JSON.parse(readFileSync(file, 'utf8')));
      expect(answer.status, `${file}: ${JSON.stringify(answer.body)}`).toBe(201);
      expect(answer.headers.get('x-ignored-fields'), file).toBeNull();
    }

    expect(files.length).toBeGreaterThanOrEqual(4);
  });

  it('have an .http file whose every request is understood, and every endpoint of the contract in it', async () => {
    const text = readFileSync('examples/smista.http', 'utf8');
    const variables = new Map(
      [...text.matchAll(/^@(\w+) = (.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    variables.set('host', test.app.url).set('sandbox', test.demo.sandboxUrl).set('key', test.demo.apiKey);
    const filled = (part: string): string =>
      part.replaceAll(/\{\{([^}]+)\}\}/g, (_all, name: string) => {
        const [, request = '', place = ''] = /^(\w+)\.response\.body\.\$(.*)$/.exec(name) ?? [];
        if (request === '') return filled(variables.get(name) ?? `unknown ${name}`);
        const steps = place.match(/\w+/g) ?? [];
        return String(
          steps.reduce<unknown>((value, step) => (value as Record<string, unknown>)?.[step], answers.get(request)),
        );
      });
    const requests = text.split(/^###.*$/m).flatMap((part) => {
      const name = /^# @name (\w+)$/m.exec(part)?.[1];
      const match = /^(GET|POST|DELETE) (\S+)\n((?:[\w-]+: .*\n)*)(?:\n([\s\S]*))?/m.exec(part.trimStart());
      return match
        ? [{ name, method: match[1] ?? '', url: match[2] ?? '', headers: match[3] ?? '', body: match[4] ?? '' }]
        : [];
    });
    /** Answers of the requests that have a name, for `{{name.response.body.$.path}}`. */
    const answers = new Map<string, unknown>();
    const missing = new Set(ROUTES.map((route) => `${route.method} ${route.path}`));
    for (const request of requests) {
      const url = filled(request.url);
      const fromFile = /^< (\S+)/.exec(request.body.trim())?.[1];
      const body = fromFile ? readFileSync(path.join('examples', fromFile), 'utf8') : filled(request.body).trim();
      const headers = Object.fromEntries(
        filled(request.headers)
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split(/: (.*)/).slice(0, 2)),
      ) as Record<string, string>;
      const answer = await fetch(url, { method: request.method, headers, ...(body ? { body } : {}) });
      const said = await answer.text();
      if (request.name !== undefined) {
        expect(answer.ok, `${request.method} ${url}: ${said}`).toBe(true);
        answers.set(request.name, JSON.parse(said));
      }
      // 404, 409 and 422 are answers of the story's state; a request that is not understood is 400, 401 or 415.
      expect([400, 401, 405, 415, 500], `${request.method} ${url}: ${said}`).not.toContain(answer.status);
      const route = ROUTES.find((one) => {
        const pattern = new RegExp(`^/api/v1/external${one.path.replaceAll(/\{\w+\}/g, '\\d+')}$`);
        return one.method === request.method.toLowerCase() && pattern.test(new URL(url).pathname);
      });
      if (route) missing.delete(`${route.method} ${route.path}`);
    }

    expect([...missing]).toEqual([]);
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

  it('link to what exists', () => {
    const broken = documents.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].flatMap(([, target = '']) =>
        globSync(path.join(path.dirname(file), target)).length > 0 ? [] : [`${file} -> ${target}`],
      ),
    );

    expect(broken).toEqual([]);
  });
});
