import type { Request, RequestHandler, Response } from 'express';
import { objectIn } from '../../order-partner.ts';

/** Sends the interface's error body. `code` is a number when the platform passes on a PHP exception without a word of its own. */
export function sendError(
  response: Response,
  status: number,
  error: { code: string | number; message: string; params?: object },
): void {
  const { code, message, params } = error;
  response.status(status).json({ code, message, data: { status, ...(params ? { params } : {}) } });
}

/** Sends the names of unusable parameters with a complaint for each. */
export function sendInvalidParams(response: Response, params: Record<string, string>): void {
  const message = `Invalid parameter(s): ${Object.keys(params).join(', ')}`;
  sendError(response, 400, { code: 'rest_invalid_param', message, params });
}

export const noRoute: RequestHandler = (_request, response) => {
  sendError(response, 404, {
    code: 'rest_no_route',
    message: 'No route was found matching the URL and request method.',
  });
};

/** Merges query and body as the platform reads them; the body wins. */
export function parametersOf(request: Request): Record<string, unknown> {
  return { ...request.query, ...bodyOf(request) };
}

export function bodyOf(request: Request): Record<string, unknown> {
  return objectIn(request) ?? {};
}

/** Reads a switch from a query or a body, as the platform does. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}
