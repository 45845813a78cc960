import { systemEm } from '../../db/orm.ts';
import { beginSealing, type ChainLink, insertLinks, lastLink, takeWaiting } from '../../db/queries/audit-chain.ts';
import type { Deps } from '../../engine/deps.ts';
import { beginAuditKey, hashOf, newestAuditKey } from './audit-keys.ts';

/** Rows per transaction. */
const BATCH = 1000;

/**
 * Seals the rows of the audit log that wait: each gets a link of the chain. Any number of schedulers may call it. A batch is sealed
 * whole or not at all. Returns the number of rows that were sealed.
 */
export async function sealAudit(deps: Pick<Deps, 'orm' | 'vault'>): Promise<number> {
  let sealed = 0;
  for (;;) {
    const count = await sealBatch(deps);
    sealed += count;
    if (count < BATCH) return sealed;
  }
}

async function sealBatch({ orm, vault }: Pick<Deps, 'orm' | 'vault'>): Promise<number> {
  return systemEm(orm).transactional(async (tx) => {
    if (!(await beginSealing(tx))) return 0;
    const rows = await takeWaiting(tx, BATCH);
    if (rows.length === 0) return 0;
    const last = await lastLink(tx);
    // A chain whose keys are gone must not go on as if it were a new one.
    if (last === null) await beginFirstKey(tx, vault);
    const newest = await newestAuditKey(tx, vault);
    if (!newest) throw new Error('The keys of the audit log are missing: restore the table audit_keys from a backup');
    let [position, before] = [last?.position ?? 0, last?.hash ?? ''];
    const links = rows.map((row): Omit<ChainLink, 'row'> => {
      position += 1;
      before = hashOf(newest.key, before, { position, row });
      return { position, auditId: row[0], keyId: newest.id, hash: before };
    });
    await insertLinks(tx, links);
    return links.length;
  });
}

async function beginFirstKey(tx: ReturnType<typeof systemEm>, vault: Deps['vault']): Promise<void> {
  if (!(await newestAuditKey(tx, vault))) await beginAuditKey(tx, vault);
}
