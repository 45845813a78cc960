import { type Place, placesNamed } from './places.ts';
import { cellText } from './sheet.ts';

/** What stands between the places of a heading; it may also be part of a name, as in `Bosnia e Erzegovina`. */
const BETWEEN = /\s*(?:[,;/+&()]|\s-\s|\s(?:e|ed|and|und)\s)\s*/i;

/** A longer text is none of names. */
const MAX_HEADING = 400;

export type PlacesReading = { parts: Place[][] } | { unknown: string };

/**
 * The places that a heading names, each with all its meanings. Names are taken as long as they can be, since some hold
 * what else stands between two of them.
 */
export function readPlaces(heading: string): PlacesReading {
  const text = cellText(heading).replace(/^zona?e?\s*\w{0,3}\s*[:–-]\s+/i, '');
  if (text.length > MAX_HEADING) return { unknown: `${text.slice(0, 60)}…` };
  const pieces = text.split(new RegExp(`(${BETWEEN.source})`, 'i'));
  const parts: Place[][] = [];
  let start = 0;
  while (start < pieces.length) {
    const taken = longestName(pieces, start);
    if (taken) {
      parts.push(taken.places);
      start = taken.end + 2;
      continue;
    }
    const piece = pieces[start]?.trim() ?? '';
    if (piece !== '') return { unknown: piece };
    start += 2;
  }
  return parts.length > 0 ? { parts } : { unknown: text };
}

function longestName(pieces: readonly string[], start: number): { places: Place[]; end: number } | null {
  for (let end = pieces.length - 1; end >= start; end -= 1) {
    // A name ends with words, not with what stands between.
    if ((end - start) % 2 === 1) continue;
    const name = pieces.slice(start, end + 1).join('');
    if (end > start && isList(name)) continue;
    const places = placesNamed(name.trim());
    if (places.length > 0) return { places, end };
  }
  return null;
}

/** Of `Sicilia/Sardegna` the gazetteer would compare the first half alone, and of `Como (CO)` what is before the code. */
function isList(name: string): boolean {
  return /[,;/+&()]/.test(name);
}
