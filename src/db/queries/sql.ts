/** PostgreSQL array literals: the ORM spreads a JavaScript array over several parameters. */
export function intArray(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}

/** Only for texts of our own, such as statuses: nothing is escaped. */
export function textArray(values: readonly string[]): string {
  return `{${values.join(',')}}`;
}
