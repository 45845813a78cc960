import createClient, { type Middleware } from 'openapi-fetch';
import { company } from './company.ts';
import type { components, paths } from './types.d.ts';

export type Schema = components['schemas'];
/** An error of the API, as its sentence for people. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string;
  readonly violations: readonly Fault[];

  constructor(status: number, problem: Partial<Problem>, requestId: string) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = problem.code ?? '';
    this.requestId = requestId;
    this.violations = problem.violations ?? [];
  }
}

/** The fault of one field, and its place in a text. */
export interface Fault {
  pointer?: string;
  message: string;
  line?: number;
  column?: number;
  kind?: string;
}

interface Problem {
  title: string;
  detail: string;
  code: string;
  violations: Fault[];
}

/** Names the company for people of the whole installation, and turns refusals into errors. */
export const asPerson: Middleware = {
  onRequest({ request }) {
    const key = company.value;
    if (key !== null) request.headers.set('X-Company', key);
    request.headers.set('Accept-Language', document.documentElement.lang);
    return request;
  },
  async onResponse({ response }) {
    if (response.ok) return response;
    throw await errorOf(response);
  },
};

/** Reads the problem of an answer; an answer that is none keeps its status. */
export async function errorOf(response: Response): Promise<ApiError> {
  const problem = await response.json().catch(() => ({}));
  return new ApiError(response.status, problem, response.headers.get('X-Request-Id') ?? '');
}

/** The public API, with the session of the person instead of a key. */
export const api = createClient<paths>({ baseUrl: '/' });
api.use(asPerson);

/** Returns the JSON body of an answer. The middleware has thrown for every refusal, and files are never asked for. */
export async function body<Data>(answer: Promise<{ data?: Data }>): Promise<Exclude<Data, string | undefined>> {
  const { data } = await answer;
  return data as Exclude<Data, string | undefined>;
}
