/** The answers of a pure function by its key, of which the `max` that were asked for last are kept. */
export function remembered<Value>(max: number, compute: (key: string) => Value): (key: string) => Value {
  const kept = new Map<string, Value>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) {
      // What was asked for last is what is forgotten last: a Map keeps the order in which it was filled.
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
