import type { Em } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { isSame } from '../../lib/canonical.ts';
import { openSealed } from './keep-secrets.ts';

/** The result for one declared row. */
export interface Change {
  what: string;
  change: 'created' | 'changed' | 'unchanged';
  /** Names of changed fields. */
  fields: string[];
}

export type Row = Record<string, unknown>;

type EntityClass = { new (): { id: number | string } };

/** Creates or changes one row and returns the changes. */
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

/** Works like `upsert` for rows with encrypted credentials. It compares decrypted values, because each encryption differs. */
export async function upsertSealed(
  deps: Pick<Deps, 'vault'>,
  tx: Em,
  entity: unknown,
  where: Row,
  input: {
    what: string;
    /** The content of `credentials`, and the name of its change. */
    sealed: { name: string; content: Row };
    seal: (id: number) => string;
    fields: Row;
    onCreate: Row;
  },
): Promise<{ id: number; change: Change }> {
  const known = await tx.findOne(entity as EntityClass, where as never);
  const fields = known ? input.fields : { ...input.fields, ...input.onCreate, credentials: '' };
  const { id, row, change } = await upsert(tx, entity, where, input.what, fields);
  // Credentials that cannot be decrypted are replaced.
  const stored = openSealed(deps, row.credentials as string, input.seal(id));
  if (!isSame(stored, input.sealed.content)) {
    row.credentials = deps.vault.seal(input.sealed.content, input.seal(id));
    await tx.flush();
    if (change.change !== 'created')
      return { id, change: { ...change, change: 'changed', fields: [...change.fields, input.sealed.name] } };
  }
  return { id, change };
}
