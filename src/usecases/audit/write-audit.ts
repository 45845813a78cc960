import { ApiKey, Connection, Order, Shipment, User } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { insertAudit } from '../../db/queries/insert-audit.ts';
import type { AuditEntry } from '../../domain/audit.ts';
import type { Deps } from '../../engine/deps.ts';

/** Writes a row of the audit log. It has its own transaction: what it tells of has happened, or was refused. */
export async function writeAudit(deps: Pick<Deps, 'orm'>, entry: AuditEntry): Promise<void> {
  await insertAudit(deps.orm, entry);
}

/** Writes that a login was refused, when the e-mail address belongs to a person. */
export async function writeRefusedLogin(
  deps: Pick<Deps, 'orm'>,
  email: string,
  entry: Omit<AuditEntry, 'actor' | 'companyId'>,
): Promise<void> {
  const user = await findUser(deps, email);
  if (user) await insertAudit(deps.orm, { ...entry, actor: `user:${user.id}`, companyId: user.companyId ?? null });
}

const OWNED = { order: Order, shipment: Shipment, key: ApiKey, connection: Connection } as const;
export type OwnedNoun = keyof typeof OWNED;

/** Returns the company that all of these rows belong to; null: there are several, or none. */
export async function ownerOf(
  deps: Pick<Deps, 'orm'>,
  noun: OwnedNoun,
  ids: readonly number[],
): Promise<number | null> {
  const rows: { companyId: number }[] = await systemEm(deps.orm).find(
    OWNED[noun] as typeof Order,
    { id: { $in: [...ids] } },
    { fields: ['companyId'] },
  );
  const [owner, other] = new Set(rows.map(({ companyId }) => companyId));
  return other === undefined ? (owner ?? null) : null;
}

/** Returns the person that an e-mail address belongs to, null for none. */
export async function findUser(deps: Pick<Deps, 'orm'>, email: string): Promise<Pick<User, 'id' | 'companyId'> | null> {
  return systemEm(deps.orm).findOne(User, { email: email.trim().toLowerCase() }, { fields: ['id', 'companyId'] });
}
