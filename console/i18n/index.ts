import { useState } from 'preact/hooks';
import { en, type MessageKey, type Messages } from './en.ts';
import { it } from './it.ts';

export const LANGUAGES = ['it', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

const CATALOGUES: Readonly<Record<Language, Messages>> = { it, en };
const KEPT = 'smista.language';

let language: Language = chosen();
document.documentElement.lang = language;

function chosen(): Language {
  const wished = localStorage.getItem(KEPT) ?? navigator.language.slice(0, 2);
  return LANGUAGES.find((one) => one === wished) ?? 'en';
}

export function currentLanguage(): Language {
  return language;
}

/** Returns the sentence in the person's language, with its values filled in. */
export function t(key: MessageKey, values: Readonly<Record<string, string | number>> = {}): string {
  return CATALOGUES[language][key].replaceAll(/\{(\w+)\}/g, (_whole, name: string) => String(values[name] ?? ''));
}

/** Returns true when the catalogues have the sentence: an address may hold any word. */
export function hasText(key: string): key is MessageKey {
  return Object.hasOwn(en, key);
}

/** Returns the present language and a function that changes it for everything on the page. */
export function useLanguage(): [Language, (next: Language) => void] {
  const [shown, show] = useState(language);
  return [
    shown,
    (next) => {
      localStorage.setItem(KEPT, next);
      language = next;
      document.documentElement.lang = next;
      show(next);
    },
  ];
}

const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();

/** Keeps a formatter per language and options, because making one takes longer than drawing a row. */
function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return kept(dates, JSON.stringify([language, options]), () => new Intl.DateTimeFormat(language, options));
}

function numberFormat(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  return kept(numbers, JSON.stringify([language, options]), () => new Intl.NumberFormat(language, options));
}

function kept<Value>(values: Map<string, Value>, key: string, make: () => Value): Value {
  const value = values.get(key) ?? make();
  values.set(key, value);
  return value;
}

/** Formats an instant in the time zone of the company. */
export function formatInstant(iso: string, timeZone: string): string {
  return dateFormat({ dateStyle: 'short', timeStyle: 'short', timeZone }).format(new Date(iso));
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Formats how far away an instant is, in days or hours: "in 3 days". */
export function formatLeft(iso: string): string {
  const ms = Date.parse(iso) - Date.now();
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const isFar = Math.abs(ms) >= 2 * DAY_MS;
  return isFar ? words.format(Math.trunc(ms / DAY_MS), 'day') : words.format(Math.trunc(ms / HOUR_MS), 'hour');
}

/** Formats an amount such as `"12.50"`. */
export function formatMoney(amount: string | number, currency: string): string {
  return numberFormat({ style: 'currency', currency }).format(Number(amount));
}

/** Formats a share between 0 and 1 as a percentage; null: not known. */
export function formatShare(share: number | null): string {
  return share === null ? '–' : numberFormat({ style: 'percent' }).format(share);
}

/** Formats a day such as `2026-11-23`, without a time. */
export function formatDay(day: string): string {
  return dateFormat({ dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
}

export function formatNumber(value: number): string {
  return numberFormat().format(value);
}
