import type { Em } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { isSame } from '../../lib/canonical.ts';
import { openSealed } from './keep-secrets.ts';

/** What became of one declared thing. */
export interface Change {
  what: string;
  change: 'created' | 'changed' | 'unchanged';
  /** Names of the fields that changed. */
  fields: string[];
}

export type Row = Record<string, unknown>;

type EntityClass = { new (): { id: number | string } };

/** Creates or changes one row and tells what changed. */
export async function upsert(
  tx: Em,
  entity: unknown,
  where: Row,
  what: string,
  fields: Row,
): Promise<{ id: number; change: Change; row: Row }> {
  const target = entity as EntityClass;
  const known = (await tx.findOne(target, where as never)) as Row | null;
  if (!known) {
    const row = tx.create(target, {
      ...where,
      ...fields,
      createdAt: new Date(),
      updatedAt: new Date(),
    } as never) as Row;
    await tx.persist(row).flush();
    return { id: row.id as number, row, change: { what, change: 'created', fields: [] } };
  }
  const changed = Object.entries(fields)
    .filter(([name, value]) => !isSame(known[name], value))
    .map(([name]) => name);
  if (changed.length > 0) {
    tx.assign(known, { ...fields, updatedAt: new Date() } as never);
    await tx.flush();
  }
  const change = { what, change: changed.length > 0 ? ('changed' as const) : ('unchanged' as const), fields: changed };
  return { id: known.id as number, row: known, change };
}

/** As `upsert`, for rows with sealed credentials; the seal differs each time, so what it holds is compared. */
export async function upsertSealed(
  deps: Pick<Deps, 'vault'>,
  tx: Em,
  entity: unknown,
  where: Row,
  input: {
    what: string;
    /** What the column `credentials` holds, and how a change of it is called. */
    sealed: { name: string; content: Row };
    seal: (id: number) => string;
    fields: Row;
    onCreate: Row;
  },
): Promise<{ id: number; change: Change }> {
  const known = await tx.findOne(entity as EntityClass, where as never);
  const fields = known ? input.fields : { ...input.fields, ...input.onCreate, credentials: '' };
  const { id, row, change } = await upsert(tx, entity, where, input.what, fields);
  // What cannot be opened is written anew.
  const stored = openSealed(deps, row.credentials as string, input.seal(id));
  if (!isSame(stored, input.sealed.content)) {
    row.credentials = deps.vault.seal(input.sealed.content, input.seal(id));
    await tx.flush();
    if (change.change !== 'created')
      return { id, change: { ...change, change: 'changed', fields: [...change.fields, input.sealed.name] } };
  }
  return { id, change };
}
