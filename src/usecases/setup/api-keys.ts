import { ApiKey, Company } from '../../db/entities/index.ts';
import { type Orm, systemEm } from '../../db/orm.ts';
import { ADMIN_SCOPE, EVERY_SCOPE, SCOPES, unknownScopes } from '../../domain/scopes.ts';
import type { Deps } from '../../engine/deps.ts';
import { isAddressRange } from '../../lib/address-ranges.ts';
import { randomToken, sha256 } from '../../lib/crypto.ts';
import { UsageError } from '../../lib/errors.ts';

const PREFIX = 'smista_';
const SHOWN_CHARACTERS = 12;
const TOUCH_AFTER_MS = 60_000;

/** The owner of an API key. */
export interface Identity {
  companyId: number;
  keyId: number;
  scopes: readonly string[];
  /** CIDR; none: the key works from everywhere. */
  addressRanges: readonly string[];
}

/** Reads a key by its hash. */
export function readKey(orm: Orm, hash: string): Promise<ApiKey | null> {
  return systemEm(orm).findOne(ApiKey, { hash });
}

/** Returns the company of a key, null when the key is unknown, revoked or expired. */
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
  const { scopes, addressRanges } = row;
  return { companyId: row.companyId, keyId: row.id, scopes, addressRanges };
}

export interface NewKey {
  companyKey: string;
  name: string;
  expiresAt: Date | null;
  /** Absent: every scope. */
  scopes?: readonly string[];
  /** Addresses or ranges in CIDR form; absent: the key works from everywhere. */
  addressRanges?: readonly string[];
}

/**
 * Creates a key and returns it once. The database stores only its hash. Throws a `UsageError` for an unknown company or scope,
 * and for a range that is none.
 */
export async function createKey(
  deps: Pick<Deps, 'orm' | 'now'>,
  input: NewKey,
): Promise<{ id: number; key: string; companyId: number }> {
  const { scopes = [EVERY_SCOPE], addressRanges = [] } = input;
  const [unknown] = unknownScopes(scopes);
  if (unknown !== undefined)
    throw new UsageError(`There is no scope ${unknown}: use ${EVERY_SCOPE}, ${ADMIN_SCOPE} or ${SCOPES.join(', ')}`);
  const odd = addressRanges.find((range) => !isAddressRange(range));
  if (odd !== undefined) throw new UsageError(`${odd} is no address and no range such as 10.0.0.0/8`);
  const em = systemEm(deps.orm);
  const company = await em.findOne(Company, { key: input.companyKey });
  if (!company) throw new UsageError(`There is no company ${input.companyKey}`);
  const key = randomToken(PREFIX);
  const row = em.create(ApiKey, {
    companyId: company.id,
    name: input.name,
    prefix: key.slice(0, SHOWN_CHARACTERS),
    hash: sha256(key),
    scopes: [...scopes],
    addressRanges: [...addressRanges],
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
  scopes: string[];
  addressRanges: string[];
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

/** Revokes a key, of any company or of the given one. Returns false when there is none. The commit notifies the processes that cache it. */
export async function revokeKey(
  deps: Pick<Deps, 'orm' | 'now'>,
  which: { id: number; companyId?: number },
): Promise<boolean> {
  const em = systemEm(deps.orm);
  const row = await em.findOne(ApiKey, which);
  if (!row) return false;
  await em.nativeUpdate(ApiKey, which, { revokedAt: row.revokedAt ?? deps.now() });
  return true;
}
