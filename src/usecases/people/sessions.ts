import { Company, Session, User } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import type { UserRole } from '../../domain/roles.ts';
import type { Deps } from '../../engine/deps.ts';
import { randomToken, sha256 } from '../../lib/crypto.ts';
import { hashPassword, isPassword } from '../../lib/password.ts';
import { useCode } from './second-factor.ts';

const PREFIX = 'session_';
/** A login ends this long after its last request. */
const IDLE_MS = 12 * 3_600_000;
/** A login ends this long after it began, in seconds. */
export const LONGEST_SESSION_SECONDS = 7 * 86_400;
const TOUCH_AFTER_MS = 60_000;

/** A person who is logged in. */
export interface Person {
  sessionId: number;
  userId: number;
  email: string;
  name: string;
  role: UserRole;
  /** Null: every company. */
  companyId: number | null;
  /** Logs in with a second factor. */
  hasTotp: boolean;
}

/** A person whose password was right. */
export interface Proven {
  user: User;
  /** A login also needs a code. */
  needsCode: boolean;
}

/** Returns the person with this password, null for a wrong password, a disabled person, or none. */
export async function provePassword(
  deps: Pick<Deps, 'orm'>,
  { email, password }: { email: string; password: string },
): Promise<Proven | null> {
  const user = await systemEm(deps.orm).findOne(User, { email: email.trim().toLowerCase(), disabledAt: null });
  if (!(await isPassword(password, user?.passwordHash ?? null)) || !user) return null;
  return { user, needsCode: user.totpSince !== null };
}

/** Returns the person with an e-mail address that an identity provider has verified; null for a disabled person, and for none. */
export function findVerified(deps: Pick<Deps, 'orm'>, email: string): Promise<User | null> {
  return systemEm(deps.orm).findOne(User, { email: email.trim().toLowerCase(), disabledAt: null });
}

/**
 * Logs a person in. Returns the token of the session; null for a wrong code, or when the person has changed since.
 * @param code null: the person was asked for none
 */
export async function openSession(
  deps: Pick<Deps, 'orm' | 'vault' | 'now'>,
  user: User,
  code: string | null,
): Promise<string | null> {
  const token = randomToken(PREFIX);
  const now = deps.now();
  const isOpen = await systemEm(deps.orm).transactional(async (tx) => {
    if (code !== null && !(await useCode(deps, tx, { user, code }))) return false;
    // A reset, a disabling or a new second factor that came meanwhile has changed the row.
    const { id, passwordHash, totpSince } = user;
    const same = { id, passwordHash, totpSince, disabledAt: null };
    if ((await tx.nativeUpdate(User, same, { lastLoginAt: now })) === 0) return false;
    await tx.insert(Session, { userId: id, hash: sha256(token), createdAt: now, lastSeenAt: now });
    const over = new Date(now.getTime() - IDLE_MS);
    await tx.nativeDelete(Session, { userId: id, lastSeenAt: { $lt: over } });
    return true;
  });
  return isOpen ? token : null;
}

/** Changes the password of a person and ends all other logins. Returns false when the present password is wrong. */
export async function changePassword(
  deps: Pick<Deps, 'orm'>,
  { userId, sessionId, email }: Person,
  { password, newPassword }: { password: string; newPassword: string },
): Promise<boolean> {
  const proven = await provePassword(deps, { email, password });
  if (proven?.user.id !== userId) return false;
  const passwordHash = await hashPassword(newPassword);
  return systemEm(deps.orm).transactional(async (tx) => {
    const same = { id: userId, passwordHash: proven.user.passwordHash, disabledAt: null };
    if ((await tx.nativeUpdate(User, same, { passwordHash })) === 0) return false;
    await tx.nativeDelete(Session, { userId, id: { $ne: sessionId } });
    return true;
  });
}

/** Returns the person of a session, null when it is over. */
export async function readSession(deps: Pick<Deps, 'orm' | 'now'>, token: string): Promise<Person | null> {
  if (!token.startsWith(PREFIX) || token.length > 100) return null;
  const em = systemEm(deps.orm);
  const session = await em.findOne(Session, { hash: sha256(token) });
  if (!session) return null;
  const now = deps.now();
  const idleMs = now.getTime() - session.lastSeenAt.getTime();
  const ageMs = now.getTime() - session.createdAt.getTime();
  if (idleMs > IDLE_MS || ageMs > LONGEST_SESSION_SECONDS * 1000) return null;
  const user = await em.findOne(User, { id: session.userId, disabledAt: null });
  if (!user) return null;
  if (idleMs > TOUCH_AFTER_MS) await em.nativeUpdate(Session, { id: session.id }, { lastSeenAt: now });
  const { id: userId, email, name, role, companyId, totpSince } = user;
  return {
    sessionId: session.id,
    userId,
    email,
    name,
    role,
    companyId: companyId ?? null,
    hasTotp: totpSince !== null,
  };
}

/** Ends a session. */
export async function closeSession(deps: Pick<Deps, 'orm'>, sessionId: number): Promise<void> {
  await systemEm(deps.orm).nativeDelete(Session, { id: sessionId });
}

/** Returns the company of a person by its key; null: the only one that the person works with. */
export async function findCompany(
  deps: Pick<Deps, 'orm'>,
  { companyId }: Pick<Person, 'companyId'>,
  key: string | null,
): Promise<Pick<Company, 'id'> | null> {
  const where = { ...(companyId === null ? {} : { id: companyId }), ...(key === null ? {} : { key }) };
  const [one, another] = await systemEm(deps.orm).find(Company, where, { fields: ['id'], limit: 2 });
  return one && !another ? one : null;
}

/** Returns the companies that a person works with. */
export async function companiesOf(
  deps: Pick<Deps, 'orm'>,
  { companyId }: Pick<Person, 'companyId'>,
): Promise<{ id: number; key: string; name: string; timeZone: string }[]> {
  const where = companyId === null ? {} : { id: companyId };
  const companies = await systemEm(deps.orm).find(Company, where, { orderBy: { key: 'asc' } });
  return companies.map(({ id, key, name, settings }) => ({ id, key, name, timeZone: settings.timeZone }));
}
