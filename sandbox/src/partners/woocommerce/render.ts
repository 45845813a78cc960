import type { StoredOrder } from './books.ts';

/** The pretend shops live here, so that a date read in the wrong time zone is an hour or two off. */
const SHOP_TIME_ZONE = 'Europe/Rome';

const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: SHOP_TIME_ZONE, dateStyle: 'short', timeStyle: 'medium' });

/** Formats the shop's wall clock, without its time zone. */
export function shopTime(instant: string): string {
  return wall.format(new Date(instant)).replace(' ', 'T');
}

export function renderOrder({
  body,
  createdAt,
  modifiedAt,
  paidAt,
  completedAt,
}: StoredOrder): Record<string, unknown> {
  return {
    date_created: shopTime(createdAt),
    date_created_gmt: createdAt.slice(0, 19),
    date_modified: shopTime(modifiedAt),
    date_modified_gmt: modifiedAt.slice(0, 19),
    date_paid: paidAt && shopTime(paidAt),
    date_paid_gmt: paidAt?.slice(0, 19) ?? null,
    date_completed: completedAt && shopTime(completedAt),
    date_completed_gmt: completedAt?.slice(0, 19) ?? null,
    ...body,
  };
}
