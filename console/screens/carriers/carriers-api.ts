import { useQuery } from '@tanstack/react-query';
import { asCompany } from '../../api/batches.ts';
import { api, body, errorOf, type Schema } from '../../api/client.ts';
import { persist } from '../../api/persist.ts';

export type Contract = Schema['ContractState'];
export type Check = Schema['ContractCheck'];
export type PriceListImport = Schema['PriceListImport'];
export type WhatIf = Schema['WhatIf'];
export type Side = Schema['PriceChange']['side'];

/** A file of prices and what it is for. */
export interface Upload {
  contract: Contract;
  file: File;
  /** YYYY-MM-DD; empty: always. */
  from: string;
  side: Side;
}

/** An answer, and the request that led to it. */
export interface Answered<Result> {
  result: Result;
  requestId: string;
}

/** Calls and budgets change without an event of the company. */
const AGAIN_MS = 30_000;
const PAUSE_MS = 2000;
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const readContracts = () => body(api.GET('/api/v1/external/carriers/state'));

export function useContracts() {
  return useQuery({ queryKey: ['list', 'contracts', 'state'], queryFn: readContracts, refetchInterval: AGAIN_MS });
}

/** Returns the contract as it is now, null where it is gone. */
export function useContractNow({ carrierCompanyId: id }: Contract) {
  return useQuery({
    queryKey: ['list', 'contracts', 'plan', id],
    queryFn: async () => (await readContracts()).find(({ carrierCompanyId }) => carrierCompanyId === id) ?? null,
    staleTime: 0,
    gcTime: 0,
  });
}

/** Asks the carrier, and waits until it has answered. The same key again gets the first answer. */
export async function checkContract({ carrierCompanyId: id }: Contract, key: string): Promise<Answered<Check>> {
  const params = { path: { id }, header: { 'Idempotency-Key': key } };
  const sent = await persist(() => api.POST('/api/v1/external/carriers/contracts/{id}/verify', { params }));
  const requestId = sent.response.headers.get('X-Request-Id') ?? '';
  let { data, response } = sent as { data?: unknown; response: Response };
  const operation = { path: { id: Number(response.headers.get('Location')?.split('/').at(-1)) } };
  while (response.status === 202) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    ({ data, response } = await persist(() => api.GET('/api/v1/external/operations/{id}', { params: operation })));
  }
  return { result: data as Check, requestId };
}

/** Reads what a file of prices would change. */
export function previewList(upload: Upload): Promise<Answered<PriceListImport>> {
  return sendList(upload, { dryRun: 'true' }, {});
}

/** Returns the preview as it is now. */
export function usePreviewNow(upload: Upload) {
  return useQuery({
    queryKey: ['list', 'price-list', 'plan', upload.contract.carrierCompanyId],
    queryFn: () => previewList(upload),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Writes exactly what a preview showed. The same key again gets the first answer. */
export function importList(
  upload: Upload,
  { digest, key }: { digest: string; key: string },
): Promise<Answered<PriceListImport>> {
  return sendList(upload, { digest }, { 'Idempotency-Key': key });
}

async function sendList(
  { contract, file, from, side }: Upload,
  query: Record<string, string>,
  headers: Record<string, string>,
): Promise<Answered<PriceListImport>> {
  const asked = new URLSearchParams({ ...query, side, ...(from === '' ? {} : { from }) });
  const type = file.name.toLowerCase().endsWith('.xlsx') ? XLSX : 'text/csv';
  // Its bytes and not the file: a browser refuses one that was saved again since it was chosen.
  const bytes = await file.arrayBuffer();
  const response = await persist(() =>
    fetch(`/api/v1/external/carriers/contracts/${contract.carrierCompanyId}/price-list?${asked}`, {
      method: 'POST',
      headers: { 'Content-Type': type, ...headers, ...asCompany() },
      body: bytes,
    }),
  );
  if (!response.ok) throw await errorOf(response);
  return { result: await response.json(), requestId: response.headers.get('X-Request-Id') ?? '' };
}

export interface WhatIfQuestion {
  from: string;
  to: string;
  side: Side;
  /** YYYY-MM-DD; empty: on the day of each shipment. */
  pricesOf: string;
}

export function readWhatIf({ carrierCompanyId: id }: Contract, { pricesOf, ...rest }: WhatIfQuestion): Promise<WhatIf> {
  const query = { ...rest, ...(pricesOf === '' ? {} : { pricesOf }) };
  return body(api.GET('/api/v1/external/carriers/contracts/{id}/what-if', { params: { path: { id }, query } }));
}
