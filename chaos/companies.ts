import pg from 'pg';
import { readConfig } from '../src/config.ts';
import { openCore } from '../src/core.ts';
import { demoCompany } from '../src/embedded/demo-company.ts';
import { silentLog } from '../src/lib/log.ts';
import { createKey } from '../src/usecases/api-keys.ts';
import { apply } from '../src/usecases/apply.ts';
import { ApplyDocument } from '../src/usecases/apply-document.ts';

export interface Company {
  name: string;
  apiKey: string;
}

const FIRST_CUSTOMER = 100_001;

/** Migrates the database and makes companies like the demo one, each a customer of its own at the carrier. */
export async function makeCompanies(
  env: Record<string, string>,
  { count, sandboxUrl }: { count: number; sandboxUrl: string },
): Promise<Company[]> {
  await using stack = new AsyncDisposableStack();
  const { deps, databaseUrl } = await openCore(stack, { config: readConfig(env), log: silentLog, migrate: true });
  // The same references in every run: what the pretend carrier does to a call depends on its content.
  await execute(databaseUrl, `update installation set code = 'CHA'`);
  const names = Array.from({ length: count }, (_, index) => `chaos-${index + 1}`);
  await apply(deps, ApplyDocument.parse({ companies: names.map((name, index) => company(name, index, sandboxUrl)) }));
  const companies: Company[] = [];
  for (const name of names) {
    const { key } = await createKey(deps, { companyKey: name, name: 'chaos', expiresAt: null });
    companies.push({ name, apiKey: key });
  }
  return companies;
}

function company(name: string, index: number, sandboxUrl: string): unknown {
  const { companies } = demoCompany(sandboxUrl) as { companies: [Record<string, unknown>] };
  const [demo] = companies;
  const [contract] = demo.contracts as [{ account: object }];
  const account = { ...contract.account, codiceClienteGls: String(FIRST_CUSTOMER + index) };
  return { ...demo, key: name, name, contracts: [{ ...contract, account }], connections: [] };
}

export async function execute(databaseUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => undefined); // told by the query
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
