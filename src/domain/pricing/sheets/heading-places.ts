import { type Place, placesNamed } from './places.ts';
import { cellText } from './sheet.ts';

/** Separators between the places of a heading; a name may also contain them, as in `Bosnia e Erzegovina`. */
const BETWEEN = /\s*(?:[,;/+&()]|\s-\s|\s(?:e|ed|and|und)\s)\s*/i;

/** A longer text holds no list of names. */
const MAX_HEADING = 400;

export type PlacesReading = { parts: Place[][] } | { unknown: string };

/**
 * Returns the places that a heading names, each with all its meanings. It takes the longest possible names, since some
 * contain a separator.
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
    // A name ends with words, not with a separator.
    if ((end - start) % 2 === 1) continue;
    const name = pieces.slice(start, end + 1).join('');
    if (end > start && isList(name)) continue;
    const places = placesNamed(name.trim());
    if (places.length > 0) return { places, end };
  }
  return null;
}

/**
 * The gazetteer would compare only the first half of `Sicilia/Sardegna`, and only the part before the code of `Como
 * (CO)`.
 */
function isList(name: string): boolean {
  return /[,;/+&()]/.test(name);
}
