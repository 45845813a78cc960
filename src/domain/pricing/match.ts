import { z } from 'zod';

export interface PostalRange {
  from: string;
  to: string;
}

/** Normalizes a postal code for comparing: upper case, without spaces and hyphens. */
export function comparablePostalCode(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

/**
 * Parses `00100-00199` or `00100`; null when it is neither. Both ends have the same length, so texts can be compared.
 */
export function parsePostalRange(text: string): PostalRange | null {
  const ends = text.replace(/\s/g, '').toUpperCase().split('-');
  const [from = '', to = from] = ends;
  if (ends.length > 2 || !/^[A-Z0-9]{2,10}$/.test(from) || from.length !== to.length) return null;
  return /^[A-Z0-9]+$/.test(to) && from <= to ? { from, to } : null;
}

/** Parses `Livigno (SO)`, a comune and its province; null for any other form. */
export function parsePlace(text: string): { name: string; province: string } | null {
  const [, name = '', province = ''] = /^(.+?)\s*\(([A-Za-z]{2})\)$/.exec(text.trim()) ?? [];
  return name === '' ? null : { name, province: province.toUpperCase() };
}

function listOf<Item extends z.ZodType>(item: Item, one: string, all: string) {
  return z.array(item).min(1, `List at least one ${one}, or leave ${all} out`).optional();
}

const Code = (shape: RegExp, error: string) => z.string().trim().toUpperCase().regex(shape, error);

export const PostalCodes = listOf(
  z
    .string({ error: 'Put the postal code in quotes, or its leading zeros are lost: "00100"' })
    .refine((text) => parsePostalRange(text) !== null, {
      error: (issue) =>
        `Not a postal code or a rising range such as 00100-00199 (a code's own hyphen is left out): ${issue.input}`,
    }),
  'postal code',
  'postalCodes',
);

/** A person's code for a zone's area, an option or a carrier's flag. */
export const AreaCode = Code(/^[A-Z][A-Z0-9_]*$/, 'A code is letters, digits and underscores, such as VENICE_LAGOON');
export const AreaCodes = listOf(AreaCode, 'area', 'areas');

const ITALIAN = {
  regions: listOf(Code(/^[A-Z]{3}$/, 'A region is its three letters, such as SIC'), 'region', 'regions'),
  provinces: listOf(Code(/^[A-Z0-9]{1,3}$/, 'A province is its short code, such as MI'), 'province', 'provinces'),
  postalCodes: PostalCodes,
  places: listOf(
    z
      .string()
      .trim()
      .refine((text) => parsePlace(text) !== null, { error: 'A place is a comune and its province: Livigno (SO)' }),
    'place',
    'places',
  ),
};

function isEmpty(match: Record<string, unknown>): boolean {
  return Object.values(match).every((value) => value === undefined);
}

/** The parts of an area. A destination belongs to it by any of them. */
export const AreaMatch = z.strictObject(ITALIAN).refine((match) => !isEmpty(match), {
  error: 'An empty match covers nothing: give regions, provinces, postalCodes or places',
});
export type AreaMatch = z.infer<typeof AreaMatch>;

/** The parts of a zone; `countries` bound the rest. */
export const ZoneMatch = z
  .strictObject({
    countries: listOf(Code(/^[A-Z]{2}$/, 'A country is two letters, such as IT'), 'country', 'countries'),
    ...ITALIAN,
    areas: AreaCodes,
  })
  .refine((match) => !isEmpty(match), {
    error: 'An empty match covers nothing: give countries, regions, provinces, postalCodes, places or areas',
  });
export type ZoneMatch = z.infer<typeof ZoneMatch>;
