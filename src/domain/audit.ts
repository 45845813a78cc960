/** The ways in. `console`: a person who is logged in; `board`: the board of queues. */
export const AUDIT_CHANNELS = ['api', 'console', 'board', 'cli'] as const;
export type AuditChannel = (typeof AUDIT_CHANNELS)[number];

/** Ids that a row keeps; `targetCount` counts them all. */
export const MAX_TARGETS = 100;

/** One write, as it is recorded. It holds ids and our own words: no names, no texts of a request, no secrets. */
export interface AuditEntry {
  /** Null: the installation, unless `companyKey` names a company. */
  companyId: number | null;
  /** The key of the company, where its id is not known. */
  companyKey: string | null;
  at: Date;
  actor: string;
  channel: AuditChannel;
  address: string | null;
  operation: string;
  targets: readonly string[];
  status: number | null;
  code: string | null;
  requestId: string;
  isReplay: boolean;
}
