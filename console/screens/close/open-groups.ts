import { useQuery } from '@tanstack/react-query';
import { api, body, type Schema } from '../../api/client.ts';
import { formatMoney, formatNumber, t } from '../../i18n/index.ts';

export type OpenGroup = Schema['OpenShipments'];

/** A bordero counts cash on delivery in euro. */
const CURRENCY = 'EUR';

const readOpenGroups = () => body(api.GET('/api/v1/external/bordero/open'));

/** Returns what waits for its driver, by contract and warehouse. */
export function useOpenGroups() {
  return useQuery({ queryKey: ['list', 'open'], queryFn: readOpenGroups });
}

/** Returns the same as it is now: what a person agrees to must not be the state of a moment ago. */
export function usePlan() {
  return useQuery({ queryKey: ['list', 'open', 'plan'], queryFn: readOpenGroups, staleTime: 0, gcTime: 0 });
}

export function keyOf({ carrierCompanyId, warehouse }: OpenGroup): string {
  return `${carrierCompanyId} ${warehouse?.id}`;
}

/** Returns a name such as "GLS Italy, Sede, Magazzino Bologna". */
export function nameOf({ carrier, contractLabel, warehouse }: OpenGroup): string {
  return [carrier.name, contractLabel, warehouse?.name].filter(Boolean).join(', ');
}

export function totalsOf({ shipments, parcels, weight, codAmount }: OpenGroup['open']): string {
  const totals = t('close.totals', { shipments, parcels, weight: formatNumber(Number(weight)) });
  return Number(codAmount) > 0 ? `${totals}, ${t('close.cod', { amount: formatMoney(codAmount, CURRENCY) })}` : totals;
}

/** Returns the orders that POST /shipment/transmit accepts, with their numbers. */
export function transmittable(groups: readonly OpenGroup[]): ReadonlyMap<number, string> {
  const ready = groups.flatMap(({ untransmitted }) => untransmitted.filter(({ isCreated }) => isCreated));
  return new Map(ready.map(({ orderId, orderNumber }) => [orderId, orderNumber]));
}

/** Returns the day of an instant in the time zone of the company, as YYYY-MM-DD. */
export function dayOf(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(at);
}
