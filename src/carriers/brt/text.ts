import { latinText } from '../text.ts';

/** Writing for BRT. What its systems do with accents was not found, so only plain Latin letters are sent. Pure. */

/** What cannot be written in Latin letters becomes a question mark, and is refused before anything is sent. */
export function brtText(value: string): string {
  return latinText(value, { rest: '?' });
}

/** Whether something stayed that cannot be written in Latin letters. */
export function isUnwritable(value: string): boolean {
  return count(brtText(value)) > count(value);
}

function count(text: string): number {
  return text.split('?').length;
}

/** An Italian mobile number starts with 3; of other countries it cannot be told. */
export function isItalianMobile(phone: string): boolean {
  return /^(\+39|0039)?3\d{8,9}$/.test(phone);
}
