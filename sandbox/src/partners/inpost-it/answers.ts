import type { Response } from 'express';

/** An error as ShipX writes it. */
export interface ShipxError {
  status: number;
  error: string;
  message: string;
  details: object;
}

export function refuse(response: Response, error: ShipxError): void {
  response.status(error.status).json(error);
}

/** How ShipX words a refused token was not found: these words are the sandbox's own. */
export const UNAUTHORIZED: ShipxError = {
  status: 401,
  error: 'unauthorized',
  message: 'Token is missing or invalid.',
  details: {},
};

export const NOT_FOUND: ShipxError = {
  status: 404,
  error: 'resource_not_found',
  message: 'Resource not found.',
  details: {},
};

export const invalidAction = (action: string, shipmentStatus: string): ShipxError => ({
  status: 400,
  error: 'invalid_action',
  message: `Action (${action}) can not be taken on shipment with status (${shipmentStatus}).`,
  details: { action, shipment_status: shipmentStatus },
});

export const invalidParameter = (name: string, value: string): ShipxError => ({
  status: 400,
  error: 'invalid_parameter',
  message: `Provided unsupported value (${value}) to parameter (${name})`,
  details: {},
});

/** A field, named by its path, and the key of what is wrong with it. */
export type Fault = readonly [path: string, key: string];

/** Fields of the order itself are a flat map of keys; fields within fields are lists of maps, at every depth. */
export function validationFailed(faults: readonly Fault[]): ShipxError {
  const details: Record<string, unknown[]> = {};
  for (const [path, key] of faults) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let here = details;
    for (const name of names) {
      here[name] ??= [{}];
      here = here[name][0] as Record<string, unknown[]>;
    }
    here[last] = [...(here[last] ?? []), key];
  }
  return {
    status: 400,
    error: 'validation_failed',
    message: 'There are some validation errors. Check details object for more info.',
    details,
  };
}
