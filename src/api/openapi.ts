import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { BASE_PATH } from './base-path.ts';
import type { Route } from './route.ts';
import { CONTRACT_ROUTES, ROUTES } from './routes/index.ts';
import { ProblemBody } from './schemas.ts';

const COMMON = {
  400: 'Something in the request is wrong; violations names every fault',
  401: 'x-api-key is missing, unknown, revoked or expired',
  404: "There is no such thing, or it is another company's",
  409: 'Not in this state, or the same Idempotency-Key is still running',
  413: 'The body is too large',
  415: 'The body is not JSON',
  422: 'A rule forbids it, or the Idempotency-Key was used for another request',
  429: 'Too many requests; see Retry-After',
  503: 'The service is not ready',
} as const;

function problemResponse(description: string) {
  return { description, content: { 'application/problem+json': { schema: ProblemBody } } };
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const responses: NonNullable<ZodOpenApiOperationObject['responses']> = {};
  for (const [status, doc] of Object.entries(route.responses)) {
    const isProblem = Number(status) >= 400;
    const contentType = doc.contentType ?? (isProblem ? 'application/problem+json' : 'application/json');
    responses[`${Number(status)}` as '200'] = {
      description: doc.description,
      content: {
        [contentType]: doc.schema ? { schema: doc.schema } : { schema: { type: 'string', format: 'binary' } },
      },
    };
  }
  for (const [status, description] of Object.entries(COMMON)) {
    if (status === '404' && !route.params && !route.query) continue;
    if ((status === '413' || status === '415') && !route.body) continue;
    responses[status as '400'] ??= problemResponse(description);
  }
  const isWrite = route.method !== 'get';
  return {
    tags: [route.tag],
    summary: route.summary,
    operationId: `${route.method}${route.path.replaceAll(/[^A-Za-z]+(.)?/g, (_all, letter: string) => (letter ?? '').toUpperCase())}`,
    ...(route.description ? { description: route.description } : {}),
    ...(CONTRACT_ROUTES.includes(route) ? {} : { 'x-addition': true }),
    ...(route.access === 'signature' ? { security: [] } : {}),
    requestParams: {
      ...(route.params ? { path: route.params as never } : {}),
      ...(route.query ? { query: route.query as never } : {}),
    },
    ...(isWrite
      ? {
          parameters: [
            { name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 255 }, required: false },
            {
              name: 'Prefer',
              in: 'header',
              schema: { type: 'string' },
              required: false,
              description: 'wait=N seconds, or respond-async',
            },
          ],
        }
      : {}),
    ...(route.body
      ? { requestBody: { required: !route.isBodyOptional, content: { 'application/json': { schema: route.body } } } }
      : {}),
    responses,
  };
}

/** The OpenAPI 3.1 document of everything served under the base path. */
export function openApiDocument(version: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of ROUTES) {
    const path = `${BASE_PATH}${route.path}`;
    paths[path] = { ...paths[path], [route.method]: operationOf(route) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'smista',
      version,
      description:
        'External Shipping and Order API. Operations marked x-addition are not part of the contract. Fields and query parameters nobody knows are ignored and named in the response header X-Ignored-Fields.',
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } } },
  });
}
