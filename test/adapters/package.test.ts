import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxPartner, SandboxWorld } from '../../sandbox/src/partner.ts';
import { startSandbox } from '../../sandbox/src/server.ts';
import { demoCompany } from '../../src/demo/demo-company.ts';
import { ROOT, smista, startSmista } from '../process/run-command.ts';
import { buildOrder } from '../support/build-order.ts';
import { guideBlocks, PLAIN_VITEST, runIn, TSC_ARGS } from '../support/guide.ts';
import { cloneDatabase } from '../support/test-database.ts';

const NAME = 'smista-acme-it';

/** The package has no configuration of ours, and the machine may be busy. */
const PATIENCE = '--testTimeout=60000';

/** The guide's table of imports, as a reader would follow it. */
const IMPORTS: readonly [RegExp, string][] = [
  [/'\.\.\/\.\.\/src\/carriers\/acme-it\//g, "'./"],
  [/'\.\.\/\.\.\/sandbox\/src\/partners\/acme-it\.ts'/g, "'./sandbox.ts'"],
  [/'(\.\.\/partner\.ts|\.\.\/\.\.\/sandbox\/src\/server\.ts)'/g, "'smista-sandbox'"],
  [/'(\.\/conformance\.ts|\.\.\/support\/[^']+)'/g, "'smista/conformance'"],
  [/'(\.\.\/(adapter|tracking)\.ts|\.\.\/\.\.\/(lib|domain)\/[^']+|zod)'/g, "'smista/adapter'"],
];

function placeOf(file: string): string {
  return file.startsWith('sandbox/') ? 'sandbox.ts' : path.basename(file);
}

describe('docs/add-a-carrier.md, as a package of your own', { timeout: 180_000 }, () => {
  let directory: string;
  let folder: string;

  beforeAll(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'smista-package-'));
    folder = path.join(directory, NAME);
    mkdirSync(folder);
    mkdirSync(path.join(directory, 'node_modules'));
    for (const name of ['vitest', 'express', '@types']) link(name, path.join(ROOT, 'node_modules', name));
    link('smista', ROOT);
    link('smista-sandbox', path.join(ROOT, 'sandbox'));
    for (const { language, file, text } of guideBlocks('docs/add-a-carrier.md')) {
      if (language === 'diff') continue;
      const own = IMPORTS.reduce((source, [from, to]) => source.replaceAll(from, to), text);
      writeFileSync(path.join(folder, placeOf(file)), own);
    }
    writeFileSync(path.join(folder, 'vitest.config.ts'), PLAIN_VITEST);
    writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: path.join(ROOT, 'tsconfig.json'), include: ['*.ts'] }),
    );
  });
  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  function link(name: string, target: string): void {
    symlinkSync(target, path.join(directory, 'node_modules', name));
  }

  it('has right types and keeps the promises of every carrier', async () => {
    await runIn(folder, 'tsc', ...TSC_ARGS, 'tsconfig.json');
    const said = await runIn(folder, 'vitest', 'run', '--reporter=verbose', PATIENCE);

    expect(said).toContain('acme-it keeps the promises of every carrier');
    expect(said).toContain('14 passed (14)');
  });

  it('is loaded into a server, which ships an order with it', async () => {
    await using stack = new AsyncDisposableStack();
    const { createAcmeItSandbox } = (await import(pathToFileURL(path.join(folder, 'sandbox.ts')).href)) as {
      createAcmeItSandbox(world: SandboxWorld): SandboxPartner;
    };
    const acme = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createAcmeItSandbox] });
    stack.defer(() => acme.close());
    const database = await cloneDatabase();
    stack.defer(() => database.drop());
    const env = {
      DATABASE_URL: database.url,
      DATA_DIR: path.join(directory, 'data'),
      PORT: '0',
      LOG_LEVEL: 'info',
      SMISTA_ADAPTERS: path.relative(ROOT, folder),
    };
    const [company] = (demoCompany(acme.url) as { companies: object[] }).companies;
    const account = { customer: 'C1', apiKey: 'sandbox-key', baseUrl: `${acme.url}/acme-it` };
    const contract = { key: 'acme', label: 'Acme', carrier: 'acme-it', account, default: true };
    const file = path.join(directory, 'company.yaml');
    writeFileSync(file, JSON.stringify({ companies: [{ ...company, contracts: [contract], connections: [] }] }));

    const applied = await smista(['apply', file], env);
    const key = (await smista(['key', 'create', 'demo'], env)).stdout.trim();
    const running = startSmista(['start'], env);
    stack.defer(async () => void (await running.end()));
    const [, url] = await running.says(/"url":"([^"]+)"/);
    const call = async (method: string, where: string, body?: unknown) => {
      const answer = await fetch(`${url}/api/v1/external${where}`, {
        method,
        headers: { 'x-api-key': key, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return Buffer.from(await answer.arrayBuffer());
    };
    const { order } = JSON.parse(String(await call('POST', '/orders', buildOrder())));
    const created = JSON.parse(String(await call('POST', '/shipment/create', [{ orderId: order.id }])));
    const { shipments } = JSON.parse(String(await call('GET', `/orders/${order.id}`)));
    const label = await call('GET', `/shipment/${shipments[0].id}/label`);
    const ledger = await (await fetch(`${acme.url}/_control/ledger`)).json();

    expect(applied.code, applied.stderr).toBe(0);
    expect(created.success, JSON.stringify(created)).toBe(true);
    expect(shipments[0].trackingNumber).toBe('AC00000001');
    expect(String(label)).toContain('% Acme');
    expect(ledger).toMatchObject({ 'acme-it': [{ reference: shipments[0].reference, labelsSold: 1 }] });
  });

  it('gives its stability with each export', () => {
    for (const file of ['src/adapter.ts', 'test/conformance.ts']) {
      const text = readFileSync(file, 'utf8');
      const exported = text.match(/^export /gm) ?? [];
      const noted = text.match(/@stability (stable|experimental) \*\/\nexport /g) ?? [];

      expect(exported.length).toBeGreaterThan(3);
      expect(noted).toHaveLength(exported.length);
    }
  });
});
