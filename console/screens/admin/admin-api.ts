import { useQuery } from '@tanstack/react-query';
import { type AdminPaths, adminApi } from '../../api/admin.ts';
import { body } from '../../api/client.ts';

const COMPANY = '/api/v1/admin/companies/{company}';
const PEOPLE = `${COMPANY}/users` as const;
const KEYS = `${COMPANY}/keys` as const;

type Json<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;
export type Person = Json<AdminPaths[typeof PEOPLE]['get']['responses'][200]>[number];
export type Key = Json<AdminPaths[typeof KEYS]['get']['responses'][200]>[number];
export type NewPerson = AdminPaths[typeof PEOPLE]['post']['requestBody']['content']['application/json'];
export type NewKey = AdminPaths[typeof KEYS]['post']['requestBody']['content']['application/json'];

/** The result of a change, and its request. It lives in the state of a screen alone, because it may hold a secret. */
export interface Outcome {
  words: string;
  requestId: string;
  /** Shown this once; null: there is none. */
  secret: string | null;
}

export const peopleKey = (companyKey: string) => ['list', 'admin', 'people', companyKey];
export const keysKey = (companyKey: string) => ['list', 'admin', 'keys', companyKey];

export function readPeople(companyKey: string): Promise<Person[]> {
  return body(adminApi.GET(PEOPLE, { params: { path: { company: companyKey } } }));
}

export function readKeys(companyKey: string): Promise<Key[]> {
  return body(adminApi.GET(KEYS, { params: { path: { company: companyKey } } }));
}

export function usePeople(companyKey: string) {
  return useQuery({
    queryKey: peopleKey(companyKey),
    queryFn: () => readPeople(companyKey),
    staleTime: 0,
    enabled: companyKey !== '',
  });
}

export function useKeysOf(companyKey: string) {
  return useQuery({
    queryKey: keysKey(companyKey),
    queryFn: () => readKeys(companyKey),
    staleTime: 0,
    enabled: companyKey !== '',
  });
}

export async function createPerson(companyKey: string, person: NewPerson) {
  const answer = await adminApi.POST(PEOPLE, { params: { path: { company: companyKey } }, body: person });
  return { requestId: requestIdOf(answer.response), secret: answer.data?.password ?? null };
}

export async function resetPerson(companyKey: string, id: number) {
  const answer = await adminApi.POST(`${PEOPLE}/{id}/reset`, { params: { path: { company: companyKey, id } } });
  return { requestId: requestIdOf(answer.response), secret: answer.data?.password ?? null };
}

export async function disablePerson(companyKey: string, id: number) {
  const { response } = await adminApi.DELETE(`${PEOPLE}/{id}`, { params: { path: { company: companyKey, id } } });
  return { requestId: requestIdOf(response), secret: null };
}

export async function createKey(companyKey: string, key: NewKey) {
  const answer = await adminApi.POST(KEYS, { params: { path: { company: companyKey } }, body: key });
  return { requestId: requestIdOf(answer.response), secret: answer.data?.key ?? null };
}

export async function revokeKey(companyKey: string, id: number) {
  const { response } = await adminApi.DELETE(`${KEYS}/{id}`, { params: { path: { company: companyKey, id } } });
  return { requestId: requestIdOf(response), secret: null };
}

export function requestIdOf(response: Response): string {
  return response.headers.get('X-Request-Id') ?? '';
}
