import type { NextFunction, Request, Response } from 'express';
import type { AuditChannel, AuditEntry } from '../../domain/audit.ts';
import type { Deps } from '../../engine/deps.ts';
import { writeAudit, writeRefusedLogin } from '../../usecases/audit/write-audit.ts';
import { answeredTargets, askedTargets } from './audit-targets.ts';
import type { StoredReply } from './idempotency.ts';
import type { Reply } from './route.ts';

/** The facts about a request, collected while it is answered. */
interface Facts {
  actor?: { name: string; companyId: number | null };
  channel?: AuditChannel;
  /** The company that a person of the installation works with. */
  company?: { id: number } | { key: string };
  operation?: string;
  isWrite?: boolean;
  targets?: string[];
  /** The e-mail address of a login. It is looked up and never stored. */
  login?: string;
}

const factsByRequest = new WeakMap<Request, Facts>();

/** Adds to what is known of a request. */
export function noteForAudit(request: Request, facts: Facts): void {
  const known = factsByRequest.get(request);
  const targets = [...(known?.targets ?? []), ...(facts.targets ?? [])];
  factsByRequest.set(request, { ...known, ...facts, targets });
}

/** Notes that a key asks. */
export function noteKey(request: Request, key: { keyId: number; companyId: number }): void {
  noteForAudit(request, { actor: { name: `key:${key.keyId}`, companyId: key.companyId }, channel: 'api' });
}

/** Notes that a person asks. */
export function notePerson(request: Request, person: { userId: number; companyId: number | null }): void {
  noteForAudit(request, { actor: { name: `user:${person.userId}`, companyId: person.companyId }, channel: 'console' });
}

/** Notes the ids that a request names. One that only shows what it would do is no write. */
export function noteAsked(
  request: Request,
  path: string,
  { params, query, body }: { params: unknown; query: unknown; body: unknown },
): void {
  const { dryRun, confirm } = (query ?? {}) as { dryRun?: boolean; confirm?: boolean };
  const isRehearsal = dryRun === true || confirm === false;
  noteForAudit(request, { targets: askedTargets(path, { params, body }), ...(isRehearsal ? { isWrite: false } : {}) });
}

/** Notes the ids that an answer names. */
export function noteAnswered(request: Request, path: string, reply: Reply | StoredReply): void {
  const isStored = 'location' in reply;
  const body: unknown = isStored ? JSON.parse(reply.body) : reply.body;
  const location = isStored ? reply.location : reply.headers?.Location;
  noteForAudit(request, { targets: answeredTargets(path, body, location ?? '') });
}

/**
 * Writes a row of the audit log for a request before its answer leaves. What a request did has happened by then. So a row that cannot
 * be written is an error in the log, and the answer stays true. A client that went away makes no difference.
 */
export function audited(deps: Pick<Deps, 'orm' | 'log' | 'now'>) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const end = response.end.bind(response) as (...given: unknown[]) => Response;
    const failed = (err: unknown): void =>
      deps.log.error({ err, requestId: response.locals.requestId }, 'audit row not written');
    response.end = ((...given: unknown[]) => {
      response.end = end as Response['end'];
      const facts = factsByRequest.get(request) ?? {};
      const { actor, login } = facts;
      const { statusCode } = response;
      if (login !== undefined && statusCode === 401) {
        // The answer does not wait: its time would tell whether the address has an account.
        writeRefusedLogin(deps, login, rowOf(deps, facts, { request, response })).catch(failed);
      }
      if (!actor || !isRecorded(facts, statusCode)) return end(...given);
      const { name, companyId } = actor;
      const row = { ...rowOf(deps, facts, { request, response }), actor: name, companyId };
      const own = facts.company && 'id' in facts.company ? { companyId: facts.company.id } : {};
      writeAudit(deps, { ...row, ...own })
        .catch(failed)
        .finally(() => end(...given));
      return response;
    }) as Response['end'];
    next();
  };
}

/** Tells whether a request leaves a row: a write that reached its route, and a refusal of an actor who is known. */
function isRecorded({ isWrite }: Facts, status: number): boolean {
  // The limits turned it away before it did anything, and a row for each would be what they save.
  if (status === 429) return false;
  return isWrite === true || status === 401 || status === 403;
}

function rowOf(
  { now }: Pick<Deps, 'now'>,
  { actor, company, channel = 'console', operation = 'access', targets = [] }: Facts,
  { request, response }: { request: Request; response: Response },
): Omit<AuditEntry, 'actor' | 'companyId'> {
  const { statusCode: status, locals } = response;
  return {
    companyKey: company && 'key' in company && actor?.companyId === null ? company.key : null,
    at: now(),
    channel,
    address: request.ip ?? null,
    operation,
    targets: [...new Set(targets)],
    status,
    code: status < 400 ? null : ((locals.code as string | undefined) ?? `http-${status}`),
    requestId: (locals.requestId as string | undefined) ?? '',
    isReplay: response.get('Idempotency-Replayed') === 'true',
  };
}
