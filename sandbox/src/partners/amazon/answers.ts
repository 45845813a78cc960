import type { Response } from 'express';

/** The bare text of the interface, with the fields that a `details` may name. */
const INVALID = 'The input you have submitted is not valid.';

export function sendErrors(
  response: Response,
  status: number,
  error: { code: string; message: string; details?: string },
): void {
  response.status(status).json({ errors: [{ details: '', ...error }] });
}

export function sendInvalid(response: Response, message = INVALID, details = ''): void {
  sendErrors(response, 400, { code: 'InvalidInput', message, details });
}

/** Answers in the marketplace's words for a field of the wrong type. */
export function sendInvalidType(response: Response, field: string): void {
  sendInvalid(response, `${INVALID} Please check the fields with invalid type [${field}].`);
}

export function sendNotFound(response: Response, orderId: string): void {
  sendErrors(response, 404, { code: 'NotFound', message: `Order ${orderId} does not exist.` });
}
