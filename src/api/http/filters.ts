import { z } from 'zod';
import { notFound } from '../../engine/find.ts';
import type { ApiDeps } from './route.ts';

/** A filter that is true, false or absent for both. */
export const YesNo = z.enum(['true', 'false']).optional();

/** Converts a filter to a boolean; null: absent. */
export function yesNo(value: 'true' | 'false' | undefined): boolean | null {
  return value === undefined ? null : value === 'true';
}

/** A day on the company's wall clock, such as `2026-11-22`, or an instant with its offset. */
export const DayOrInstant = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: 'must be a day YYYY-MM-DD or an ISO instant' })
  .optional()
  .describe("A day on the company's wall clock, both ends included, or an instant");

/** The text of a search. */
export const SearchText = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(120)
  .describe(
    'An order number, an order id of a marketplace, a tracking number, a reference, a name, a company, an e-mail address, a phone number, a postal code or a SKU',
  );

/** Returns the time zone of a company's wall clock. */
export async function timeZoneOf(deps: Pick<ApiDeps, 'company'>, companyId: number): Promise<string> {
  const company = await deps.company(companyId);
  if (!company) throw notFound('company');
  return company.settings.timeZone;
}
