import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Company, Contract, EventEndpoint } from '../../../src/db/entities/index.ts';
import { demoCompany } from '../../../src/demo/demo-company.ts';
import { contractSeal } from '../../../src/engine/call-contract.ts';
import { UsageError } from '../../../src/lib/errors.ts';
import { activeSecrets } from '../../../src/usecases/events/event-secrets.ts';
import { apply } from '../../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../../src/usecases/setup/apply-document.ts';
import type { Change } from '../../../src/usecases/setup/upsert-declared.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { database } from '../engine.ts';

const PASSWORD = 'sandbox-9q';
const CONSUMER_SECRET = 'cs_very_secret';

/** The demo company with its first contract, as somebody would write it down; `change` edits the copy. */
function document(change: (company: DeclaredCompany) => void = () => undefined): unknown {
  const copy = structuredClone(demoCompany('http://127.0.0.1:1')) as { companies: DeclaredCompany[] };
  const [company] = copy.companies;
  if (!company) throw new Error('There is no demo company');
  company.key = 'applied';
  company.contracts = company.contracts.slice(0, 1);
  change(company);
  return copy;
}

const OLD_SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const NEW_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;

interface DeclaredCompany {
  webhooks?: { key: string; url: string; secrets: string[]; types?: string[]; enabled?: boolean }[];
  key: string;
  name: string;
  settings?: Record<string, unknown>;
  tariffs: { key: string; name: string; zones: unknown[] }[];
  contracts: { key: string; carrier: string; label: string; tariff: string; account: Record<string, string> }[];
  connections: { key: string; marketplace: string; account: Record<string, string> }[];
}

