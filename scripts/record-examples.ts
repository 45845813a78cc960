/** Walks the story of the API's examples through a fresh demo and keeps its answers: `npm run examples`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { setUpDemo } from '../src/demo/demo-account.ts';
import { silentLog } from '../src/lib/log.ts';
import { startPretendPrinter } from '../test/support/pretend-printer.ts';
import { type ExampleAnswer, walkExamples } from '../test/support/walk-examples.ts';

const FILE = new URL('../src/api/openapi/answers.json', import.meta.url);
/** Where the documented service is said to be. */
const PUBLIC_URL = 'http://127.0.0.1:3000';
const PATIENCE_MS = 60_000;

const dataDir = mkdtempSync(path.join(tmpdir(), 'smista-examples-'));
const printer = await startPretendPrinter();
const config = readConfig({
  DATA_DIR: dataDir,
  PORT: '0',
  SANDBOX_PORT: '0',
  SANDBOX: 'true',
  RETRY_ATTEMPTS: '3',
  RETRY_BASE_MS: '10',
  PRINTERS_ALLOW_LOOPBACK: 'true',
  PRINTER_PORTS: String(printer.port),
});
const app = await startApp({ config, log: silentLog, roles: ['api', 'worker'], migrate: true });
try {
  writeFileSync(FILE, `${JSON.stringify(await record(), null, 2)}\n`);
} finally {
  await app.stop();
  await printer.close();
  rmSync(dataDir, { recursive: true, force: true });
}

async function record(): Promise<Record<string, Record<string, unknown>>> {
  const sandboxUrl = app.sandboxUrl ?? '';
  const { apiKey } = await setUpDemo(app, sandboxUrl);
  const answers: Record<string, Record<string, unknown>> = {};
  const call = async (method: string, url: string, body?: unknown, headers = {}): Promise<ExampleAnswer> => {
    const response = await fetch(`${app.url}/api/v1/external${url}`, {
      method,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : null };
  };
  const world = {
    app,
    call,
    printerPort: printer.port,
    hasEvents: true,
    async control(what: string, body: object) {
      const response = await fetch(`${sandboxUrl}/_control/${what}`, { method: 'POST', body: JSON.stringify(body) });
      if (!response.ok) throw new Error(`The sandbox refused ${what}: ${await response.text()}`);
    },
    async until(read: () => Promise<ExampleAnswer>, wanted: (answer: ExampleAnswer) => boolean) {
      for (const deadline = Date.now() + PATIENCE_MS; ; await delay(50)) {
        const answer = await read();
        if (wanted(answer)) return answer;
        if (Date.now() > deadline)
          throw new Error(`Waited in vain; the last answer was ${JSON.stringify(answer.body)}`);
      }
    },
  };
  await walkExamples(world, (example, { status, body }) => {
    if (status !== example.status) throw new Error(`${example.of} answered ${status}: ${JSON.stringify(body)}`);
    if (body === null) return;
    const known = answers[example.of] ?? {};
    known[status] ??= JSON.parse(published(JSON.stringify(body), sandboxUrl));
    answers[example.of] = known;
  });
  return answers;
}

/** Without what only this demo has. */
function published(text: string, sandboxUrl: string): string {
  return text
    .replaceAll(app.url, PUBLIC_URL)
    .replaceAll(sandboxUrl, 'http://127.0.0.1:3001')
    .replaceAll(/whsec_[\w+/]+=*/g, 'whsec_YW4gZXhhbXBsZSBhbmQgbm90IGEgc2VjcmV0ISEhISE=');
}
