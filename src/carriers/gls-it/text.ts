import { latinText, phoneDigits } from '../text.ts';

/** Writing as GLS wants it (address conversions of its label manual, read 2026-11-21). Pure. */

/** Writes plain Latin letters; `&` becomes `e`. */
export function glsText(value: string): string {
  return latinText(value, { own: { '`': "'", '&': ' e ' } });
}

const MALE_IN_A = new Set(['andrea', 'luca', 'nicola', 'elia', 'mattia', 'barnaba', 'geremia']);

/** Writes `S. Maria` as `Santa Maria`: GLS does not find the abbreviation in its street list. */
export function expandSaint(value: string): string {
  return value.replace(/\b[Ss]\. ?([A-Z][a-z']{2,})/g, (_whole, name: string) => {
    if (/^[AEIOU]/.test(name)) return `Sant'${name}`;
    if (name.endsWith('a') && !MALE_IN_A.has(name.toLowerCase())) return `Santa ${name}`;
    return name.startsWith('St') ? `Santo ${name}` : `San ${name}`;
  });
}

/** Writes a street with a comma before its civic number, and drops short words. */
export function streetText(value: string): string {
  return expandSaint(glsText(value))
    .replace(/\bc\s*\/\s*o\b\.?/gi, '-')
    .replace(/\b(della|delle|degli|dello|del)\s+/gi, '')
    .replace(/[\s,]+(s\.?n\.?c\.?)$/i, ', snc')
    .replace(/[\s,]+(\d+\s?(?:[A-Za-z]|bis|ter)?(?:\s?[/-]\s?\w{1,4})?)$/i, ', $1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Digits and a leading plus; empty when longer than GLS takes, because half a number is a wrong number. */
export function phoneText(value: string, max: number): string {
  const phone = phoneDigits(value);
  return phone.length <= max ? phone : '';
}
