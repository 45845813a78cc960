import { distance } from 'fastest-levenshtein';
import type { AskedAddress } from './address-hash.ts';
import { comparableName, comparableText, provinceOf } from './gazetteer.ts';

/** The comparable parts of a candidate. */
interface Candidate {
  Comune: string;
  Frazione: string;
  Cap: string;
  SiglaProvincia: string;
  Indirizzo: string;
}

/** Sorts candidates, best first: by the name of the place, then the postal code, then the province, then the street. */
export function rankAddresses<T extends Candidate>(asked: AskedAddress, candidates: readonly T[]): T[] {
  const scored = candidates.map((candidate) => ({ candidate, score: scoresOf(asked, candidate) }));
  return scored.toSorted((a, b) => compare(b.score, a.score)).map(({ candidate }) => candidate);
}

function scoresOf(asked: AskedAddress, candidate: Candidate): number[] {
  const province = provinceOf(asked.province)?.code;
  return [
    Math.max(likeness(asked.city, candidate.Comune), likeness(asked.city, candidate.Frazione)),
    sharedDigits(asked.zip.trim(), candidate.Cap),
    province !== undefined && provinceOf(candidate.SiglaProvincia)?.code === province ? 1 : 0,
    likeness(asked.address, candidate.Indirizzo, comparableText),
  ];
}

/** Returns from 0, nothing alike, to 1, the same in the comparable spelling. */
function likeness(asked: string, known: string, spell = comparableName): number {
  const [a, b] = [spell(asked), spell(known)];
  if (a === '' || b === '') return 0;
  return 1 - distance(a, b) / Math.max(a.length, b.length);
}

function sharedDigits(asked: string, known: string): number {
  let shared = 0;
  while (shared < asked.length && asked[shared] === known[shared]) shared += 1;
  return shared;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
