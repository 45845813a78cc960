import type { Response } from 'express';

export interface EbayError {
  errorId: number;
  message: string;
  domain?: string;
  category?: 'REQUEST' | 'APPLICATION';
  /** Names of the parameters at fault, and what was sent for them. */
  parameters?: Record<string, string>;
}

/** Sends the error body that all of eBay's REST interfaces share. */
export function sendError(response: Response, status: number, error: EbayError): void {
  const { errorId, message, domain = 'API_FULFILLMENT', category = 'REQUEST', parameters = {} } = error;
  const named = Object.entries(parameters).map(([name, value]) => ({ name, value }));
  response.status(status).json({
    errors: [
      { errorId, domain, category, message, longMessage: message, ...(named.length > 0 ? { parameters: named } : {}) },
    ],
  });
}

export function sendNoOrder(response: Response, orderId: string): void {
  sendError(response, 400, { errorId: 32100, message: `Invalid order ID: ${orderId}`, parameters: { orderId } });
}
