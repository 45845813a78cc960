import { useQuery } from '@tanstack/react-query';
import { type AdminPaths, adminApi } from '../../api/admin.ts';
import { api, body, errorOf, type Schema } from '../../api/client.ts';
import { requestIdOf } from './admin-api.ts';

const APPLY = '/api/v1/admin/apply';
/** The ways in which a declaration is applied, as the audit log names them. */
const APPLYING = ['postApply', 'putCompaniesCompany', 'apply'];

export type Report = AdminPaths['/api/v1/admin/apply']['post']['responses'][200]['content']['application/json'];

/** Reads the declaration of a company as YAML. Secrets are the word `keep`. */
async function readDeclaration(companyKey: string): Promise<string> {
  const params = { query: { company: companyKey, format: 'yaml' } } as const;
  const { data } = await adminApi.GET('/api/v1/admin/export', { params, parseAs: 'text' });
  return data ?? '';
}

export const setupKey = (companyKey: string) => ['list', 'admin', 'setup', companyKey];

export function useDeclaration(companyKey: string | null) {
  return useQuery({
    queryKey: setupKey(companyKey ?? ''),
    queryFn: () => readDeclaration(companyKey ?? ''),
    enabled: companyKey !== null,
    staleTime: 0,
  });
}

/** Returns the newest row of the audit log that tells of an apply; null: there is none. */
export function useLastApplied(companyKey: string | null, ofInstallation: boolean) {
  return useQuery({
    queryKey: ['list', 'admin', 'applied', companyKey],
    queryFn: async () => {
      const pages = await Promise.all(APPLYING.map((operation) => readRows({ operation, companyKey, ofInstallation })));
      const done = pages.flat().filter(({ outcome }) => outcome === 'ok');
      return done.toSorted((one, other) => other.id - one.id)[0] ?? null;
    },
  });
}

interface Rows {
  operation: string;
  companyKey: string | null;
  ofInstallation: boolean;
}

async function readRows({ operation, companyKey, ofInstallation }: Rows): Promise<Schema['AuditEntry'][]> {
  const params = { query: { operation, limit: 10 } };
  const [own, shared] = await Promise.all([
    companyKey === null ? [] : body(api.GET('/api/v1/external/audit', { params })),
    ofInstallation ? body(adminApi.GET('/api/v1/admin/audit', { params })) : [],
  ]);
  return [...own, ...shared];
}

export interface Reported {
  report: Report;
  requestId: string;
}

/** Sends a declaration as it was typed, so that faults name their line. */
export async function sendDeclaration(text: string, { isDryRun }: { isDryRun: boolean }): Promise<Reported> {
  const response = await fetch(isDryRun ? `${APPLY}?dryRun=true` : APPLY, {
    method: 'POST',
    headers: { 'Content-Type': 'application/yaml', 'Accept-Language': document.documentElement.lang },
    body: text,
  });
  if (!response.ok) throw await errorOf(response);
  return { report: (await response.json()) as Report, requestId: requestIdOf(response) };
}
