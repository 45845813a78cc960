/** Enough for the labels of 99 parcels and for the events of a shipment. 20,000 tags take a tenth of a second to parse. */
export const MAX_MARKUP = 20_000;

/**
 * Tells whether XML has more tags and attributes than `max`. A parser stops the process for as long as it works, and markup
 * costs it ten times as much as text of the same length.
 */
export function hasMuchMarkup(text: string, max = MAX_MARKUP): boolean {
  let count = 0;
  for (const sign of ['<', '=']) {
    for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) {
      if (++count > max) return true;
    }
  }
  return false;
}
