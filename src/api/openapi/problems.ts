import type { ZodOpenApiResponseObject } from 'zod-openapi';
import type { Violation } from '../../lib/errors.ts';
import { ProblemBody } from '../http/schemas.ts';

interface ProblemDoc {
  /** Name under `components.responses`; absent when each route has its own description. */
  id?: string;
  description: string;
  headers?: ZodOpenApiResponseObject['headers'];
  example: {
    code: string;
    title: string;
    detail: string;
    source?: string;
    retryable?: boolean;
    scope?: string;
    violations?: Violation[];
  };
}

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' as const, example: 5 } } };

/** The problem answers that endpoints share, by status. */
const PROBLEMS: Readonly<Record<number, ProblemDoc>> = {
  400: {
    id: 'BadRequest',
    description: 'The request is invalid; violations names every fault',
    example: {
      code: 'invalid-request',
      title: 'Bad request',
      detail: '2 invalid fields: /shipping/zip must be a five-digit Italian postal code; /items must not be empty',
      violations: [
        { in: 'body', pointer: '/shipping/zip', message: 'must be a five-digit Italian postal code' },
        { in: 'body', pointer: '/items', message: 'must not be empty' },
      ],
    },
  },
  401: {
    id: 'Unauthorized',
    description: 'x-api-key is missing, unknown, revoked or expired',
    example: { code: 'key-refused', title: 'Unauthorized', detail: 'The header x-api-key must hold a valid key' },
  },
  403: {
    id: 'Forbidden',
    description: 'The key has not the scope of this endpoint, or is not for the address that asks',
    example: {
      code: 'missing-scope',
      title: 'Forbidden',
      detail: 'The key has not the scope orders:write: use another key',
      scope: 'orders:write',
    },
  },
  404: {
    id: 'NotFound',
    description: 'The company has no such resource',
    example: { code: 'not-found', title: 'Not found', detail: 'There is no such order' },
  },
  405: {
    id: 'MethodNotAllowed',
    description: 'The path does not support this method',
    headers: {
      Allow: {
        description: 'Methods that the path supports',
        schema: { type: 'string', example: 'POST, GET, HEAD, OPTIONS' },
      },
    },
    example: {
      code: 'method-not-allowed',
      title: 'Method not allowed',
      detail: 'PUT is not possible here: use POST or GET',
    },
  },
  409: {
    id: 'Conflict',
    description: 'Not possible in this state, or the same Idempotency-Key is still running',
    example: {
      code: 'shipment-in-progress',
      title: 'Conflict',
      detail: 'Another request is working on the shipment',
      retryable: true,
    },
  },
  412: {
    description: 'The resource has changed since it was read',
    example: {
      code: 'order-changed',
      title: 'Precondition failed',
      detail: 'The order has changed since you read it: read it again, then repeat the correction',
    },
  },
  413: {
    id: 'ContentTooLarge',
    description: 'The body is larger than 2 MB',
    example: { code: 'too-large', title: 'Content too large', detail: 'The request could not be read' },
  },
  415: {
    id: 'UnsupportedMediaType',
    description: 'The body is not JSON',
    example: {
      code: 'unsupported-type',
      title: 'Unsupported media type',
      detail: 'The body must be application/json',
    },
  },
  422: {
    id: 'Unprocessable',
    description: 'A rule forbids it, or the Idempotency-Key was used for another request',
    example: {
      code: 'idempotency-key-reused',
      title: 'Idempotency key reused',
      detail: 'This Idempotency-Key was used for another request',
    },
  },
  424: {
    description: 'The carrier refused',
    example: {
      code: 'carrier-refused',
      title: 'The carrier refused',
      detail: 'The carrier refused the request',
      source: 'carrier',
    },
  },
  429: {
    id: 'TooManyRequests',
    description: 'Too many requests of this company, per minute or at once',
    headers: RETRY_AFTER,
    example: {
      code: 'too-many-requests',
      title: 'Too many requests',
      detail:
        'Too many requests: 120 of 60000 points are left for this minute; a request costs one, a batch one per element',
      retryable: true,
    },
  },
  500: {
    id: 'InternalError',
    description: 'An internal error; the log has it under the request id',
    example: {
      code: 'internal',
      title: 'Internal error',
      detail: 'Internal error: search the log for the request id',
      source: 'platform',
    },
  },
  502: {
    description: 'The carrier is not working',
    example: {
      code: 'partner-broken',
      title: 'The carrier is not working',
      detail: 'The carrier did not answer in a form it has documented',
      source: 'carrier',
      retryable: true,
    },
  },
  503: {
    id: 'NotReady',
    description: 'The service is busy, cannot reach its database or cannot write to its disk',
    headers: RETRY_AFTER,
    example: {
      code: 'not-ready',
      title: 'Not ready',
      detail: 'The database cannot be reached at the moment',
      source: 'platform',
      retryable: true,
    },
  },
  504: {
    description: "The carrier's answer was lost",
    example: {
      code: 'outcome-unknown',
      title: 'The carrier did not answer',
      detail: "The carrier's answer was lost",
      source: 'carrier',
    },
  },
};

export type ProblemResponses = ReturnType<typeof problemResponses>;

/** Builds the problem responses of the document: `shared` are components that routes refer to, `of` makes one for a single route. */
export function problemResponses() {
  const shared = new Map(
    Object.entries(PROBLEMS).flatMap(([status, doc]) =>
      doc.id ? [[Number(status), { id: doc.id, ...responseOf(Number(status), doc) }] as const] : [],
    ),
  );
  return {
    shared,
    of: (status: number, description: string) => responseOf(status, { ...docOf(status), description }),
  };
}

function docOf(status: number): ProblemDoc {
  const doc = PROBLEMS[status];
  if (!doc) throw new Error(`src/api/openapi/problems.ts has no example for ${status}`);
  return doc;
}

function responseOf(status: number, { description, headers, example }: ProblemDoc): ZodOpenApiResponseObject {
  const { code, title, detail, source = 'client', retryable = false, violations } = example;
  return {
    description,
    ...(headers ? { headers } : {}),
    content: {
      'application/problem+json': {
        schema: ProblemBody,
        example: {
          type: `urn:smista:problem:${code}`,
          title,
          status,
          detail,
          code,
          source,
          retryable,
          requestId: '0b7e4c1a-5d2f-4e86-9c53-8f1d2a6b3c47',
          ...(violations ? { violations } : {}),
        },
      },
    },
  };
}
