import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { systemEm } from '../../src/db/orm.ts';
import { newEventSecret } from '../../src/usecases/events/event-secrets.ts';
import { BASH_ARGS } from '../support/bash.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { blocksOf, DOCUMENTS } from './read-documents.ts';

const run = promisify(execFile);

/** Commands that are executed elsewhere, and where. */
const ELSEWHERE: readonly [RegExp, string][] = [
  [/^npm (ci|test|run|start)\b/, 'the quality gate itself'],
  [/^npm ci && npm (start|test)$/, 'the quality gate itself'],
  [/^docker compose /, 'no engine in a test: docker-compose.yml is validated where docker-compose is'],
  [/^mkdir -m 700 secrets$|> secrets\/\w+$/, 'test/process/compose.test.ts'],
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
  return commands.filter((command) => !ELSEWHERE.some(([pattern]) => pattern.test(command)));
}

interface World extends AsyncDisposable {
  test: TestApp;
  directory: string;
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

/** A fresh demo whose first order has a label and is in giacenza, and whose second has a booking at the desk. */
async function openWorld(): Promise<World> {
  await using stack = new AsyncDisposableStack();
  const test = await startTestApp({ queues: null, hasPerson: true });
  stack.defer(() => test.stop());
  const directory = mkdtempSync(path.join(tmpdir(), 'smista-docs-'));
  stack.defer(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(path.join(directory, 'company.yaml'), filledIn(readFileSync('examples/company.yaml', 'utf8')));
  const order = JSON.parse(readFileSync('examples/orders/plain.json', 'utf8'));
  for (let count = 0; count < 2; count++) {
    const { body } = await test.call('POST', '/orders', order);
    await test.call('POST', '/shipment/create', [{ orderId: body.order.id }]);
  }
  await test.call('POST', '/orders', order); // without a label, to be corrected and cancelled
  const em = systemEm(test.app.deps.orm);
  await em.execute(`update shipments set process_status = 'unknown_outcome', exhausted_at = now() where id = 2`);
  await em.execute(
    'insert into held_cases (company_id, shipment_id, opened_at) select company_id, id, now() from shipments where id = 1',
  );
  const kept = stack.move();
  return { test, directory, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/** The same command against the servers of this world. */
function here(command: string, { test, directory }: World): string {
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

async function execute(script: readonly string[], world: World): Promise<void> {
  const { PATH = '', HOME = '' } = process.env;
  const { config } = world.test.app;
  const env = {
    PATH: `${path.dirname(process.execPath)}:${PATH}`,
    HOME,
    DATABASE_URL: config.databaseUrl ?? '',
    DATA_DIR: config.dataDir,
    NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache'),
    LOG_LEVEL: 'silent',
    ENV_FILE: '/dev/null',
    DATABASE_POOL: '4',
    QUEUE_POOL: '4',
  };
  const text = `set -euo pipefail\n${script.map((command) => here(command, world)).join('\n')}\n`;
  await run('bash', [...BASH_ARGS, text], { env }).catch((error: { stderr: string }) => {
    throw new Error(`${text}\n${error.stderr}`);
  });
}

/** The blocks of each document that a shell can run here. */
const SCRIPTS = DOCUMENTS.map((file) => ({
  file,
  scripts: blocksOf('sh', file)
    .map(({ text }) => commandsOf(text))
    .filter((commands) => commands.length > 0),
})).filter(({ scripts }) => scripts.length > 0);

describe('the commands of a document run in their order on a fresh demo', { timeout: 300_000 }, () => {
  it.for(SCRIPTS)('$file', async ({ scripts }) => {
    await using world = await openWorld();
    for (const script of scripts) await execute(script, world);
  });

  it('cover each document that has commands', () => {
    const documents = SCRIPTS.map(({ file }) => file);

    for (const one of ['README.md', 'docs/operations.md', 'docs/sandbox.md', 'docs/tariffs.md']) {
      expect(documents).toContain(one);
    }
  });
});
