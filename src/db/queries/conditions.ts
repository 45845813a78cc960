import { raw } from '@mikro-orm/core';
import type { Period } from '../../lib/period.ts';
import type { Built } from './sql.ts';

/** A condition on one row, which its SQL calls `row`. */
export type Condition = Built;

/** Returns a condition, or none when the filter does not have that value. */
export function given<Value>(value: Value | null, build: (value: Value) => Condition): Condition[] {
  return value === null ? [] : [build(value)];
}

/** Converts conditions to a `where` of the ORM. All of them must hold. */
export function whereAll(conditions: readonly Condition[]): Record<string, true> {
  return Object.fromEntries(
    conditions.map(({ sql, params }) => [raw((alias) => `(${sql.replaceAll('row.', `${alias}.`)})`, params), true]),
  );
}

/** Returns the conditions that a column lies in a period. */
export function within(column: string, { from, until }: Period): Condition[] {
  return [
    ...given(from, (at) => ({ sql: `row.${column} >= ?`, params: [at] })),
    ...given(until, (at) => ({ sql: `row.${column} < ?`, params: [at] })),
  ];
}

/** Returns the condition that a table's warehouse has this id or key. An order without one leaves from the default. */
export function fromWarehouse(column: string, companyId: number, idOrKey: string): Condition {
  return {
    sql: `coalesce(${column}, (select id from warehouses where company_id = ? and is_default limit 1))
          in (select id from warehouses where company_id = ? and (key = ? or id::text = ?))`,
    params: [companyId, companyId, idOrKey, idOrKey],
  };
}
