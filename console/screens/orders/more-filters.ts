import type { paths } from '../../api/types.d.ts';
import { hasText, t } from '../../i18n/index.ts';

type Query = NonNullable<paths['/api/v1/external/orders']['get']['parameters']['query']>;

/** Filters of links from other screens. They have no field of their own on the list. */
export type MoreFilters = Pick<Query, 'stage' | 'waitingFor' | 'carrierCompanyId' | 'connectionId'>;

/** The words of each filter: of its value, or of the filter itself for an id. */
const WORDS: Readonly<Record<keyof MoreFilters, (value: string) => string>> = {
  stage: (value) => `today.stage.${value}`,
  waitingFor: (value) => `today.kind.${value}`,
  carrierCompanyId: () => 'orders.contract',
  connectionId: () => 'orders.shop',
};

function filtersOf(address: URLSearchParams): { name: string; value: string; words: string }[] {
  return Object.entries(WORDS).flatMap(([name, wordsOf]) => {
    const value = address.get(name) ?? '';
    const key = wordsOf(value);
    return value !== '' && hasText(key) ? [{ name, value, words: t(key, { id: value }) }] : [];
  });
}

/** Reads these filters from the address of the page. Unknown values are left out. */
export function moreFilters(address: URLSearchParams): MoreFilters {
  return Object.fromEntries(filtersOf(address).map(({ name, value }) => [name, value]));
}

/** Names the filters of the address for people; empty: there are none. */
export function wordsOf(address: URLSearchParams): string {
  return filtersOf(address)
    .map(({ words }) => words)
    .join(', ');
}
