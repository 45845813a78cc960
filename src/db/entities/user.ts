import { defineEntity, p } from '@mikro-orm/core';
import { ROLES } from '../../domain/roles.ts';
import { createdAt, instant } from './columns.ts';
import { Company } from './company.ts';

const UserSchema = defineEntity({
  name: 'User',
  tableName: 'users',
  // Found by e-mail address before the company is known, so it has no company filter.
  properties: {
    id: p.integer().primary().autoincrement(),
    /** Null: a person of the installation, who works with every company. */
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id').nullable().index().deleteRule('cascade'),
    /** In lower case. */
    email: p.text().unique(),
    name: p.text().default(''),
    role: p.enum(ROLES),
    /** argon2id, PHC string. */
    passwordHash: p.text(),
    /** Sealed; empty: none. It counts once `totpSince` is set. */
    totpSecret: p.text().default(''),
    totpSince: instant().strictNullable(),
    /** The time step of the last accepted code: an older code is refused, and so is the same one. */
    totpStep: p.integer().strictNullable(),
    /** SHA-256, hex, of the codes that are left. */
    recoveryCodes: p
      .json()
      .$type<string[]>()
      .onCreate(() => [])
      .defaultRaw("'[]'"),
    createdAt: createdAt(),
    lastLoginAt: instant().strictNullable(),
    disabledAt: instant().strictNullable(),
  },
});
export class User extends UserSchema.class {}
UserSchema.setClass(User);

const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.integer().primary().autoincrement(),
    userId: p.manyToOne(User).mapToPk().fieldName('user_id').index().deleteRule('cascade'),
    /** SHA-256, hex, of the token in the cookie. */
    hash: p.text().unique(),
    createdAt: createdAt(),
    lastSeenAt: instant(),
  },
});
/** One login of a person in one browser. */
export class Session extends SessionSchema.class {}
SessionSchema.setClass(Session);
