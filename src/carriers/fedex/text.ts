import { latin1Text, losesLetters } from '../text.ts';

/** The descriptions of FedEx do not say which letters it prints: those of Latin-1, which Western Europe needs. */
export const plain = latin1Text;

/** Refused before anything is sent. */
export function isUnwritable(value: string): boolean {
  return losesLetters(plain, value);
}
