import type { Response } from 'express';

/** Sends a code and a sentence: nothing else is known about the form of Mirakl's errors. */
export function sendError(response: Response, status: number, error: { code: string; message: string }): void {
  response.status(status).json(error);
}

export function sendInvalid(response: Response, message: string): void {
  sendError(response, 400, { code: 'VALIDATION_ERROR', message });
}

export function sendNoOrder(response: Response, orderId: unknown): void {
  sendError(response, 404, { code: 'ORDER_NOT_FOUND', message: `Order ${String(orderId)} does not exist` });
}
