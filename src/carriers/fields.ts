import { z } from 'zod';

/** Schemas of fields as carriers write them. */

/** Text that may come as a number, as null or not at all. */
export const text = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value) => String(value ?? '').trim());

export const required = text.refine((value) => value !== '', 'must not be empty');

/** A list whose elements are read one by one (see `readEach`); anything else is an element of its own. */
export const raws = z
  .unknown()
  .nullish()
  .transform((value): unknown[] => {
    if (Array.isArray(value)) return value;
    return value === null || value === undefined ? [] : [value];
  });

/** Makes a schema of one, several or none of something, with or without a list around it. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z
    .union([z.array(item), item.transform((one) => [one])])
    .nullish()
    .transform((list) => list ?? []);
}

/** Makes a schema of a list that may be missing. */
export function arrayOf<Item extends z.ZodType>(item: Item) {
  return z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
}

/** The address of a service, without the slash at its end. */
export const baseUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

/** The answer of an OAuth service to client credentials. */
export const Token = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().positive() });

/** Reads a latitude or longitude, which some carriers write with a comma; null when there is none. */
export function degrees(written: string | undefined): number | null {
  const value = Number(written?.replace(',', '.'));
  return !written || Number.isNaN(value) ? null : value;
}
