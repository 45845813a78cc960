import type { RequestHandler, Response } from 'express';
import { sendError } from './answers.ts';

type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH';

interface Key {
  verbs: readonly Verb[];
  /** No PATCH, notices before the data, and mails that fail after the row is saved. */
  isOldShop?: boolean;
  /** Only these resources. */
  resources?: readonly string[];
  isActive?: boolean;
}

const ALL: readonly Verb[] = ['GET', 'POST', 'PUT', 'PATCH'];

const KEYS: ReadonlyMap<string, Key> = new Map<string, Key>([
  ['SANDBOXKEY0000000000000000000ALL', { verbs: ALL }],
  ['SANDBOXKEY00000000000000READONLY', { verbs: ['GET'] }],
  ['SANDBOXKEY0000000000000000000NIL', { verbs: [] }],
  ['SANDBOXKEY00000000000000000ORDER', { verbs: ALL, resources: ['orders'] }],
  ['SANDBOXKEY00000000000000INACTIVE', { verbs: ALL, isActive: false }],
  ['SANDBOXKEY00000000000000000OLDER', { verbs: ['GET', 'POST', 'PUT'], isOldShop: true }],
]);

/** Basic: the key as user, no password. */
export const requireKey: RequestHandler = (request, response, next) => {
  const refuse = (status: number, code: number, message: string) =>
    sendError(request, response, { status, code, message });
  const [scheme, encoded = ''] = (request.headers.authorization ?? '').split(' ');
  if (scheme !== 'Basic')
    return refuse(401, 16, 'Please enter the authentication key as the login. No password required');
  const [given = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (given === '') return refuse(401, 17, 'Authentication key is empty');
  if (given.length !== 32) return refuse(401, 18, 'Invalid authentication key format');
  const key = KEYS.get(given);
  if (!key || key.isActive === false) return refuse(401, 20, 'Authentification key is not active');
  if (key.verbs.length === 0) return refuse(401, 21, 'No permission for this authentication key');

  response.locals.printsNotices = key.isOldShop === true;
  const verb = request.method as Verb;
  if (key.isOldShop && verb === 'PATCH') {
    return refuse(405, 23, 'Method PATCH is not valid');
  }
  const resource = String(request.params.resource);
  if (key.resources && !key.resources.includes(resource)) {
    return refuse(401, 26, `Resource of type "${resource}" is not allowed with this authentication key`);
  }
  if (!key.verbs.includes(verb)) {
    return refuse(405, 25, `Method ${verb} is not allowed for the resource ${resource} with this authentication key`);
  }
  next();
};

/** Returns true for the shop that cannot send mail, and then says that it could not save. */
export function mailFails(response: Response): boolean {
  return response.locals.printsNotices === true;
}
