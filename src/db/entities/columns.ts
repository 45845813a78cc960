import { p } from '@mikro-orm/core';

/** `timestamptz` with PostgreSQL's own precision; the ORM's default drops fractions of a second. */
export const instant = () => p.datetime().columnType('timestamptz');
export const createdAt = () => instant().defaultRaw('now()');

/** Value of the filter parameter that lets the system (workers, scheduler) see every company. */
export const EVERY_COMPANY = 'every-company';

/** On by default and without a default parameter: a query without its company throws instead of seeing too much. */
export const companyFilter = {
  company: {
    name: 'company',
    default: true,
    cond: (args: { companyId: number | typeof EVERY_COMPANY }) =>
      args.companyId === EVERY_COMPANY ? {} : { companyId: args.companyId },
  },
};
