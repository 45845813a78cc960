import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { AuditKey } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import type { ChainLink } from '../../db/queries/audit-chain.ts';
import type { Deps } from '../../engine/deps.ts';
import { macOf } from '../../lib/crypto.ts';

const KEY_BYTES = 32;

export interface ChainKey {
  id: number;
  key: KeyObject;
}

/** Returns the context that binds a sealed key of the chain to its row. */
export function auditKeySeal(id: number): string {
  return `audit-key:${id}`;
}

/** Begins a key of the chain. It makes the links from now on, so the keys before it are of no use for them. */
export async function beginAuditKey(em: Em, vault: Deps['vault']): Promise<void> {
  const secret = randomBytes(KEY_BYTES).toString('base64');
  const [row] = await em.execute<{ id: number }[]>('select coalesce(max(id), 0) + 1 as id from audit_keys');
  const id = row?.id ?? 1;
  // Two beginners may meet: either key will do.
  await em.execute('insert into audit_keys (id, sealed) values (?, ?) on conflict (id) do nothing', [
    id,
    vault.seal(secret, auditKeySeal(id)),
  ]);
}

/** Returns the newest key of the chain; null: there is none. */
export async function newestAuditKey(em: Em, vault: Deps['vault']): Promise<ChainKey | null> {
  const [row] = await em.find(AuditKey, {}, { orderBy: { id: 'desc' }, limit: 1 });
  return row ? openKey(row, vault) : null;
}

/** Returns all keys of the chain by id. Throws when SECRET_KEY does not open one. */
export async function auditKeys(deps: Pick<Deps, 'orm' | 'vault'>): Promise<ReadonlyMap<number, KeyObject>> {
  const rows = await systemEm(deps.orm).find(AuditKey, {});
  return new Map(rows.map((row) => [row.id, openKey(row, deps.vault).key]));
}

/** Returns the hash of a link. It covers its position, the link before and every field of the row. */
export function hashOf(key: KeyObject, before: string, { position, row }: Pick<ChainLink, 'position' | 'row'>): string {
  return macOf(JSON.stringify([position, before, row]), key);
}

function openKey({ id, sealed }: AuditKey, vault: Deps['vault']): ChainKey {
  const secret = vault.open(sealed, auditKeySeal(id)) as string;
  return { id, key: createSecretKey(secret, 'base64') };
}
