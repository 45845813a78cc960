import { formatNumber, t } from '../../i18n/index.ts';

/** Formats a count; where counting stopped, it says "at least". */
export function countOf({ count, isCapped }: { count: number; isCapped: boolean }): string {
  return isCapped ? t('today.atLeast', { count: formatNumber(count) }) : formatNumber(count);
}

/** Names a contract: the carrier, and its label where that says more. */
export function contractName({ carrier, contractLabel }: { carrier: { name: string }; contractLabel: string }): string {
  return contractLabel === carrier.name ? carrier.name : `${carrier.name}, ${contractLabel}`;
}

/** Returns the address of a list of orders with these filters. */
export function ordersWith(filters: Readonly<Record<string, string | number | null>>): string {
  const given = Object.entries(filters).filter(([, value]) => value !== null);
  return `/orders?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
}
