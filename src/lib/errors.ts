/** The certainty about an outside call that failed. `unknown-outcome` is reconciled and never retried blindly. */
export type FailureKind = 'retryable' | 'permanent' | 'unknown-outcome';

export interface IntegrationErrorOptions {
  kind: FailureKind;
  provider: string;
  /** Stable kebab-case code, listed in docs/errors.md. */
  code: string;
  retryAfterMs?: number | undefined;
  status?: number | undefined;
  /** The partner's answer, for adapters that read its error body. Never logged. */
  body?: string | undefined;
  /** See `IntegrationError.isAuthoritative`. */
  isAuthoritative?: boolean | undefined;
  cause?: unknown;
}

/** A carrier or marketplace call that failed. Adapters throw nothing else. */
export class IntegrationError extends Error {
  readonly kind: FailureKind;
  readonly provider: string;
  readonly code: string;
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;
  readonly body: string | undefined;
  /**
   * The partner itself states, in a form that its protocol names, that it did not do this very thing. Only such a
   * refusal settles an earlier try whose answer was lost; a refused login, a throttle or a proxy's page never do.
   */
  readonly isAuthoritative: boolean;

  constructor(message: string, options: IntegrationErrorOptions) {
    super(message, { cause: options.cause });
    this.name = 'IntegrationError';
    this.kind = options.kind;
    this.provider = options.provider;
    this.code = options.code;
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
    this.body = options.body;
    this.isAuthoritative = options.isAuthoritative ?? false;
  }
}

const OUTCOMES: Record<FailureKind, string> = {
  permanent: 'refused',
  retryable: 'failed',
  'unknown-outcome': 'left the outcome unknown',
};

/**
 * Returns our own sentence about a failed call, for logs and the queue. The error's message is for the client: it may hold
 * the partner's words, and they may repeat names and addresses.
 */
export function describeFailure({ provider, kind, code }: IntegrationError): string {
  return `${provider} ${OUTCOMES[kind]}: ${code}`;
}

export type FaultSource = 'client' | 'platform' | 'carrier' | 'marketplace';

/** One fault in the request; `pointer` is an RFC 6901 JSON pointer into `in`. */
export interface Violation {
  in: 'body' | 'query' | 'path' | 'header';
  pointer: string;
  message: string;
  /** The kind of a fault in a declaration. */
  kind?: 'unknown-field' | 'text-wanted' | 'secret-text-wanted';
  /** The place in a body that is YAML, counted from one. */
  line?: number;
  column?: number;
}

export interface ProblemOptions {
  status: number;
  code: string;
  title: string;
  source?: FaultSource;
  retryable?: boolean;
  violations?: Violation[];
  headers?: Record<string, string>;
  /** Extra fields of this kind of problem. */
  extra?: { orderId?: number; scope?: string };
  cause?: unknown;
}

/** A failure of a request that is answered as an RFC 9457 problem. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly source: FaultSource;
  readonly retryable: boolean;
  readonly violations: Violation[];
  readonly headers: Record<string, string>;
  readonly extra: { orderId?: number };

  constructor(detail: string, options: ProblemOptions) {
    super(detail, { cause: options.cause });
    this.name = 'Problem';
    this.status = options.status;
    this.code = options.code;
    this.title = options.title;
    this.source = options.source ?? 'client';
    this.retryable = options.retryable ?? false;
    this.violations = options.violations ?? [];
    this.headers = options.headers ?? {};
    this.extra = options.extra ?? {};
  }
}

/** A person's mistake at the command line or in a file: printed as its message alone, exit code 2. */
export class UsageError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UsageError';
  }
}

/** A running service that a command asked and that did not do its part: printed as its message alone, exit code 1. */
export class ServiceAway extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceAway';
  }
}
