import type { KeyObject } from 'node:crypto';
import { systemEm } from '../../db/orm.ts';
import { type ChainLink, looseRows, readLinks } from '../../db/queries/audit-chain.ts';
import type { Deps } from '../../engine/deps.ts';
import { auditKeys, hashOf } from './audit-keys.ts';

const PAGE = 1000;

/** A link, as a person notes it to compare it later: the end of the chain at that time. */
export interface Head {
  position: number;
  hash: string;
}

/** The truth about the chain. */
export interface AuditProof {
  /** Rows whose links are right, up to the first broken one. */
  sealed: number;
  /** Rows that are not sealed yet. */
  waiting: number;
  /** The last link that is right; null: there is none. */
  head: Head | null;
  /** The first thing that is wrong, in words; null: nothing. */
  broken: string | null;
}

/**
 * Walks the chain from its first link, in pages. `known` is a head of an earlier proof: the chain must still have it, since links cut
 * off at the end leave no other trace.
 */
export async function verifyAudit(
  deps: Pick<Deps, 'orm' | 'vault'>,
  { known = null }: { known?: Head | null } = {},
): Promise<AuditProof> {
  const em = systemEm(deps.orm);
  const keys = await auditKeys(deps);
  let head: Head = { position: 0, hash: '' };
  let broken: string | null = null;
  for (let isMore = true; isMore && broken === null; ) {
    const links = await readLinks(em, { after: head.position, limit: PAGE });
    isMore = links.length === PAGE;
    for (const link of links) {
      broken = faultOf(link, head, keys) ?? differenceOf(link, known);
      if (broken !== null) break;
      head = { position: link.position, hash: link.hash };
    }
  }
  const { waiting, unlinked, vanished } = await looseRows(em);
  if (known && known.position > head.position) broken ??= `link ${head.position + 1} is missing`;
  if (unlinked !== null) broken ??= `row ${unlinked} has no link`;
  if (vanished !== null) broken ??= `row ${vanished} is missing: it was not sealed yet`;
  return { sealed: head.position, waiting, head: head.position === 0 ? null : head, broken };
}

function faultOf(link: ChainLink, before: Head, keys: ReadonlyMap<number, KeyObject>): string | null {
  const { position, auditId, keyId, hash, row } = link;
  if (position !== before.position + 1) return `link ${before.position + 1} is missing`;
  if (!row) return `row ${auditId} is missing: link ${position} seals it`;
  const key = keys.get(keyId);
  if (!key) return `key ${keyId} is missing: link ${position} was made with it`;
  if (hashOf(key, before.hash, { position, row }) === hash) return null;
  return `row ${auditId} or its link ${position} was changed`;
}

function differenceOf({ position, hash }: ChainLink, known: Head | null): string | null {
  if (position !== known?.position || hash === known.hash) return null;
  return `link ${position} is not the one of the given head`;
}
