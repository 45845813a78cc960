import { useQuery } from '@tanstack/react-query';
import { errorOf } from './client.ts';
import { company } from './company.ts';
import { queries } from './queries.ts';

export interface Session {
  email: string;
  name: string;
  role: 'viewer' | 'operator' | 'admin';
  scopes: string[];
  /** Works with every company, and creates them. */
  ofInstallation: boolean;
  companies: { key: string; name: string; timeZone: string }[];
}

/** The ways to log in beside a password. */
export const ways: { identityProvider: string | null } = { identityProvider: null };

const PATH = '/api/v1/session';
const KEY = ['session'];

/** Returns the person who is logged in, null before the login. */
export function useSession() {
  return useQuery({ queryKey: KEY, queryFn: readSession, staleTime: Number.POSITIVE_INFINITY });
}

async function readSession(): Promise<Session | null> {
  const response = await fetch(PATH);
  if (response.status === 401) {
    const { identityProvider } = (await response.json()) as { identityProvider?: string };
    ways.identityProvider = identityProvider ?? null;
    return null;
  }
  if (!response.ok) throw await errorOf(response);
  return remember((await response.json()) as Session);
}

/** Throws an `ApiError` for wrong credentials. */
export async function logIn(credentials: { email: string; password: string; code?: string }): Promise<void> {
  const response = await fetch(PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(credentials),
  });
  if (!response.ok) throw await errorOf(response);
  queries.setQueryData(KEY, remember((await response.json()) as Session));
}

export async function logOut(): Promise<void> {
  await fetch(PATH, { method: 'DELETE' });
  forgetSession();
}

/** Forgets who is logged in, and everything that was read for that person. */
export function forgetSession(): void {
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== KEY[0] });
  queries.setQueryData(KEY, null);
}

/** Keeps the chosen company when the person still has it. */
function remember(session: Session): Session {
  const isKnown = session.companies.some(({ key }) => key === company.value);
  if (!isKnown) company.choose(session.companies[0]?.key ?? null);
  return session;
}

/** Returns the time zone of the chosen company. */
export function timeZoneOf(session: Session): string {
  return session.companies.find(({ key }) => key === company.value)?.timeZone ?? 'Europe/Rome';
}

/** Returns true when the person's role includes the scope. */
export function may(session: Session, scope: string): boolean {
  return session.scopes.includes('*') || session.scopes.includes(scope);
}
