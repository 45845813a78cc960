import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Scope } from '../../domain/scopes.ts';
import type { Language } from '../../domain/tracking-presentation.ts';
import type { Deps } from '../../engine/deps.ts';
import type { FindCompany } from '../../engine/find.ts';
import type { Origin } from '../../engine/idempotency.ts';
import type { OperationView } from '../../engine/read-operation.ts';
import type { EventFollowers } from '../../usecases/events/follow-events.ts';
import type { Permits } from './permits.ts';
import type { Points } from './points.ts';

/** The dependencies of routes. */
export interface ApiDeps extends Deps {
  /** Waits until an operation has no open items. Returns false on time-out. */
  waitForOperation(operationId: number, timeoutMs: number, about?: { isSingle?: boolean }): Promise<boolean>;
  company: FindCompany;
  followers: EventFollowers;
  points: Points;
  permits: Permits;
  operationBodies: Readonly<Record<OperationKind, OperationBody>>;
}

type OperationKind = OperationView['operation']['kind'];

/** Returns the current body of an operation of its kind. Throws a `Problem` for a failure that the contract has no body for. */
export type OperationBody = (deps: ApiDeps, view: OperationView, companyId: number) => unknown;

export interface RouteRequest<Params, Query, Body> {
  companyId: number;
  requestId: string;
  params: Params;
  query: Query;
  body: Body;
  /** The body as it was sent, where an absent field and an empty one differ. */
  given: unknown;
  /** The file of a route with `upload`; empty for others. */
  upload: Buffer;
  /** The header `If-Match`. */
  ifMatch: string | undefined;
  /** Language of texts for people: the best match of `Accept-Language`, Italian by default. */
  readonly language: Language;
  /** Returns the content type that `Accept` prefers; null: none of them. */
  preferred(types: readonly string[]): string | null;
  /** How long the client allows slow work to take. */
  waitMs: number;
  /** The company and idempotency key of the request, for use cases that write. */
  origin: Origin;
}

/** The same `version` means the same bytes, and it is known before the content is built. Absent: unknown. */
export interface ReplyFile {
  contentType: string;
  /** Absent: the answer is no file to keep. */
  name?: string;
  content: Buffer | Readable;
  version?: string;
}

export interface Reply {
  status: number;
  body?: unknown;
  /** Instead of a JSON body. A stream is sent as fast as the client takes it. */
  file?: ReplyFile;
  /** Stored under the `Idempotency-Key` instead of `body`, when `body` holds a secret that is shown only once. */
  remembered?: unknown;
  headers?: Record<string, string>;
  /** Begins the strong ETag of the answer; `If-Match` compares it. Absent: a read gets a weak one of its bytes. */
  revision?: string;
}

export interface ResponseDoc {
  description: string;
  /** Schema of a JSON body; problems always have the same. */
  schema?: z.ZodType;
  /** Content types of a file, which may come instead of the JSON body. */
  contentTypes?: readonly string[];
  /** False: this 201 or 202 has no header `Location`. */
  hasLocation?: false;
}

/** One endpoint. Its schemas serve validation, types and OpenAPI. */
export interface Route<Params = unknown, Query = unknown, Body = unknown> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below /api/v1/external, with OpenAPI braces. */
  path: string;
  /** The scope that a key needs; null: every key may. A write needs `write` alone: it answers what it changed. */
  scope: Scope | null;
  /** Returns a scope that a request needs besides, for a read that also notes something. */
  alsoNeeds?(request: { query: Query }): Scope | null;
  tag: string;
  summary: string;
  description?: string;
  /** `signature`: the endpoint needs no API key, so the request has no company. Absent: it needs a key. */
  access?: 'signature';
  params?: z.ZodType<Params>;
  query?: z.ZodType<Query>;
  /** Refuses unknown parameters, because an ignored filter would return the whole list. Never for routes of the contract. */
  isQueryStrict?: true;
  body?: z.ZodType<Body>;
  /** Media types of a file that is the body, instead of JSON. */
  upload?: readonly string[];
  /** Returns the points that a request costs; absent: one. A batch costs one per element. */
  points?(request: { query: Query; body: Body; upload: Buffer }): number;
  /** Requests of one moment share one statement, so they take one connection together and need no permit. */
  isBatched?: true;
  /** The answer is a stream that goes on for the seconds of the request. */
  isEndless?: true;
  /** A missing body counts as `{}`. */
  isBodyOptional?: true;
  responses: Record<number, ResponseDoc>;
  handle(deps: ApiDeps, request: RouteRequest<Params, Query, Body>): Promise<Reply>;
  /** Rebuilds the answer when an earlier run with the same `Idempotency-Key` committed and its process died. */
  recover?(deps: ApiDeps, asker: { companyId: number; waitMs: number }, resultId: number): Promise<Reply>;
}

/** Tells whether a request of a route changes something. A look-up may be a POST too. */
export function isWrite({ scope }: Pick<Route, 'scope'>): boolean {
  return scope?.endsWith(':write') ?? false;
}

/** Checks a route against its own schemas, then erases their types so that one list can hold all routes. */
export function defineRoute<Params, Query, Body>(route: Route<Params, Query, Body>): Route {
  return route as unknown as Route;
}

/** Returns the operation id, such as `getOrdersId` for `GET /orders/{id}`. */
export function operationIdOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method}${path.replaceAll(/[^A-Za-z]+(.)?/g, (_all, letter: string) => (letter ?? '').toUpperCase())}`;
}
