import type { Request } from 'express';
import { z } from 'zod';
import { Problem, type Violation } from '../../lib/errors.ts';
import { badRequest, violationsOf } from './problem.ts';
import type { Route } from './route.ts';

export const JSON_TYPES = ['application/json', 'application/*+json'];
const MAX_DEPTH = 32;
const MAX_IGNORED = 20;
/** Maximum listed faults of one kind, so that the answer does not outgrow the request. */
const MAX_FAULTS = 1000;

export interface ReadRequest {
  params: unknown;
  query: unknown;
  body: unknown;
  /** The body as it was sent. */
  given: unknown;
  /** JSON pointers of unknown fields. */
  ignored: string[];
}

/**
 * Parses path, query and body with the route's schemas. Throws one `Problem` with the faults of all three.
 * @param parsed a body that is not JSON and was parsed before
 */
export function readRequest(route: Route, request: Request, raw: Buffer, parsed?: { value: unknown }): ReadRequest {
  if (route.upload) refuseOtherTypes(route.upload, request);
  const json = parsed ? parsed.value : route.body ? readJson(route, request, raw) : undefined;
  const violations: Violation[] = [];
  const ignored: string[] = [];
  const read = (schema: Route['params'], value: unknown, where: Violation['in']): unknown => {
    if (!schema) return undefined;
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      violations.push(...violationsOf(parsed.error, where));
      return undefined;
    }
    if (where !== 'path') collectIgnored(value, parsed.data, [], ignored);
    return parsed.data;
  };
  const params = read(route.params, request.params, 'path');
  const query = read(route.query, request.query, 'query');
  if (route.isQueryStrict) violations.push(...unknownParameters(route, request.query));
  else if (!route.query) ignored.push(...Object.keys(request.query).map((name) => `/${name}`));
  violations.push(...unstorable(request.query, 'query'));
  const faults = route.body ? unstorable(json, 'body') : [];
  violations.push(...faults);
  const body = faults.length > 0 ? undefined : read(route.body, json, 'body');
  if (violations.length > 0) throw badRequest(violations);
  return { params, query, body, given: json, ignored: ignored.slice(0, MAX_IGNORED) };
}

function unknownParameters({ query }: Route, given: object): Violation[] {
  const known = query instanceof z.ZodObject ? Object.keys(query.shape) : [];
  const step = known.length === 0 ? 'it has no parameters' : `use ${known.join(', ')}`;
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .slice(0, MAX_IGNORED)
    .map((name) => ({
      in: 'query',
      pointer: pointerOf([name]),
      message: `is not a parameter of this endpoint: ${step}`,
    }));
}

function readJson({ isBodyOptional }: Route, request: Request, raw: Buffer): unknown {
  return isBodyOptional && raw.length === 0 ? {} : parseJson(request, raw);
}

/** Throws a 415 for a body of another media type. A type with `*` is taken and not named. */
export function refuseOtherTypes(types: readonly string[], request: Request): void {
  if (request.is([...types])) return;
  throw new Problem(`The body must be ${types.filter((type) => !type.includes('*')).join(' or ')}`, {
    status: 415,
    code: 'unsupported-type',
    title: 'Unsupported media type',
  });
}

function parseJson(request: Request, raw: Buffer): unknown {
  if (raw.length > 0) refuseOtherTypes(JSON_TYPES, request);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    const message = raw.length === 0 ? 'The body must not be empty' : 'The body is not JSON in UTF-8';
    throw badRequest([{ in: 'body', pointer: '', message }]);
  }
}

/** PostgreSQL stores neither NUL nor a lone surrogate. No schema nests deeply. */
function unstorable(given: unknown, where: 'body' | 'query'): Violation[] {
  const faults: Violation[] = [];
  const path: string[] = [];
  const isTooDeep = !walk(given, path, (text) => {
    if (text.isWellFormed() && !text.includes('\u0000')) return;
    if (faults.length < MAX_FAULTS) {
      faults.push({ in: where, pointer: pointerOf(path), message: 'must be text without NUL characters' });
    }
  });
  return isTooDeep ? [{ in: where, pointer: '', message: `must not nest deeper than ${MAX_DEPTH} levels` }] : faults;
}

/** Visits every text in a value, with `path` at its place. Returns false when the value nests too deeply. */
function walk(value: unknown, path: string[], look: (text: string) => void): boolean {
  if (typeof value === 'string') look(value);
  if (typeof value !== 'object' || value === null) return true;
  if (path.length >= MAX_DEPTH) return false;
  for (const [key, child] of Object.entries(value)) {
    path.push(key);
    const isFine = walk(child, path, look);
    path.pop();
    if (!isFine) return false;
  }
  return true;
}

/** Built only for a fault, which most requests do not have. */
function pointerOf(path: readonly string[]): string {
  return path.map((key) => `/${escapeKey(key)}`).join('');
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Lists fields that the schema stripped. This works because request schemas do not rename their keys. */
function collectIgnored(given: unknown, kept: unknown, path: string[], ignored: string[]): void {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null) return;
  for (const key of Object.keys(given)) {
    if (ignored.length >= MAX_IGNORED) return;
    path.push(key);
    if (Object.hasOwn(kept, key)) {
      collectIgnored((given as Record<string, unknown>)[key], (kept as Record<string, unknown>)[key], path, ignored);
    } else ignored.push(pointerOf(path));
    path.pop();
  }
}

/** Returns how long to wait for slow work, in milliseconds: `Prefer: wait=N` shortens it, `Prefer: respond-async` sets it to 0. */
export function waitMsOf(prefer: string | undefined, defaultSeconds: number): number {
  const wishes = (prefer ?? '').split(',').map((wish) => wish.trim().toLowerCase());
  if (wishes.includes('respond-async')) return 0;
  const wait = wishes.map((wish) => /^wait=(\d{1,6})$/.exec(wish)?.[1]).find((seconds) => seconds !== undefined);
  return Math.min(wait === undefined ? defaultSeconds : Number(wait), defaultSeconds) * 1000;
}
