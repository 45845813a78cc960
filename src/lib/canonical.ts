/** Returns true for equal content in any order of keys: PostgreSQL's jsonb does not keep the order. */
export function isSame(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

/** Returns JSON with the keys of every object sorted. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_key, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? 'undefined'
  );
}
