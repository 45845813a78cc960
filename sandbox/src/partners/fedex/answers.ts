import { randomUUID } from 'node:crypto';
import type { Response } from 'express';
import type { z } from 'zod';

/** A no as FedEx words it. */
export interface Refusal {
  status: number;
  code: string;
  message: string;
}

export const no = (code: string, message: string, status = 400): Refusal => ({ status, code, message });

export function isRefusal(answer: object): answer is Refusal {
  return 'code' in answer && 'status' in answer;
}

/** Wraps an answer as FedEx wraps every answer; the customer's own id comes back. */
export function send(response: Response, answer: object | Refusal): void {
  const { 'x-customer-transaction-id': customer } = response.req.headers;
  const head = { transactionId: randomUUID(), ...(customer ? { customerTransactionId: customer } : {}) };
  if (isRefusal(answer)) {
    const { status, code, message } = answer;
    response.status(status).json({ ...head, errors: [{ code, message }] });
  } else {
    response.json({ ...head, output: answer });
  }
}

export const UNAUTHORISED = no(
  'NOT.AUTHORIZED.ERROR',
  'Access token expired. Please modify your request and try again.',
  401,
);
export const FORBIDDEN = no(
  'FORBIDDEN.ERROR',
  'We could not authorize your credentials. Please check your permissions and try again.',
  403,
);
export const NO_ACCOUNT = no(
  'ACCOUNTNUMBER.REGISTRATION.REQUIRED',
  'Please enter a valid 9-digit FedEx account number or register for a new FedEx account number.',
);

/** Answers a malformed request. FedEx has a code for each field: known codes are used, and the words name the field. */
export function malformed(error: z.ZodError): Refusal {
  const [issue] = error.issues;
  const path = issue?.path.join('.') ?? '';
  const isLongStreet = path.includes('streetLines') && issue?.code === 'too_big';
  return no(
    isLongStreet ? 'STREETLINES.TOO.LONG' : 'INVALID.INPUT.EXCEPTION',
    `Invalid field value in the input: ${path} ${issue?.message ?? ''}`,
  );
}
