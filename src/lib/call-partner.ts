import { z } from 'zod';
import { type Budget, type BudgetRule, type BudgetStore, budgetOf, memoryBudgets } from './budgets.ts';
import { sha256 } from './crypto.ts';
import { IntegrationError } from './errors.ts';
import { Http, type RecordedExchange } from './http.ts';
import type { Log } from './log.ts';
import { type AccessToken, memoryTokens, type TokenStore } from './tokens.ts';
import type { Transport } from './transport.ts';

/** Everything an adapter may touch: no database, no environment, and only this clock. */
export interface PartnerContext<Account> {
  account: Account;
  /** Every request states effect `read` or `write`; see `lib/http.ts`. */
  http: Http;
  /**
   * Returns an access token of this account: the stored one, or the result of `fetch`. `name` tells several tokens of
   * one account apart. `fetch` must only read, with `context.http`.
   */
  token(name: string, fetch: () => Promise<AccessToken>): Promise<string>;
  /** Drops a stored token that the partner refused before it expired. */
  forgetToken(name: string): Promise<void>;
  /**
   * Returns one of the account's limits at the partner, shared by all workers. `name` tells several limits of one
   * account apart.
   */
  budget(name: string, rule: BudgetRule): Budget;
  log: Log;
  now(): Date;
}

/** The part of an adapter that every kind of partner has. */
export interface Partner {
  id: string;
  label: string;
  account: z.ZodType<unknown>;
}

/** The settings of one call, besides its input. */
export interface PartnerCall {
  /** The stored account; checked against the adapter's schema before any request. */
  account: unknown;
  signal: AbortSignal;
  log: Log;
  now(): Date;
  record?: (exchange: RecordedExchange) => void;
  /** See `HttpOptions`. */
  writeBefore?: number;
  /** See `HttpOptions`. */
  transport?: Transport;
  /** Absent: the call fetches its own token. */
  tokens?: TokenStore;
  /** Absent: the limits count this call alone. */
  budgets?: BudgetStore;
}

/**
 * Calls one method of an adapter; no other code reaches a partner. Checks the account and makes sure that every error
 * is an `IntegrationError` of a kind that the wire supports. Once a write left and was not refused, only the adapter's
 * own `permanent` is believed; everything else is an unknown outcome.
 */
export async function callPartner<Result>(
  partner: Partner,
  call: PartnerCall,
  run: (context: PartnerContext<unknown>) => Promise<Result>,
): Promise<Result> {
  const account = parseAccount(partner, call.account);
  const http = new Http({
    provider: partner.label,
    signal: call.signal,
    ...(call.record ? { record: call.record } : {}),
    ...(call.transport ? { transport: call.transport } : {}),
    ...(call.writeBefore === undefined ? {} : { writeBefore: call.writeBefore }),
  });
  const tokens = call.tokens ?? memoryTokens();
  const budgets = call.budgets ?? memoryBudgets();
  const { signal } = call;
  // Equal accounts share their tokens; changed credentials get new ones.
  const owner = `${partner.id}:${sha256(JSON.stringify(call.account))}`;
  try {
    return await run({
      account,
      http,
      token: (name, fetch) => tokens.get(`${owner}:${name}`, fetch),
      forgetToken: (name) => tokens.forget(`${owner}:${name}`),
      budget: (name, rule) => budgetOf(budgets, { key: `${owner}:${name}`, rule, provider: partner.label, signal }),
      log: call.log,
      now: call.now,
    });
  } catch (error) {
    if (error instanceof IntegrationError && (error.kind !== 'retryable' || !http.mayHaveWritten)) throw error;
    const known = error instanceof IntegrationError ? error : undefined;
    throw new IntegrationError(known?.message ?? `${partner.label} answered something that could not be read`, {
      kind: http.mayHaveWritten ? 'unknown-outcome' : 'retryable',
      provider: partner.label,
      code: known?.code ?? 'answer-unreadable',
      status: known?.status,
      cause: error,
    });
  }
}

/** Reads stored credentials with the adapter's schema. The error names the faulty fields, never their values. */
function parseAccount(partner: Partner, stored: unknown): unknown {
  const parsed = partner.account.safeParse(stored);
  if (parsed.success) return parsed.data;
  const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.') || 'account'))].join(', ');
  throw new IntegrationError(`The ${partner.label} account is incomplete or wrong: ${fields}`, {
    kind: 'permanent',
    provider: partner.label,
    code: 'account-invalid',
  });
}

/** Returns the names of the account fields that an adapter marked `.meta({ secret: true })`. */
export function secretFields(schema: z.ZodType<unknown>): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) => (isSecret(field as z.ZodType) ? [name] : []));
}

function isSecret(field: z.ZodType): boolean {
  if (field.meta()?.secret === true) return true;
  const { innerType } = field.def as { innerType?: z.ZodType };
  return innerType !== undefined && isSecret(innerType);
}

/** Returns the values of those fields in one account. */
export function secretsOf(schema: z.ZodType<unknown>, account: unknown): string[] {
  if (typeof account !== 'object' || account === null) return [];
  return secretFields(schema).flatMap((name) => {
    const value = (account as Record<string, unknown>)[name];
    return typeof value === 'string' && value !== '' ? [value] : [];
  });
}
