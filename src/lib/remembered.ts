/** Memoizes a pure function by its key, as an LRU cache of `max` answers. */
export function remembered<Value>(max: number, compute: (key: string) => Value): (key: string) => Value {
  const kept = new Map<string, Value>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) {
      // A Map keeps insertion order, so the least recently used key comes first.
      kept.delete(key);
      kept.set(key, known);
      return known;
    }
    const value = compute(key);
    if (kept.size >= max) kept.delete(kept.keys().next().value as string);
    kept.set(key, value);
    return value;
  };
}
