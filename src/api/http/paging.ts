import { z } from 'zod';
import { BASE_PATH } from './base-path.ts';

const MAX_LIMIT = 1000;

export const PageLimit = z
  .string()
  .regex(/^\d{1,4}$/, 'must be a number')
  .transform(Number)
  .refine((limit) => limit >= 1 && limit <= MAX_LIMIT, `must be from 1 to ${MAX_LIMIT}`)
  .meta({ override: { type: 'integer', minimum: 1, maximum: MAX_LIMIT } });

/** Returns a Link header to the next page when this page is full. */
export function nextPage(
  path: string,
  page: { ids: readonly number[]; limit: number; query: Record<string, unknown>; by?: 'cursor' | 'after' },
): { headers?: Record<string, string> } {
  const last = page.ids.at(-1);
  if (last === undefined || page.ids.length < page.limit) return {};
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(page.query)) if (value !== undefined) query.set(name, String(value));
  query.set(page.by ?? 'cursor', String(last));
  return { headers: { Link: `<${BASE_PATH}${path}?${query}>; rel="next"` } };
}
