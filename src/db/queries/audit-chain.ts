import type { Em } from '../orm.ts';

/** A row of the audit log in the form that links are made of. Its order of fields and its formats never change. */
export type SealedRow = readonly [
  id: string,
  companyId: number | null,
  at: string,
  actor: string,
  channel: string,
  address: string | null,
  operation: string,
  targets: string[],
  targetCount: number,
  status: number | null,
  code: string | null,
  requestId: string,
  isReplay: boolean,
];

/** One link, and its row. */
export interface ChainLink {
  position: number;
  auditId: string;
  keyId: number;
  hash: string;
  /** Null: the row is not there. */
  row: SealedRow | null;
}

/** Times are text with microseconds in UTC, so that no time zone and no rounding changes them. */
const ROW = `json_build_array(a.id::text, a.company_id, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), a.actor, a.channel,
  a.address, a.operation, a.targets, a.target_count, a.status, a.code, a.request_id, a.is_replay)`;

/** Takes the sealing for this transaction. Returns false while another one seals. */
export async function beginSealing(tx: Em): Promise<boolean> {
  const [row] = await tx.execute<{ held: boolean }[]>(
    `select pg_try_advisory_xact_lock(hashtext('smista audit chain')) as held`,
  );
  return row?.held ?? false;
}

/** Takes the oldest rows that wait, by id. A row that is missing keeps waiting, so that verifying names it. */
export async function takeWaiting(tx: Em, limit: number): Promise<SealedRow[]> {
  const rows = await tx.execute<{ row: SealedRow }[]>(
    `with taken as (
       delete from audit_waiting where audit_id in (
         select w.audit_id from audit_waiting w join audit_log a on a.id = w.audit_id order by w.audit_id limit ?)
       returning audit_id)
     select ${ROW} as row from audit_log a where a.id in (select audit_id from taken) order by a.id`,
    [limit],
  );
  return rows.map(({ row }) => row);
}

/** Returns the last link; null: nothing is sealed yet. */
export async function lastLink(em: Em): Promise<Pick<ChainLink, 'position' | 'hash'> | null> {
  const [link] = await em.execute<{ position: string; hash: string }[]>(
    'select position, hash from audit_links order by position desc limit 1',
  );
  return link ? { position: Number(link.position), hash: link.hash } : null;
}

/** Appends links to the chain. */
export async function insertLinks(tx: Em, links: readonly Omit<ChainLink, 'row'>[]): Promise<void> {
  await tx.execute(
    `insert into audit_links (position, audit_id, key_id, hash)
     select position, "auditId", "keyId", hash
       from jsonb_to_recordset(?::jsonb) as link(position bigint, "auditId" bigint, "keyId" int, hash text)`,
    [JSON.stringify(links)],
  );
}

/** Reads links in the order of their positions. */
export async function readLinks(em: Em, { after, limit }: { after: number; limit: number }): Promise<ChainLink[]> {
  const links = await em.execute<
    { position: string; audit_id: string; key_id: number; hash: string; row: SealedRow | null }[]
  >(
    `select l.position, l.audit_id, l.key_id, l.hash, case when a.id is null then null else ${ROW} end as row
       from audit_links l left join audit_log a on a.id = l.audit_id
      where l.position > ? order by l.position limit ?`,
    [after, limit],
  );
  return links.map(({ position, audit_id, key_id, hash, row }) => ({
    ...{ position: Number(position), auditId: audit_id, keyId: key_id, hash, row },
  }));
}

/** Counts the rows that wait, and finds a row without a link and a link-to-be without its row. Null: there is none. */
export async function looseRows(
  em: Em,
): Promise<{ waiting: number; unlinked: string | null; vanished: string | null }> {
  const [found] = await em.execute<{ waiting: number; unlinked: string | null; vanished: string | null }[]>(
    `select (select count(*)::int from audit_waiting) as waiting,
            (select min(a.id)::text from audit_log a
              where not exists (select from audit_links l where l.audit_id = a.id)
                and not exists (select from audit_waiting w where w.audit_id = a.id)) as unlinked,
            (select min(w.audit_id)::text from audit_waiting w
              where not exists (select from audit_log a where a.id = w.audit_id)) as vanished`,
  );
  return found ?? { waiting: 0, unlinked: null, vanished: null };
}
