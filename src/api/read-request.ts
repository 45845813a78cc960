import type { Request } from 'express';
import { Problem, type Violation } from '../lib/errors.ts';
import { badRequest, violationsOf } from './problem.ts';
import type { Route } from './route.ts';

const MAX_DEPTH = 32;
const MAX_IGNORED = 20;
/** More faults of one kind are not named: the answer must not outgrow the question. */
const MAX_FAULTS = 1000;

export interface ReadRequest {
  params: unknown;
  query: unknown;
  body: unknown;
  /** JSON pointers of fields nobody knows here. */
  ignored: string[];
}

/** Parses path, query and body with the route's schemas; all faults of all three at once. */
export function readRequest(route: Route, request: Request, raw: Buffer): ReadRequest {
  const json = route.body ? parseJson(request, raw) : undefined;
  const violations: Violation[] = [];
  const ignored: string[] = [];
  const read = (schema: Route['params'], value: unknown, where: Violation['in']): unknown => {
    if (!schema) return undefined;
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      violations.push(...violationsOf(parsed.error, where));
      return undefined;
    }
    if (where !== 'path') collectIgnored(value, parsed.data, '', ignored);
    return parsed.data;
  };
  const params = read(route.params, request.params, 'path');
  const query = read(route.query, request.query, 'query');
  if (!route.query) ignored.push(...Object.keys(request.query).map((name) => `/${name}`));
  violations.push(...unstorable(request.query, 'query'));
  const faults = route.body ? unstorable(json, 'body') : [];
  violations.push(...faults);
  const body = faults.length > 0 ? undefined : read(route.body, json, 'body');
  if (violations.length > 0) throw badRequest(violations);
  return { params, query, body, ignored: ignored.slice(0, MAX_IGNORED) };
}

function parseJson(request: Request, raw: Buffer): unknown {
  if (raw.length > 0 && !request.is(['application/json', 'application/*+json'])) {
    throw new Problem('The body must be application/json', {
      status: 415,
      code: 'unsupported-type',
      title: 'Unsupported media type',
    });
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch {
    const message = raw.length === 0 ? 'The body must not be empty' : 'The body is not JSON in UTF-8';
    throw badRequest([{ in: 'body', pointer: '', message }]);
  }
}

/** PostgreSQL stores neither NUL nor half a surrogate pair; nothing of ours nests deeply. */
function unstorable(given: unknown, where: 'body' | 'query'): Violation[] {
  const faults: Violation[] = [];
  const open: { value: unknown; pointer: string; depth: number }[] = [{ value: given, pointer: '', depth: 0 }];
  for (let at = open.pop(); at && faults.length < MAX_FAULTS; at = open.pop()) {
    const { value, pointer, depth } = at;
    if (typeof value === 'string') {
      if (value.includes('\u0000') || !value.isWellFormed()) {
        faults.push({ in: where, pointer, message: 'must be text without NUL characters' });
      }
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= MAX_DEPTH) {
        return [{ in: where, pointer: '', message: `must not nest deeper than ${MAX_DEPTH} levels` }];
      }
      for (const [key, child] of Object.entries(value)) {
        open.push({ value: child, pointer: `${pointer}/${escapeKey(key)}`, depth: depth + 1 });
      }
    }
  }
  return faults;
}

function escapeKey(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** What the schema stripped; request schemas keep the names of their keys. */
function collectIgnored(given: unknown, kept: unknown, pointer: string, ignored: string[]): void {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null) return;
  for (const [key, value] of Object.entries(given)) {
    if (ignored.length >= MAX_IGNORED) return;
    const at = `${pointer}/${escapeKey(key)}`;
    if (Object.hasOwn(kept, key)) collectIgnored(value, (kept as Record<string, unknown>)[key], at, ignored);
    else ignored.push(at);
  }
}

/** How long the client lets slow work take: `Prefer: wait=N` shortens, `Prefer: respond-async` does not wait. */
export function waitMsOf(prefer: string | undefined, defaultSeconds: number): number {
  const wishes = (prefer ?? '').split(',').map((wish) => wish.trim().toLowerCase());
  if (wishes.includes('respond-async')) return 0;
  const wait = wishes.map((wish) => /^wait=(\d{1,6})$/.exec(wish)?.[1]).find((seconds) => seconds !== undefined);
  return Math.min(wait === undefined ? defaultSeconds : Number(wait), defaultSeconds) * 1000;
}
