import type { RequestHandler } from 'express';
import { sendError, sendInvalid } from './answers.ts';

/** Requires the key alone, without a scheme word. Keys start with `sandbox`, and one with `readonly` in it may not write. */
export function requireKey(access: 'read' | 'write'): RequestHandler {
  return (request, response, next) => {
    const key = request.get('authorization') ?? '';
    const { shop_id } = request.query;
    if (!/^sandbox[\w-]*$/.test(key)) sendError(response, 401, { code: 'UNAUTHORIZED', message: 'Unauthorized' });
    else if (access === 'write' && key.includes('readonly')) {
      sendError(response, 403, { code: 'FORBIDDEN', message: 'The user lacks the role for this operation' });
    } else if (shop_id !== undefined && !/^\d+$/.test(String(shop_id))) {
      sendInvalid(response, 'shop_id must be an integer');
    } else next();
  };
}
