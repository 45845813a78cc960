import type { Response } from 'express';
import type { z } from 'zod';

/** An error as MyDHL API words it. */
export interface Refusal {
  status: number;
  title: string;
  message: string;
  detail: string;
  additionalDetails?: string[];
}

export function refuse(response: Response, instance: string, { status, ...said }: Refusal): void {
  response.status(status).json({ instance: `/expressapi${instance}`, ...said, status: String(status) });
}

export const badRequest = (detail: string): Refusal => ({
  status: 400,
  title: 'Bad request',
  message: 'Bad request',
  detail,
});

export const missing = (names: readonly string[]): Refusal => ({
  status: 400,
  title: 'Missing parameters',
  message: 'Bad request',
  detail: `Missing mandatory parameters: ${names.join(', ')}`,
});

export const notFound = (detail: string, title = 'Not found'): Refusal => ({
  status: 404,
  title,
  message: title,
  detail,
});

/** How DHL words a refused login was not found: these words are the sandbox's own. */
export const UNAUTHORIZED: Refusal = {
  status: 401,
  title: 'Unauthorized',
  message: 'Unauthorized',
  detail: 'Username or password is wrong',
};

/** Faults of the JSON schema: 422, one as it is, several behind a common sentence. */
export function validationError(error: z.ZodError, body: unknown): Refusal {
  const faults = error.issues.flatMap((issue) => faultsOf(issue, body));
  const [first = ''] = faults;
  const head = { status: 422, title: 'Validation error', message: 'Unprocessable Entity' };
  if (faults.length === 1) return { ...head, detail: first };
  return { ...head, detail: 'Multiple problems found, see Additional Details', additionalDetails: faults };
}

function faultsOf(issue: z.core.$ZodIssue, body: unknown): string[] {
  const at = (path: readonly PropertyKey[]): string => `#${path.map((part) => `/${String(part)}`).join('')}`;
  const value = issue.path.reduce<unknown>(
    (here, part) => (here as Record<PropertyKey, unknown> | undefined)?.[part],
    body,
  );
  if (value === undefined && issue.path.length > 0) {
    return [`${at(issue.path.slice(0, -1))}: required key [${String(issue.path.at(-1))}] not found`];
  }
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => `${at(issue.path)}: extraneous key [${key}] is not permitted`);
    case 'too_small':
      return [sized(issue.origin, at(issue.path), { word: 'min', wanted: issue.minimum, value })];
    case 'too_big':
      return [sized(issue.origin, at(issue.path), { word: 'max', wanted: issue.maximum, value })];
    default:
      return [`${at(issue.path)}: ${issue.message}`];
  }
}

function sized(
  origin: string,
  pointer: string,
  { word, wanted, value }: { word: 'min' | 'max'; wanted: number | bigint; value: unknown },
): string {
  const { length } = value as { length: number };
  if (origin === 'string') return `${pointer}: expected ${word}Length: ${wanted}, actual: ${length}`;
  if (origin === 'array') return `${pointer}: expected ${word}imum item count: ${wanted}, found: ${length}`;
  return `${pointer}: ${String(value)} is not within ${word}imum: ${wanted}`;
}
