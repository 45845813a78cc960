import { latin1Text, losesLetters } from '../text.ts';

/** UPS prints its labels in Latin-1 unless another alphabet is ordered. */
export const plain = latin1Text;

/** Refused before anything is sent. */
export function isUnwritable(value: string): boolean {
  return losesLetters(plain, value);
}
