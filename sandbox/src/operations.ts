import type { SandboxPartner } from './partner.ts';

/** Method and path of every operation, with the name that faults are switched on by. */
export type Operations = readonly (readonly [name: string, method: string, path: RegExp])[];

/** Makes a partner's `operationOf` from its table. */
export function operationIn(operations: Operations): SandboxPartner['operationOf'] {
  return ({ method, path }) =>
    operations.find(([, wanted, pattern]) => wanted === method && pattern.test(path))?.[0] ?? null;
}
