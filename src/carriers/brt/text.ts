import { latinText, losesLetters } from '../text.ts';

/** What its systems do with accents was not found, so BRT gets plain Latin letters only. */
export function brtText(value: string): string {
  return latinText(value, { rest: '?' });
}

/** Refused before anything is sent. */
export function isUnwritable(value: string): boolean {
  return losesLetters(brtText, value);
}
