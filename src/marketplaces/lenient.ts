import { decodeHTMLStrict } from 'entities';
import { z } from 'zod';

/** Schemas for what shops and their plugins answer: they leave fields out, null them, or turn numbers into text and back. */

/** Empty where there is nothing to read. */
export const Text = z
  .unknown()
  .optional()
  .transform((value) => {
    if (typeof value === 'number') return String(value);
    // PostgreSQL keeps every character but this one.
    return typeof value === 'string' ? value.replaceAll('\0', '').trim() : '';
  });

/** Text for people, such as a title: many shops keep it as it stands on their pages, with `&amp;` for `&`. */
export const Prose = Text.transform((text) => decodeHTMLStrict(text));

/** A decimal string; empty when the shop gave none. */
export const Amount = Text.transform((text) => (/^-?\d+(\.\d+)?$/.test(text) ? text : ''));

/** Null when it is no list. */
export const List = z
  .unknown()
  .optional()
  .transform((value) => (Array.isArray(value) ? (value as unknown[]) : null));

/** True, false, 1, 0 or the same as text. `z.coerce.boolean()` would take `"0"` for true. */
export const Flag = z.preprocess((value) => {
  if (value === 1 || value === '1' || value === 'true') return true;
  return value === 0 || value === '0' || value === 'false' || value === '' ? false : value;
}, z.boolean());

/** Reads an object, for which PHP renders an empty list when it is empty. */
export function lenientObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.preprocess(
    (value) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}),
    z.object(shape),
  );
}
