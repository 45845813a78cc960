import type { Request, RequestHandler, Response } from 'express';
import { objectIn } from '../../order-partner.ts';

/** The interface's error body. `code` is a number where the platform passes on a PHP exception without choosing a word. */
export function sendError(
  response: Response,
  status: number,
  error: { code: string | number; message: string; params?: object },
): void {
  const { code, message, params } = error;
  response.status(status).json({ code, message, data: { status, ...(params ? { params } : {}) } });
}

/** The names and complaints of parameters that cannot be used. */
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

/** Query and body together, as the platform reads them; the body wins. */
export function parametersOf(request: Request): Record<string, unknown> {
  return { ...request.query, ...bodyOf(request) };
}

export function bodyOf(request: Request): Record<string, unknown> {
  return objectIn(request) ?? {};
}

/** How the platform reads a switch from a query or a body. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 1 || value === '1' || value === 'true';
}
