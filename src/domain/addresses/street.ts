const NO_NUMBER = /\b(s\s*\.?\s*n\s*\.?\s*c|s\s*\.\s*n|senza\s+n(umero|\.)?)\b/i;
/** Streets named after a day: that number is no house number. */
const DAY =
  /\b(\d{1,2}|1°)\s*°?\s+(gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre)\b/gi;

/** Returns true when an Italian street has a house number, a kilometre, or says that there is none. */
export function hasHouseNumber(street: string): boolean {
  return NO_NUMBER.test(street) || /\d/.test(street.replace(DAY, ''));
}
