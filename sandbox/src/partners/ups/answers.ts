import type { Response } from 'express';
import type { z } from 'zod';

/** A no as UPS words it. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
}

export function refuse(response: Response, { status, code, message }: Refusal): void {
  response.status(status).json({ response: { errors: [{ code, message }] } });
}

export function isRefusal(answer: object): answer is Refusal {
  return 'message' in answer && 'status' in answer;
}

export const no = (code: string, message: string, status = 400): Refusal => ({ status, code, message });

export const UNAUTHORISED = no('250002', 'Invalid Authentication Information.', 401);
export const NO_SHIPPER = no('120100', 'Missing or invalid shipper number');

/** Answers a malformed request. UPS has a code per field; the general one stands for all, and the words name the field. */
export function malformed(error: z.ZodError): Refusal {
  const [issue] = error.issues;
  return no('10006', `The request does not keep to the rules: ${issue?.path.join('/') ?? ''} ${issue?.message ?? ''}`);
}

export const SUCCESS = { ResponseStatus: { Code: '1', Description: 'Success' } };
