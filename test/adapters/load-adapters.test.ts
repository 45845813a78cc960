import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { carriers } from '../../src/carriers/index.ts';
import { demoCompany } from '../../src/demo/demo-company.ts';
import { UsageError } from '../../src/lib/errors.ts';
import { loadAdapters } from '../../src/load-adapters.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { queueTable } from '../../src/workers/worker-pool.ts';
import { bookOrder } from '../api/ship-orders.ts';
import { ROOT, smista } from '../process/run-command.ts';
import { type FakeServer, startFakeServer } from '../support/fake-server.ts';
import { backends, startTestApp, type TestApp } from '../support/test-app.ts';

const LABEL = Buffer.from('%PDF-1.4 parrot').toString('base64');

/** A whole carrier in plain JavaScript, without types. */
const PARROT = `
import { defineCarrier, z } from 'smista/adapter';

export const parrot = defineCarrier({
  id: 'parrot-post',
  label: 'Parrot Post',
  logoUrl: '/logos/parrot-post.svg',
  services: [{ code: 'FLY', name: 'By air' }],
  account: z.strictObject({ key: z.string().meta({ secret: true }), baseUrl: z.url() }),
  limits: { maxParcels: 1, maxWeightGrams: 5000 },
  settlingMs: 1000,
  supportsCod: false,
  supportsInsurance: false,
  async createShipment({ account, http }, draft) {
    const answer = await http.send({
      operation: 'create', effect: 'write', method: 'POST', url: account.baseUrl + '/parcels',
      headers: { 'x-key': account.key, 'content-type': 'application/json' },
      body: JSON.stringify({ reference: draft.reference }),
    });
    const { number, label } = JSON.parse(answer.body.toString('utf8'));
    return {
      trackingNumber: number, carrierReference: number, parcelCount: 1, warnings: [],
      labels: [{ contentType: 'application/pdf', bytes: Buffer.from(label, 'base64') }],
    };
  },
});
`;

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'smista-adapters-'));
  mkdirSync(path.join(directory, 'node_modules'));
  symlinkSync(ROOT, path.join(directory, 'node_modules/smista'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Writes a package of one file and answers its folder. */
function packageOf(name: string, code: string): string {
  const folder = path.join(directory, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, type: 'module', main: 'main.js' }));
  writeFileSync(path.join(folder, 'main.js'), code);
  return folder;
}

describe.each(backends())('a carrier from another package, with the queue in %s', (backend) => {
  let test: TestApp;
  let server: FakeServer;

  beforeAll(async () => {
    server = await startFakeServer([
      { to: 'POST /parcels', status: 201, body: JSON.stringify({ number: 'PP1', label: LABEL }) },
    ]);
    const env = { SMISTA_ADAPTERS: packageOf('parrot', PARROT) };
    test = await startTestApp({ backend, env, queues: null });
    const declared = demoCompany(test.demo.sandboxUrl) as { companies: { contracts: unknown[] }[] };
    declared.companies[0]?.contracts.push({
      key: 'parrot',
      label: 'Parrot',
      carrier: 'parrot-post',
      account: { key: 'squawk-squawk', baseUrl: server.url },
    });
    await apply(test.app.deps, ApplyDocument.parse(declared));
    await test.app.workers?.refresh();
  });
  afterAll(async () => {
    await test.stop();
    await server.close();
  });

  it('ships an order, and keeps its secret', async () => {
    const contracts = (await test.call('GET', '/carriers/contracts')).body as { id: number; label: string }[];
    const contract = contracts.find(({ label }) => label === 'Parrot');

    const { shipmentId } = await bookOrder(test, { carrier_company_id: contract?.id });
    const label = await test.call('GET', `/shipment/${shipmentId}/label`);
    const exchanges = await test.call('GET', `/shipment/${shipmentId}/exchanges`);

    expect(label.body).toBe('%PDF-1.4 parrot');
    expect(server.requests.map(({ headers }) => headers['x-key'])).toEqual(['squawk-squawk']);
    expect(JSON.stringify([contracts, exchanges.body])).not.toContain('squawk');
  });

  it('gets its jobs from no worker that lacks it', async () => {
    const { deps } = test.app;

    const having = await queueTable(deps);
    const lacking = await queueTable({ ...deps, carriers });

    expect([...having.keys()]).toContain('carrier-parrot-post');
    expect([...lacking.keys()]).toEqual([...having.keys()].filter((name) => !name.endsWith('parrot-post')));
  });
});

describe('SMISTA_ADAPTERS', { timeout: 60_000 }, () => {
  const end = async (name: string, ...args: string[]) => {
    const { code, stderr } = await smista(args, { SMISTA_ADAPTERS: name, DATA_DIR: directory });
    return [code, stderr.trim()];
  };
  const declared = () => {
    const file = path.join(directory, 'company.yaml');
    writeFileSync(file, 'companies: []\n');
    return file;
  };

  it.each([
    ['@acme/smista-carrier', '', /is not installed: install it beside smista, or give a path that starts with \.\/$/],
    ['./no-such-carrier', '', /does not exist in /],
    ['nothing', 'export const a = 1;', /exports no adapter: export what defineCarrier or defineMarketplace of smista/],
    ['broken', 'throw new Error("no feathers");', /cannot be loaded: no feathers$/],
    ['needy', "import 'no-such-package';", /cannot be loaded: Cannot find package 'no-such-package'/],
    ['twin', PARROT.replace("'parrot-post'", "'gls-it'"), /has the id gls-it, which another adapter uses$/],
    ['shop', PARROT.replace("'parrot-post'", "'shopify'"), /has the id shopify, which another adapter uses$/],
    ['vague', PARROT.replace('  settlingMs: 1000,\n', ''), /has an adapter whose settlingMs is missing$/],
    ['loud', PARROT.replace("'parrot-post'", "'Parrot Post'"), /has an adapter whose id must be lowercase letters/],
    [
      'open',
      PARROT.replace('z.strictObject({', 'z.record(z.string(), z.string()) ?? ({'),
      /account must be a zod object$/,
    ],
  ])('%s is refused in one sentence that names it', async (name, source, sentence) => {
    const setting = source === '' ? name : packageOf(name, source);

    const refused = await loadAdapters([setting]).catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(UsageError);
    expect((refused as Error).message).toMatch(sentence);
    expect((refused as Error).message).toMatch(/^SMISTA_ADAPTERS: [^\n]*$/);
    expect((refused as Error).message).toContain(` ${setting} `);
  });

  it('ends a command with exit code 2 when a package cannot be used', async () => {
    const [code, said] = await end('@acme/smista-carrier', 'apply', declared());

    expect(said).toMatch(/^SMISTA_ADAPTERS: @acme\/smista-carrier is not installed/);
    expect(code).toBe(2);
  });

  it('adds its queues to those that start knows', async () => {
    const [code, said] = await end(packageOf('parrot', PARROT), 'start', '--queues', 'carrier-parrot');

    expect(said).toContain('Did you mean carrier-parrot-post?');
    expect(code).toBe(2);
  });
});
