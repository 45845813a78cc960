import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { Language } from '../../domain/tracking-presentation.ts';
import type { Deps } from '../../engine/deps.ts';
import type { FindCompany } from '../../engine/find.ts';
import type { Origin } from '../../engine/idempotency.ts';
import type { OperationView } from '../../engine/read-operation.ts';
import type { Identity } from '../../usecases/setup/api-keys.ts';

/** What routes may use besides the use-cases. */
export interface ApiDeps extends Deps {
  /** Waits until nothing of an operation is open; false when the time was over first. */
  waitForOperation(operationId: number, timeoutMs: number): Promise<boolean>;
  /** Whose key it is; null when it is none, or none any more. */
  identify(key: string): Promise<Identity | null>;
  company: FindCompany;
  operationBodies: Readonly<Record<OperationKind, OperationBody>>;
}

type OperationKind = OperationView['operation']['kind'];

/** Returns what an operation of its kind answers as it stands now. Throws a `Problem` where the contract has no body for a failure. */
export type OperationBody = (deps: ApiDeps, view: OperationView, companyId: number) => unknown;

export interface RouteRequest<Params, Query, Body> {
  companyId: number;
  requestId: string;
  params: Params;
  query: Query;
  body: Body;
  /** Of texts for people: what `Accept-Language` wants most, Italian unless it says otherwise. */
  readonly language: Language;
  /** How long the client lets slow work take. */
  waitMs: number;
  /** Whose request it is, for use-cases that write. */
  origin: Origin;
}

/** `version` stands for the content before it is made: the same means the same bytes. Absent: it is not known. */
export interface ReplyFile {
  contentType: string;
  name: string;
  content: Buffer | Readable;
  version?: string;
}

export interface Reply {
  status: number;
  body?: unknown;
  /** Instead of a JSON body. A stream is sent as fast as the client takes it. */
  file?: ReplyFile;
  /** What is remembered under an `Idempotency-Key` instead of `body`, which holds something that is shown only once. */
  remembered?: unknown;
  headers?: Record<string, string>;
}

export interface ResponseDoc {
  description: string;
  /** Of a JSON body; a problem's is always the same. */
  schema?: z.ZodType;
  /** Of a file. */
  contentTypes?: readonly string[];
  /** False: a 201 or 202 without the header `Location`. */
  hasLocation?: false;
}

/** One endpoint: its schemas are validation, types and OpenAPI at once. */
export interface Route<Params = unknown, Query = unknown, Body = unknown> {
  method: 'get' | 'post' | 'delete';
  /** Below /api/v1/external, with OpenAPI braces. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** `signature`: no key is asked for, and the request knows no company; absent: a key is. */
  access?: 'signature';
  params?: z.ZodType<Params>;
  query?: z.ZodType<Query>;
  /** A list of ours: an unknown parameter is refused, since ignoring a filter would answer everything. Never for the contract's routes. */
  isQueryStrict?: true;
  body?: z.ZodType<Body>;
  /** No body at all is read as `{}`. */
  isBodyOptional?: true;
  responses: Record<number, ResponseDoc>;
  handle(deps: ApiDeps, request: RouteRequest<Params, Query, Body>): Promise<Reply>;
  /** The answer for what an earlier run of the same `Idempotency-Key` had made before its process died. */
  recover?(deps: ApiDeps, asker: { companyId: number; waitMs: number }, resultId: number): Promise<Reply>;
}

/** Checks a route against its own schemas and then forgets their types, so that one list can hold every route. */
export function defineRoute<Params, Query, Body>(route: Route<Params, Query, Body>): Route {
  return route as unknown as Route;
}
