import { useQuery } from '@tanstack/react-query';
import { asCompany } from './batches.ts';
import { api, body, errorOf, type Schema } from './client.ts';
import { persist } from './persist.ts';

export type Printer = Schema['Printer'];
export type PrintJob = Schema['PrintJob'];

/** No event tells of a printer that an admin declared or switched off. */
const AGAIN_MS = 60_000;

/** Reads the printers that are switched on. */
export function usePrinters() {
  return useQuery({
    queryKey: ['list', 'printers'],
    queryFn: () => body(api.GET('/api/v1/external/printers')),
    select: (printers) => printers.filter(({ isEnabled }) => isEnabled),
    refetchInterval: AGAIN_MS,
  });
}

/** Groups printers by packing station. A printer without one is a station of its own. */
export function stationsOf(printers: readonly Printer[]): Map<string, Printer[]> {
  const stations = new Map<string, Printer[]>();
  for (const printer of printers) {
    for (const name of printer.stations.length > 0 ? printer.stations : [printer.name]) {
      stations.set(name, [...(stations.get(name) ?? []), printer]);
    }
  }
  return stations;
}

interface Print {
  shipmentId: number;
  printer: string;
  isCopy: boolean;
  /** One per decision of a person: a repetition after a lost answer prints nothing twice. */
  key: string;
}

/** Prints a label on a printer, and waits until it is known what became of it. Throws an `ApiError` for a refusal. */
export async function printOn({ shipmentId, printer, isCopy, key }: Print): Promise<PrintJob> {
  let response = await persist(() =>
    fetch(`/api/v1/external/shipment/${shipmentId}/print`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key, Prefer: 'wait=25', ...asCompany() },
      body: JSON.stringify({ printer, isCopy }),
    }),
  );
  for (let location = response.headers.get('Location'); response.status === 202 && location; ) {
    const waiting: string = location;
    response = await persist(() => fetch(waiting, { headers: { Prefer: 'wait=25', ...asCompany() } }));
    const operation = await response.clone().json();
    if (response.ok && operation.result) return operation.result as PrintJob;
    location = response.headers.get('Location') ?? waiting;
  }
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as PrintJob;
}
