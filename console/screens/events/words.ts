import { t } from '../../i18n/index.ts';
import type { Endpoint } from './events-api.ts';

const ERRORS = [
  'refused',
  'redirected',
  'gone',
  'timed-out',
  'unreachable',
  'connection-lost',
  'tls-failed',
  'answer-unreadable',
  'name-unknown',
  'address-refused',
  'account-unreadable',
] as const;

/** Returns a failed delivery in words; an unknown code is shown as it is. */
export function errorWords(error: string, httpStatus: number | null = null): string {
  const known = ERRORS.find((one) => one === error);
  const words = known ? t(`events.error.${known}`) : error;
  return httpStatus === null ? words : `${words} (HTTP ${httpStatus})`;
}

/** Returns the types that an endpoint gets, as one text. */
export function typesOf({ types }: Pick<Endpoint, 'types'>): string {
  return types === null ? t('events.allTypes') : types.join(', ');
}
