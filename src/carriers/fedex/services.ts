import { isDeclarable } from '../../domain/customs-territory.ts';
import type { CarrierService, ShipmentDraft } from '../adapter.ts';
import { type Account, SERVICE_CODE } from './schema.ts';

/** Service types useful from Italy, from FedEx's public descriptions and public clients, read on 2026-11-21. */
export const SERVICES: readonly CarrierService[] = [
  { code: 'FEDEX_PRIORITY', name: 'FedEx Priority' },
  { code: 'FEDEX_REGIONAL_ECONOMY', name: 'FedEx Regional Economy' },
  { code: 'FEDEX_INTERNATIONAL_PRIORITY', name: 'FedEx International Priority' },
  { code: 'FEDEX_INTERNATIONAL_PRIORITY_EXPRESS', name: 'FedEx International Priority Express' },
  { code: 'INTERNATIONAL_ECONOMY', name: 'FedEx International Economy' },
  { code: 'FEDEX_INTERNATIONAL_CONNECT_PLUS', name: 'FedEx International Connect Plus' },
];

/** Recognises a service by its shape, so that one from live rates can be chosen even if it is not listed here. */
export function isService(option: string): boolean {
  return SERVICE_CODE.test(option);
}

/** Returns the option, else the account's service for the kind of route. */
export function serviceOf(account: Account, { options, sender, recipient }: ShipmentDraft): string {
  const chosen = options.find(isService);
  if (chosen !== undefined) return chosen;
  if (sender.countryCode === recipient.countryCode) return account.serviceDomestic;
  return isDeclarable(sender, recipient) ? account.serviceWorldwide : account.serviceEurope;
}

export function serviceName(code: string, said: string): string {
  return said || (SERVICES.find((service) => service.code === code)?.name ?? code);
}
