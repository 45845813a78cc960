import type { Response } from 'express';

export interface KauflandProblem {
  status: 400 | 401 | 403 | 404;
  message: string;
  /** The end of ProblemType. */
  type: string;
  /** The faults, field by field. */
  errors?: { field: string; message: string }[];
}

/** Sends ErrorResponse, the error body of the whole interface. */
export function sendProblem(response: Response, { status, message, type, errors = [] }: KauflandProblem): void {
  response.status(status).json({ message, errors, type: `/problems/${type}` });
}

export function sendNotFound(response: Response): void {
  sendProblem(response, { status: 404, message: 'Resource not found', type: 'not-found' });
}
