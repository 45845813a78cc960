import { demoCompany } from '../../src/demo/demo-company.ts';
import { createKey } from '../../src/usecases/setup/api-keys.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import type { TestApp } from '../support/test-app.ts';

export interface SecondCompany {
  companyId: number;
  key: string;
  headers: { 'x-api-key': string };
}

type Declared = Record<string, unknown> & {
  contracts: Record<string, unknown>[];
  connections: Record<string, unknown>[];
  tariffs: Record<string, unknown>[];
};

function declared(test: TestApp): Declared {
  const [company] = (demoCompany(test.demo.sandboxUrl) as { companies: Declared[] }).companies;
  if (!company) throw new Error('There is no demo company');
  return company;
}

/** The contract of the demo company as `apply` reads it, to declare others like it. */
export function demoContract(test: TestApp): Record<string, unknown> {
  return declared(test).contracts[0] ?? {};
}

/** The shop of the demo company as `apply` reads it. */
export function demoConnection(test: TestApp): Record<string, unknown> {
  return declared(test).connections[0] ?? {};
}

/** The price list of the demo company as `apply` reads it. */
export function demoTariff(test: TestApp): Record<string, unknown> {
  return declared(test).tariffs[0] ?? {};
}

/** Makes or changes a company like the demo one; `overrides` replaces top-level fields. */
export async function declareCompany(
  test: TestApp,
  name: string,
  overrides: Record<string, unknown> = {},
): Promise<void> {
  const company = { ...declared(test), key: name, name: `Ditta ${name}`, ...overrides };
  await apply(test.app.deps, ApplyDocument.parse({ companies: [company] }));
}

/** A company like the demo one, with a key. */
export async function addCompany(
  test: TestApp,
  name: string,
  overrides: Record<string, unknown> = {},
): Promise<SecondCompany> {
  await declareCompany(test, name, overrides);
  const { companyId, key } = await createKey(test.app.deps, { companyKey: name, name: 'test', expiresAt: null });
  return { companyId, key, headers: { 'x-api-key': key } };
}
