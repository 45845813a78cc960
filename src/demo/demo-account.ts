import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from '../app.ts';
import { readSecrets } from '../embedded/data-dir.ts';
import { createUser, listUsers, resetUser } from '../usecases/people/users.ts';
import { authenticate, createKey } from '../usecases/setup/api-keys.ts';
import { apply } from '../usecases/setup/apply.ts';
import { ApplyDocument } from '../usecases/setup/apply-document.ts';
import { demoCompany } from './demo-company.ts';

/** The content of DATA_DIR/demo.json. */
export interface DemoAccount {
  baseUrl: string;
  apiKey: string;
  companyId: number;
  sandboxUrl: string;
  admin: { user: string; password: string };
  /** Logs in to the console. */
  person: { email: string; password: string };
}

const EMAIL = 'demo@smista.example';

/** Creates the demo company and its key unless they exist, and writes DATA_DIR/demo.json. */
export async function setUpDemo(app: App, sandboxUrl: string): Promise<DemoAccount> {
  const file = path.join(app.config.dataDir, 'demo.json');
  await apply(app.deps, ApplyDocument.parse(demoCompany(sandboxUrl)));
  await app.workers?.refresh();
  const known = readAccount(file);
  const owner = known && (await authenticate(app.deps, known.apiKey));
  const key =
    known && owner
      ? { key: known.apiKey, companyId: owner.companyId }
      : await createKey(app.deps, { companyKey: 'demo', name: 'demo', expiresAt: null });
  const { admin, dataDir } = app.config;
  const account: DemoAccount = {
    baseUrl: app.url,
    apiKey: key.key,
    companyId: key.companyId,
    sandboxUrl,
    admin: { user: admin.user, password: admin.password ?? readSecrets(dataDir).adminPassword },
    person: known?.person ?? { email: EMAIL, password: await passwordOf(app) },
  };
  writeFileSync(file, `${JSON.stringify(account, null, 2)}\n`, { mode: 0o600 });
  app.markReady();
  return account;
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
