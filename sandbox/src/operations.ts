/** Method and path of every operation, with the partner's own name for it, by which faults are switched on. */
export type Operations = readonly (readonly [method: string, path: RegExp, name: string])[];

/** Makes a partner's `operationOf` from its table: the first operation that a request matches, or null. */
export function operationIn(operations: Operations) {
  return ({ method, path }: { method: string; path: string }): string | null =>
    operations.find(([wanted, pattern]) => wanted === method && pattern.test(path))?.[2] ?? null;
}
