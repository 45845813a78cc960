import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from '../app.ts';
import { readSecrets } from '../embedded/data-dir.ts';
import { createUser, listUsers, resetUser } from '../usecases/people/users.ts';
import { authenticate, createKey } from '../usecases/setup/api-keys.ts';
import { apply } from '../usecases/setup/apply.ts';
import { ApplyDocument } from '../usecases/setup/apply-document.ts';
import { demoCompany } from './demo-company.ts';

/** How the demo company is reached. */
export interface DemoCompany {
  baseUrl: string;
  apiKey: string;
  companyId: number;
  sandboxUrl: string;
  admin: { user: string; password: string };
}

/** The content of DATA_DIR/demo.json. */
export interface DemoAccount extends DemoCompany {
  /** Logs in to the console. */
  person: { email: string; password: string };
}

const EMAIL = 'demo@smista.example';

/** Creates the demo company, its key and its person unless they exist, and writes DATA_DIR/demo.json. */
export async function setUpDemo(app: App, sandboxUrl: string): Promise<DemoAccount> {
  const file = path.join(app.config.dataDir, 'demo.json');
  const known = readAccount(file);
  const company = await setUpDemoCompany(app, sandboxUrl, known?.apiKey);
  const person = known?.person ?? { email: EMAIL, password: await passwordOf(app) };
  const account: DemoAccount = { ...company, person };
  writeFileSync(file, `${JSON.stringify(account, null, 2)}\n`, { mode: 0o600 });
  app.markReady();
  return account;
}

/** Creates the demo company, and a key for it unless this one is valid. */
export async function setUpDemoCompany(app: App, sandboxUrl: string, knownKey?: string): Promise<DemoCompany> {
  await apply(app.deps, ApplyDocument.parse(demoCompany(sandboxUrl)));
  await app.workers?.refresh();
  const owner = knownKey === undefined ? null : await authenticate(app.deps, knownKey);
  const key =
    knownKey !== undefined && owner
      ? { key: knownKey, companyId: owner.companyId }
      : await createKey(app.deps, { companyKey: 'demo', name: 'demo', expiresAt: null });
  const { admin, dataDir } = app.config;
  return {
    baseUrl: app.url,
    apiKey: key.key,
    companyId: key.companyId,
    sandboxUrl,
    admin: { user: admin.user, password: admin.password ?? readSecrets(dataDir).adminPassword },
  };
}

/** Creates the person, or gives a new password to one whose password was lost with the file. */
async function passwordOf({ deps }: App): Promise<string> {
  const isThere = (await listUsers(deps, 'demo')).some(({ email }) => email === EMAIL);
  if (isThere) return resetUser(deps, EMAIL);
  const demo = { email: EMAIL, name: 'Demo', role: 'admin', companyKey: 'demo' };
  return (await createUser(deps, demo)).password;
}

function readAccount(file: string): DemoAccount | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as DemoAccount;
  } catch {
    return null; // the first start or a damaged file: a new key is created
  }
}
