import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { demoCompany } from '../../src/demo/demo-company.ts';
import { cloneDatabase, type TestDatabase } from '../support/test-database.ts';
import { type CommandResult, smista } from './run-command.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const EXAMPLE = readFileSync('examples/company.yaml', 'utf8');

describe('apply and export', { timeout: 120_000 }, () => {
  let directory: string;
  let database: TestDatabase;
  let env: Record<string, string>;

  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'smista-apply-'));
    database = await cloneDatabase();
    const key = Buffer.alloc(32, 1).toString('base64');
    env = { DATABASE_URL: database.url, DATA_DIR: directory, SECRET_KEY: key };
  });
  afterAll(async () => {
    await database.drop();
    rmSync(directory, { recursive: true, force: true });
  });

  function file(name: string, text: string): string {
    const where = path.join(directory, name);
    writeFileSync(where, text);
    return where;
  }
  const run = (...args: string[]): Promise<CommandResult> => smista(args, env);
  const changesOf = ({ stdout }: CommandResult) => new Set(stdout.match(/^(created|changed|unchanged)\b/gm));

  it('walk a company from a dry run to a file that another apply calls unchanged', async () => {
    const declared = demoCompany('http://127.0.0.1:1') as { companies: Record<string, unknown>[] };
    Object.assign(declared.companies[0] ?? {}, {
      settings: {
        unique_order_numbers: true,
        vat_rates: { DE: '19' },
        order_sheets: { erp: { zip: 'Codice' } },
        default_parcel: { weight_kg: 0.75 },
      },
      webhooks: [{ key: 'erp', url: 'https://erp.example/smista', secrets: [SECRET], types: ['shipment.held'] }],
    });
    const demo = file('demo.yaml', stringify(declared));

    const planned = await run('apply', '--dry-run', demo);
    const nothing = await run('export');
    const applied = await run('apply', demo);
    const exported = await run('export', 'demo');
    const again = await run('apply', file('exported.yaml', exported.stdout));

    expect(planned).toMatchObject({ code: 0, stderr: 'This was a dry run: nothing was written.\n' });
    expect(nothing).toMatchObject({ code: 2, stderr: 'There is no company\n' });
    expect(applied.stdout).toBe(planned.stdout);
    expect(changesOf(applied)).toEqual(new Set(['created']));
    expect(exported.code, exported.stderr).toBe(0);
    expect(parse(exported.stdout).companies[0].contracts[0].account).toMatchObject({ passwordClienteGls: 'keep' });
    for (const secret of [SECRET, 'cs_sandbox', 'whs_sandbox']) expect(exported.stdout).not.toContain(secret);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(changesOf(again)).toEqual(new Set(['unchanged']));
    expect(again.stdout.split('\n').length).toBe(applied.stdout.split('\n').length);
  });

  it('keep a secret beside what changes, and have none to keep for what is new', async () => {
    const { stdout } = await run('export', 'demo');
    const moved = file('moved.yaml', stdout.replace('label: GLS Bologna', 'label: GLS Sede'));
    const copied = file('copied.yaml', stdout.replace('key: demo', 'key: copy'));

    const kept = await run('apply', moved);
    const refused = await run('apply', copied);

    expect(kept.stdout).toContain('changed   company demo contract gls (label)\n');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /copied\.yaml:\d+:\d+ companies\[0\]\.contracts\[0\]\.account\.passwordClienteGls: there is nothing to keep/,
    );
    expect(refused.stderr).toMatch(/products\[0\]\.id: is the id of another product/);
    expect(refused.stderr).toMatch(/connections\[0\]\.account\.consumerSecret: there is nothing to keep/);
    expect(refused.stderr).toMatch(/webhooks\[0\]\.secrets: there is nothing to keep/);
  });

  it('name what the file does not', async () => {
    const small = file('small.yaml', 'companies: [{ key: demo, name: Bottega Aurora S.r.l. }]');
    const other = file('other.yaml', 'companies: [{ key: other, name: Other }]');

    const report = await run('apply', small);
    const elsewhere = await run('apply', other);

    expect(report.stdout).toBe(
      [
        'unchanged company demo',
        'not in the file, left alone: company demo warehouse bologna',
        'not in the file, left alone: company demo product MUG-01, OIL-05',
        'not in the file, left alone: company demo tariff brt-2026, gls-2026',
        'not in the file, left alone: company demo contract brt, dhl, fedex, gls, inpost, poste, ups',
        'not in the file, left alone: company demo connection shop',
        'not in the file, left alone: company demo webhook erp\n',
      ].join('\n'),
    );
    expect(elsewhere.stdout).toBe('created   company other\nnot in the file, left alone: company demo\n');
  });

  it('show every fault at once, with its line, and neither a pattern nor a secret', async () => {
    const where = file(
      'faulty.yaml',
      [
        'companies:',
        '  - key: My Company',
        '    nmae: Shop',
        '    postal_code: 00123',
        '    contracts:',
        '      - key: gls',
        '        label: GLS',
        '        carrier: gls-it',
        '        connected: false',
        '        default: true',
        '        account: { sedeGls: YAX, codiceClienteGls: 012345, passwordClienteGls: 00987, codiceContrattoGls: 0001 }',
        '      - { key: pony, label: Pony, carrier: pony, account: {} }',
        '    connections:',
        '      - key: shop',
        '        label: Shop',
        '        marketplace: shopify',
        '        account: { shop: my shop, acessToken: shpat_secret }',
      ].join('\n'),
    );

    const { code, stderr } = await run('apply', where);

    const told = stderr
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.replace(`${where}:`, ''));
    expect(code).toBe(2);
    expect(told).toEqual([
      '2:5 companies[0].name: is missing',
      '2:10 companies[0].key: must be lowercase letters, digits, - and _',
      '3:5 companies[0].nmae: is not a known field; did you mean name?',
      '4:18 companies[0].postal_code: must be text, not a number; quote it: "00123"',
      '10:18 companies[0].contracts[0].default: must not be true for a contract that is not connected: make another one the default',
      '11:29 companies[0].contracts[0].account.sedeGls: two characters, as printed on the contract',
      expect.stringMatching(
        /^11:\d+ companies\[0\]\.contracts\[0\]\.account\.codiceClienteGls: .*; quote it: "012345"$/,
      ),
      expect.stringMatching(
        /^11:\d+ companies\[0\]\.contracts\[0\]\.account\.passwordClienteGls: .*; put it in quotes$/,
      ),
      expect.stringMatching(
        /^11:\d+ companies\[0\]\.contracts\[0\]\.account\.codiceContrattoGls: .*; quote it: "0001"$/,
      ),
      expect.stringMatching(
        /^12:\d+ companies\[0\]\.contracts\[1\]\.carrier: there is no carrier pony; known are gls-it/,
      ),
      expect.stringMatching(/^17:18 companies\[0\]\.connections\[0\]\.account\.accessToken: /),
      expect.stringMatching(/^17:\d+ companies\[0\]\.connections\[0\]\.account\.shop: must be the permanent name/),
      expect.stringMatching(/account\.acessToken: is not a known field; did you mean accessToken\?$/),
    ]);
    expect(stderr).not.toMatch(/pattern|\^\[|00987|shpat_secret/);
  });

  it('refuse the placeholders of the example by name, all of them', async () => {
    const { code, stderr } = await run('apply', file('example.yaml', EXAMPLE));

    const capitals = EXAMPLE.split('\n').flatMap((line, at) =>
      /^[^#]*(?:: |- )'?(?:COMPANY|VIA AND|WAREHOUSE|PASSWORD|ck_KEY|cs_SECRET|whsec_AAAA)/.test(line) ? [at + 1] : [],
    );
    const named = [...stderr.matchAll(/^.*example\.yaml:(\d+):\d+ .*: replace the placeholder /gm)].map(([, line]) =>
      Number(line),
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/account\.passwordClienteGls: replace the placeholder PASSWORD$/m);
    expect(capitals.length).toBeGreaterThan(6);
    expect(named).toEqual(capitals);
  });

  it('do not import the orders of a shop that says nothing about it', async () => {
    const account = { url: 'https://shop.example', consumerKey: 'ck_1', consumerSecret: 'cs_1' };
    const connections = [{ key: 'web', label: 'Web', marketplace: 'woocommerce', account }];
    const quiet = file('quiet.yaml', stringify({ companies: [{ key: 'quiet', name: 'Quiet', connections }] }));

    await run('apply', quiet);
    const { stdout } = await run('export', 'quiet');

    expect(parse(stdout).companies[0].connections[0].import_orders).toBe(false);
  });
});
