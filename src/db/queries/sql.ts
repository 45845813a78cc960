/** A statement, or a part of one, with a question mark per value. */
export interface Built {
  sql: string;
  params: unknown[];
}

/** PostgreSQL array literals: the ORM spreads a JavaScript array over several parameters. */
export function intArray(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}

/** Only for texts of our own, such as statuses: nothing is escaped. */
export function textArray(values: readonly string[]): string {
  return `{${values.join(',')}}`;
}
