import { randomBytes } from 'node:crypto';
import { Company, Session, User } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { ROLES, type UserRole } from '../../domain/roles.ts';
import type { Deps } from '../../engine/deps.ts';
import { UsageError } from '../../lib/errors.ts';
import { hashPassword } from '../../lib/password.ts';
import { NO_SECOND_FACTOR } from './second-factor.ts';

const PASSWORD_BYTES = 15;
const EMAIL = /^[^\s@]+@[^\s@]+$/;

export interface NewUser {
  email: string;
  name: string;
  role: string;
  /** Null: a person of the installation, who works with every company. */
  companyKey: string | null;
}

export interface UserRow {
  id: number;
  email: string;
  name: string;
  role: UserRole;
  /** The key of the company; null: the whole installation. */
  company: string | null;
  /** The person logs in with a second factor. */
  hasTotp: boolean;
  lastLoginAt: Date | null;
  disabledAt: Date | null;
}

/** Creates a person with a random password, which is returned once. Throws a `UsageError` for anything that does not fit. */
export async function createUser(
  deps: Pick<Deps, 'orm' | 'now'>,
  input: NewUser,
): Promise<{ id: number; password: string }> {
  const em = systemEm(deps.orm);
  const email = emailOf(input.email);
  const role = ROLES.find((known) => known === input.role);
  if (role === undefined) throw new UsageError(`There is no role ${input.role}: use ${ROLES.join(', ')}`);
  const company = input.companyKey === null ? null : await em.findOne(Company, { key: input.companyKey });
  if (input.companyKey !== null && !company) throw new UsageError(`There is no company ${input.companyKey}`);
  if ((await em.count(User, { email })) > 0) throw new UsageError(`There is already a user ${email}`);
  const password = newPassword();
  const user = em.create(User, {
    email,
    name: input.name,
    role,
    companyId: company?.id ?? null,
    passwordHash: await hashPassword(password),
    createdAt: deps.now(),
    lastLoginAt: null,
    disabledAt: null,
    ...NO_SECOND_FACTOR,
  });
  await em.persist(user).flush();
  return { id: user.id, password };
}

/** Lists people, of one company or of all. */
export async function listUsers(deps: Pick<Deps, 'orm'>, companyKey: string | null): Promise<UserRow[]> {
  const em = systemEm(deps.orm);
  const found = await em.find(Company, companyKey === null ? {} : { key: companyKey });
  const companies = new Map(found.map(({ id, key }) => [id, key]));
  const where = companyKey === null ? {} : { companyId: { $in: [...companies.keys()] } };
  const users = await em.find(User, where, { orderBy: { id: 'asc' } });
  return users.map(({ id, email, name, role, companyId, totpSince, lastLoginAt, disabledAt }) => ({
    ...{ id, email, name, role, lastLoginAt, disabledAt },
    company: companies.get(companyId ?? 0) ?? null,
    hasTotp: totpSince !== null,
  }));
}

/** Ends all logins of a person and refuses further ones. */
export async function disableUser(deps: Pick<Deps, 'orm' | 'now'>, email: string): Promise<void> {
  await systemEm(deps.orm).transactional(async (tx) => {
    const user = await readUser(tx, email);
    await tx.nativeUpdate(User, { id: user.id }, { disabledAt: user.disabledAt ?? deps.now() });
    await tx.nativeDelete(Session, { userId: user.id });
  });
}

/**
 * Gives a person a new random password, which is returned once. Ends all logins, switches the second factor off, and takes back that the
 * person is disabled.
 */
export async function resetUser(deps: Pick<Deps, 'orm'>, email: string): Promise<string> {
  const password = newPassword();
  const passwordHash = await hashPassword(password);
  await systemEm(deps.orm).transactional(async (tx) => {
    const { id } = await readUser(tx, email);
    await tx.nativeUpdate(User, { id }, { passwordHash, disabledAt: null, ...NO_SECOND_FACTOR });
    await tx.nativeDelete(Session, { userId: id });
  });
  return password;
}

async function readUser(em: ReturnType<typeof systemEm>, email: string): Promise<User> {
  const user = await em.findOne(User, { email: emailOf(email) });
  if (!user) throw new UsageError(`There is no user ${emailOf(email)}`);
  return user;
}

/** Returns an address as it is stored. Throws a `UsageError` for a text that is none. */
function emailOf(text: string): string {
  const email = text.trim().toLowerCase();
  if (!EMAIL.test(email) || email.length > 254) throw new UsageError(`${text} is no e-mail address`);
  return email;
}

function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}
