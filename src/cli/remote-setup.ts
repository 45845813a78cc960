import { ServiceAway, UsageError, type Violation } from '../lib/errors.ts';
import type { SetupReport } from '../usecases/setup/administer.ts';
import { DeclarationError, type Fault } from '../usecases/setup/declaration-faults.ts';

const ANSWER_MS = 120_000;
const SESSION_PREFIX = 'session_';

/** A running service, and the credential of an admin: an API key, or the token of a session. */
export interface Service {
  url: string;
  token: string;
}

/** Returns the service to use. Throws a `UsageError` for an address that is none, and without a credential. */
export function serviceAt(url: string, token: string | undefined): Service {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError(`${url} is no address of a service: use one such as https://smista.example.com`);
  }
  if (token === undefined) {
    throw new UsageError('Set SMISTA_TOKEN, or SMISTA_TOKEN_FILE, to an API key with the scope admin');
  }
  return { url: url.replace(/\/+$/, ''), token };
}

/** Applies a declaration at a service. Throws a `DeclarationError` with every fault. */
export async function applyAt(
  service: Service,
  { declared, isDryRun }: { declared: unknown; isDryRun: boolean },
): Promise<SetupReport> {
  const body = JSON.stringify(declared);
  const answer = await ask(service, `/apply?dryRun=${isDryRun}`, { method: 'POST', body });
  const { violations = [], detail } = answer.body as { violations?: Violation[]; detail?: string };
  const faults = violations.filter((violation) => violation.in === 'body');
  if (faults.length > 0) throw new DeclarationError(faults.map((fault) => faultOf(fault, declared)));
  if (answer.status !== 200) throw new UsageError(String(detail));
  return answer.body as SetupReport;
}

/** Returns the declaration of companies at a service. Throws a `UsageError` for a company that it does not show. */
export async function exportFrom(service: Service, company: string | null): Promise<unknown> {
  const query = company === null ? '' : `?company=${encodeURIComponent(company)}`;
  const { status, body } = await ask(service, `/export${query}`, { method: 'GET' });
  if (status !== 200) throw new UsageError(String((body as { detail?: unknown }).detail));
  return body;
}

/** Asks the service. Throws for anything but its JSON, for its own failures, and when it cannot be reached. */
async function ask(
  { url, token }: Service,
  path: string,
  request: { method: string; body?: string },
): Promise<{ status: number; body: object }> {
  const response = await fetch(`${url}/api/v1/admin${path}`, {
    ...request,
    headers: {
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token.startsWith(SESSION_PREFIX)
        ? { cookie: `smista_session=${token}`, origin: new URL(url).origin }
        : { 'x-api-key': token }),
    },
    // A redirect would take the credential elsewhere.
    redirect: 'manual',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((cause: Error) => {
    const reason = cause.cause instanceof Error ? cause.cause.message || cause.message : cause.message;
    throw new ServiceAway(`${url} cannot be reached: ${reason}`, { cause });
  });
  const { status } = response;
  if (status >= 300 && status < 400) {
    throw new UsageError(`${url} answers with a redirect to ${response.headers.get('location')}: use that address`);
  }
  const body: unknown = await response.json().catch(() => null);
  const { detail } = (body ?? {}) as { detail?: unknown };
  if (status >= 500 || status === 429) throw new ServiceAway(`${url} answered ${status}: ${detail ?? 'no reason'}`);
  if (typeof body !== 'object' || body === null) {
    throw new UsageError(`${url} answered ${status} without JSON: it is not the address of smista`);
  }
  return { status, body };
}

/** Returns the fault that a violation tells, with its path in the declaration. */
function faultOf({ pointer, message, kind }: Violation, declared: unknown): Fault {
  const path: (string | number)[] = [];
  let at = declared;
  for (const escaped of pointer.split('/').slice(1)) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(at) ? Number(step) : step);
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined;
  }
  return {
    path,
    message,
    ...(kind === 'unknown-field' ? { isUnknownField: true } : {}),
    ...(kind?.endsWith('text-wanted') ? { wantsText: true, isSecret: kind === 'secret-text-wanted' } : {}),
  };
}
