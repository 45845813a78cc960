import { ApiKey, Company } from '../../db/entities/index.ts';
import { type Orm, systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { randomToken, sha256 } from '../../lib/crypto.ts';
import { UsageError } from '../../lib/errors.ts';

const PREFIX = 'smista_';
const SHOWN_CHARACTERS = 12;
const TOUCH_AFTER_MS = 60_000;

/** Whose request it is. */
export interface Identity {
  companyId: number;
  keyId: number;
}

/** Finds a key by its hash. */
export function readKey(orm: Orm, hash: string): Promise<ApiKey | null> {
  return systemEm(orm).findOne(ApiKey, { hash });
}

/** The company of a key; null when it is unknown, revoked or expired. */
export async function authenticate(
  deps: Pick<Deps, 'orm' | 'now'>,
  key: string,
  find: (hash: string) => Promise<ApiKey | null> = (hash) => readKey(deps.orm, hash),
): Promise<Identity | null> {
  if (!key.startsWith(PREFIX) || key.length > 100) return null;
  const row = await find(sha256(key));
  const now = deps.now();
  if (!row || row.revokedAt !== null || (row.expiresAt !== null && row.expiresAt <= now)) return null;
  if (row.lastUsedAt === null || now.getTime() - row.lastUsedAt.getTime() > TOUCH_AFTER_MS) {
    row.lastUsedAt = now;
    await systemEm(deps.orm).nativeUpdate(ApiKey, { id: row.id }, { lastUsedAt: now });
  }
  return { companyId: row.companyId, keyId: row.id };
}

/** Makes a key; it is shown once, here, and only its hash is kept. */
export async function createKey(
  deps: Pick<Deps, 'orm' | 'now'>,
  input: { companyKey: string; name: string; expiresAt: Date | null },
): Promise<{ id: number; key: string; companyId: number }> {
  const em = systemEm(deps.orm);
  const company = await em.findOne(Company, { key: input.companyKey });
  if (!company) throw new UsageError(`There is no company ${input.companyKey}`);
  const key = randomToken(PREFIX);
  const row = em.create(ApiKey, {
    companyId: company.id,
    name: input.name,
    prefix: key.slice(0, SHOWN_CHARACTERS),
    hash: sha256(key),
    createdAt: deps.now(),
    expiresAt: input.expiresAt,
  });
  await em.persist(row).flush();
  return { id: row.id, key, companyId: company.id };
}

export interface KeyRow {
  id: number;
  company: string;
  name: string;
  prefix: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

export async function listKeys(deps: Pick<Deps, 'orm'>, companyKey: string | null): Promise<KeyRow[]> {
  const em = systemEm(deps.orm);
  const companies = new Map(
    (await em.find(Company, companyKey === null ? {} : { key: companyKey })).map((row) => [row.id, row.key]),
  );
  const keys = await em.find(ApiKey, { companyId: { $in: [...companies.keys()] } }, { orderBy: { id: 'asc' } });
  return keys.map((row) => ({ ...row, company: companies.get(row.companyId) ?? '' }));
}

/** Processes that remember the key are told as this is committed. */
export async function revokeKey(deps: Pick<Deps, 'orm' | 'now'>, id: number): Promise<void> {
  const em = systemEm(deps.orm);
  const row = await em.findOne(ApiKey, id);
  if (!row) throw new UsageError(`There is no key ${id}`);
  await em.nativeUpdate(ApiKey, { id }, { revokedAt: row.revokedAt ?? deps.now() });
}
