import type { Period } from '../../lib/period.ts';
import { type Built, intArray } from './sql.ts';

/** A condition on one row, which its SQL calls `row`. */
export type Condition = Built;

/** Returns a condition, or none when the filter does not have that value. */
export function given<Value>(value: Value | null, build: (value: Value) => Condition): Condition[] {
  return value === null ? [] : [build(value)];
}

/** Returns the conditions that columns have these values; null: any value. */
export function equal(values: Readonly<Record<string, string | number | null>>): Condition[] {
  return Object.entries(values).flatMap(([column, wanted]) =>
    given(wanted, (value) => ({ sql: `row.${column} = ?`, params: [value] })),
  );
}

/** Returns the condition that a column has one of these numbers. */
export function oneOf(column: string, values: readonly number[]): Condition {
  return { sql: `row.${column} = any(?::int[])`, params: [intArray(values)] };
}

/** Joins conditions into one. All of them must hold. */
export function joined(conditions: readonly Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => `(${sql})`).join(' and '),
    params: conditions.flatMap(({ params }) => params),
  };
}

/** Returns the conditions that a column lies in a period. */
export function within(column: string, { from, until }: Period): Condition[] {
  return [
    ...given(from, (at) => ({ sql: `row.${column} >= ?`, params: [at] })),
    ...given(until, (at) => ({ sql: `row.${column} < ?`, params: [at] })),
  ];
}

/** Returns the condition of a page: rows older than the last one of the page before it. */
export function before(id: number | null): Condition[] {
  return given(id, (last) => ({ sql: 'row.id < ?', params: [last] }));
}

/** Returns the condition that a table's warehouse has this id or key. An order without one leaves from the default. */
export function fromWarehouse(column: string, companyId: number, idOrKey: string): Condition {
  return {
    sql: `coalesce(${column}, (select id from warehouses where company_id = ? and is_default limit 1))
          in (select id from warehouses where company_id = ? and (key = ? or id::text = ?))`,
    params: [companyId, companyId, idOrKey, idOrKey],
  };
}
