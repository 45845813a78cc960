import { Problem } from '../lib/errors.ts';

/** Says the same about what does not exist and what belongs to somebody else. */
export function notFound(what: string): Problem {
  return new Problem(`There is no such ${what}`, { status: 404, code: 'not-found', title: 'Not found' });
}

/** A rule of ours that the request breaks, with the fields at fault. */
export function unprocessable(detail: string, violations: { pointer: string; message: string }[] = []): Problem {
  return new Problem(detail, {
    status: 422,
    code: 'rule-broken',
    title: 'The request cannot be carried out',
    violations: violations.map((violation) => ({ in: 'body' as const, ...violation })),
  });
}
