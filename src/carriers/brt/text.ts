import { latinText, losesLetters } from '../text.ts';

/** Writes plain Latin letters: how BRT's systems treat accents was not found. */
export function brtText(value: string): string {
  return latinText(value, { rest: '?' });
}

/** Returns true when BRT's letters lose some of the value: it is refused before anything is sent. */
export function isUnwritable(value: string): boolean {
  return losesLetters(brtText, value);
}
