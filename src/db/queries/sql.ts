/** A statement, or a part of one, with a question mark per value. */
export interface Built {
  sql: string;
  params: unknown[];
}

/** Returns a PostgreSQL array literal: the ORM spreads a JavaScript array over several parameters. */
export function intArray(values: readonly number[]): string {
  return `{${values.join(',')}}`;
}

/** Quotes our own texts, such as statuses: nothing is escaped. */
export function textArray(values: readonly string[]): string {
  return `{${values.join(',')}}`;
}

/** Returns a PostgreSQL array literal of any texts. */
export function quotedArray(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}