describe('applying a document', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'] });
  });
  beforeEach(() => run(document()));
  afterAll(() => test.stop());

  function run(declared: unknown): Promise<Change[]> {
    return apply(test.app.deps, ApplyDocument.parse(declared));
  }

  const changed = (changes: Change[]): Change[] => changes.filter(({ change }) => change !== 'unchanged');

  it('creates everything once', async () => {
    const first = await run(document((company) => Object.assign(company, { key: 'fresh' })));
    const second = await run(document((company) => Object.assign(company, { key: 'fresh' })));

    expect(new Set(first.map(({ change }) => change))).toEqual(new Set(['created']));
    expect(new Set(second.map(({ change }) => change))).toEqual(new Set(['unchanged']));
    expect(second.map(({ what }) => what)).toEqual(first.map(({ what }) => what));
  });

  it('changes nothing when the document comes in another order of fields', async () => {
    const declared = document((company) => {
      for (const contract of company.contracts) {
        contract.account = Object.fromEntries(Object.entries(contract.account).toReversed());
      }
    });

    const changes = await run(declared);

    expect(changed(changes)).toEqual([]);
  });

  it('names the fields that changed', async () => {
    const changes = await run(
      document((company) => {
        company.name = 'Bottega Aurora e figli';
        for (const contract of company.contracts) contract.label = 'GLS Modena';
      }),
    );

    expect(changed(changes)).toEqual([
      { what: 'company applied', change: 'changed', fields: ['name'] },
      { what: 'company applied contract gls', change: 'changed', fields: ['label'] },
    ]);
  });

  it('leaves alone what a later document does not say of a company', async () => {
    await run(document());
    const before = await database(test).findOneOrFail(Company, { key: 'applied' });

    const changes = await run({ companies: [{ key: 'applied', name: before.name }] });

    expect(changed(changes)).toEqual([]);
    const after = await database(test).findOneOrFail(Company, { key: 'applied' }, { refresh: true });
    expect(after).toMatchObject({ city: 'Bologna', vatNumber: before.vatNumber, settings: before.settings });
  });

  it('says that a secret changed and not what it is', async () => {
    const changes = await run(
      document((company) => {
        for (const { account } of company.contracts) account.passwordClienteGls = PASSWORD;
        for (const { account } of company.connections) account.consumerSecret = CONSUMER_SECRET;
      }),
    );

    expect(changed(changes)).toEqual([
      { what: 'company applied contract gls', change: 'changed', fields: ['account'] },
      { what: 'company applied connection shop', change: 'changed', fields: ['account'] },
    ]);
    expect(JSON.stringify(changes)).not.toMatch(/sandbox|secret/);
  });

  describe('with a webhook', () => {
    const webhook = { key: 'erp', url: 'https://erp.example/smista', secrets: [OLD_SECRET] };
    const declare = (overrides: Partial<NonNullable<DeclaredCompany['webhooks']>[number]> = {}) =>
      run(
        document((company) => {
          company.webhooks = [{ ...webhook, ...overrides }];
        }),
      );
    const row = () => database(test).findOneOrFail(EventEndpoint, { key: 'erp' });
    const what = 'company applied webhook erp';

    beforeEach(() => database(test).execute('delete from event_endpoints'));

    it('creates it once, told from now on', async () => {
      await database(test).execute(
        `insert into events (company_id, type, data) select id, 'order.created', '{}' from companies where key = 'applied'`,
      );
      const first = await declare({ types: ['shipment.held', 'order.created', 'shipment.held'] });
      const second = await declare({ types: ['order.created', 'shipment.held'] });

      expect(changed(first)).toEqual([{ what, change: 'created', fields: [] }]);
      expect(changed(second)).toEqual([]);
      expect(await row()).toMatchObject({ deliveredSequence: 1, types: ['order.created', 'shipment.held'] });
    });

    it('changes its secrets without saying what they are', async () => {
      await declare();
      const changes = changed(await declare({ secrets: [NEW_SECRET, OLD_SECRET] }));

      expect(changes).toEqual([{ what, change: 'changed', fields: ['secrets'] }]);
      const endpoint = await row();
      expect(activeSecrets(test.app.deps.vault, endpoint, new Date())).toEqual([NEW_SECRET, OLD_SECRET]);
      expect(JSON.stringify([changes, endpoint])).not.toContain(OLD_SECRET);
      expect(changed(await declare({ secrets: [NEW_SECRET, OLD_SECRET] }))).toEqual([]);
    });

    it('switches it off and on', async () => {
      await declare({ enabled: false });
      expect(await row()).toMatchObject({ disabledReason: 'switched-off' });
      await declare();

      expect(await row()).toMatchObject({ disabledReason: null, disabledAt: null });
    });

    it('leaves one disabled that failed for days, until its address changes', async () => {
      await declare();
      await database(test).execute(`update event_endpoints set disabled_at = now(), disabled_reason = 'failing'`);
      expect(changed(await declare())).toEqual([]);
      expect(await row()).toMatchObject({ disabledReason: 'failing' });
      await declare({ url: 'https://new.example/smista' });

      expect(await row()).toMatchObject({ disabledReason: null, url: 'https://new.example/smista' });
    });

    it('refuses an address that nothing is sent to, and secrets that are none', async () => {
      await expect(declare({ url: 'https://10.0.0.1/' })).rejects.toThrow(UsageError);
      await expect(declare({ url: 'http://erp.example/' })).rejects.toThrow(
        'companies[0].webhooks[0].url: must start with https',
      );
      expect(() => declare({ secrets: ['whsec_short'] })).toThrow(/whsec_ followed by 24 to 64 bytes/);
      expect(() => declare({ secrets: [] })).toThrow();
      expect(() => declare({ secrets: [OLD_SECRET, NEW_SECRET, OLD_SECRET] })).toThrow();
    });
  });

  it('seals credentials to their row', async () => {
    await run(
      document((company) => {
        for (const { account } of company.contracts) account.passwordClienteGls = PASSWORD;
        for (const { account } of company.connections) account.consumerSecret = CONSUMER_SECRET;
      }),
    );

    const rows = await database(test).execute<{ row: unknown }[]>(
      `select to_jsonb(c) as row from contracts c union all select to_jsonb(c) as row from connections c`,
    );
    const company = await database(test).findOneOrFail(Company, { key: 'applied' });
    const contract = await database(test).findOneOrFail(Contract, { companyId: company.id });
    const { vault } = test.app.deps;

    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
    expect(JSON.stringify(rows)).not.toContain(CONSUMER_SECRET);
    expect(contract.configFields).toMatchObject({ passwordClienteGls: '********', codiceClienteGls: '999901' });
    expect(vault.open(contract.credentials, contractSeal(contract.id))).toMatchObject({ passwordClienteGls: PASSWORD });
    expect(() => vault.open(contract.credentials, contractSeal(contract.id + 1))).toThrow();
  });

  it.each<[string, (company: DeclaredCompany) => void, string]>([
    [
      'a carrier that does not exist',
      ({ contracts }) => Object.assign(contracts[0] ?? {}, { carrier: 'pony' }),
      'companies[0].contracts[0].carrier: there is no carrier pony; known are gls-it',
    ],
    [
      'a marketplace that does not exist',
      ({ connections }) => Object.assign(connections[0] ?? {}, { marketplace: 'bazaar' }),
      'companies[0].connections[0].marketplace: there is no marketplace bazaar; known are ',
    ],
    [
      'a tariff that does not exist',
      ({ contracts }) => Object.assign(contracts[0] ?? {}, { tariff: 'other' }),
      'companies[0].contracts[0].tariff: there is no tariff other',
    ],
    [
      'an incomplete account',
      ({ contracts }) => Object.assign(contracts[0] ?? {}, { account: { sedeGls: 'TOO LONG' } }),
      'companies[0].contracts[0].account.sedeGls: two characters, as printed on the contract\ncompanies[0].contracts[0].account.codiceClienteGls',
    ],
  ])('refuses %s, and changes nothing at all', async (_what, change, message) => {
    const declared = document((company) => {
      company.name = 'Half applied';
      change(company);
    });

    const refused = run(declared);

    await expect(refused).rejects.toBeInstanceOf(UsageError);
    await expect(refused).rejects.toThrow(message);
    expect((await database(test).findOneOrFail(Company, { key: 'applied' })).name).toBe('Bottega Aurora S.r.l.');
  });

  it('never prints the account it refuses', async () => {
    const declared = document(({ contracts }) => {
      if (contracts[0]) contracts[0].account = { passwordClienteGls: 'far too long for it' };
    });

    await expect(run(declared)).rejects.not.toThrow('far too long for it');
  });

  it.each<[string, (company: DeclaredCompany) => void, RegExp]>([
    ['a field nobody knows', (company) => Object.assign(company, { nmae: 'x' }), /nmae/],
    ['a key with blanks', (company) => Object.assign(company, { key: 'My Company' }), /lowercase letters/],
    [
      'a time zone that is none',
      (company) => Object.assign(company, { settings: { time_zone: 'Europe/Rom' } }),
      /time zone/,
    ],
    ['a VAT rate that is none', (company) => Object.assign(company, { settings: { vat_rate: '22%' } }), /percentage/],
    ['a tariff without zones', ({ tariffs }) => Object.assign(tariffs[0] ?? {}, { zones: [] }), /zones/],
    [
      'two zones that claim the same place',
      ({ tariffs: [tariff] }) => tariff?.zones.push({ ...(tariff.zones[0] as object), code: 'AGAIN' }),
      /zones .* and AGAIN both claim/,
    ],
  ])('cannot read %s', (_what, change, fault) => {
    const parsed = ApplyDocument.safeParse(document(change));

    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed.error?.issues)).toMatch(fault);
  });
});
