import { defineEntity, p } from '@mikro-orm/core';
import { AUDIT_CHANNELS } from '../../domain/audit.ts';
import { companyFilter, createdAt, instant } from './columns.ts';
import { Company } from './company.ts';

const AuditRowSchema = defineEntity({
  name: 'AuditRow',
  tableName: 'audit_log',
  filters: companyFilter,
  indexes: [
    { properties: ['companyId', 'id'] },
    { name: 'audit_log_targets', expression: 'create index audit_log_targets on audit_log using gin (targets)' },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** Null: the installation itself. */
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id').nullable().deleteRule('no action'),
    /** When the outcome was known. */
    at: instant(),
    /** `key:3`, `user:7`, `cli`, or `board` for the login of the settings. */
    actor: p.text(),
    channel: p.enum(AUDIT_CHANNELS),
    /** The network address; null: the command line. */
    address: p.text().strictNullable(),
    operation: p.text(),
    /** The first of the ids it named, such as `order:12`. */
    targets: p.array<string>().columnType('text[]').defaultRaw("'{}'"),
    targetCount: p.integer().default(0),
    /** HTTP; null: the command line. */
    status: p.integer().strictNullable(),
    /** Why it failed; null: it succeeded. */
    code: p.text().strictNullable(),
    requestId: p.text().default(''),
    /** True: an `Idempotency-Key` answered, and nothing was done again. */
    isReplay: p.boolean().default(false),
  },
});
/** A write, or a refusal that matters for security. Never changed and never deleted: triggers refuse both. */
export class AuditRow extends AuditRowSchema.class {}
AuditRowSchema.setClass(AuditRow);

const AuditWaitingSchema = defineEntity({
  name: 'AuditWaiting',
  tableName: 'audit_waiting',
  properties: { auditId: p.bigint('number').primary().autoincrement(false) },
});
/** A row that is not sealed yet. The statement that writes the row writes this too, so a late commit is not overlooked. */
export class AuditWaiting extends AuditWaitingSchema.class {}
AuditWaitingSchema.setClass(AuditWaiting);

const AuditKeySchema = defineEntity({
  name: 'AuditKey',
  tableName: 'audit_keys',
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** The key of the hashes, sealed with SECRET_KEY; bound to this row. */
    sealed: p.text(),
  },
});
/** A key that links were made with. A change of SECRET_KEY begins another, and the old one still verifies its links. */
export class AuditKey extends AuditKeySchema.class {}
AuditKeySchema.setClass(AuditKey);

const AuditLinkSchema = defineEntity({
  name: 'AuditLink',
  tableName: 'audit_links',
  properties: {
    /** From 1, without gaps. */
    position: p.bigint('number').primary().autoincrement(false),
    auditId: p.bigint('number').unique(),
    keyId: p.integer(),
    /** HMAC-SHA-256, base64url, of the position, the hash before and the row. */
    hash: p.text(),
    sealedAt: createdAt(),
  },
});
/** One link of the chain, which seals one row and everything before it. */
export class AuditLink extends AuditLinkSchema.class {}
AuditLinkSchema.setClass(AuditLink);
