import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { BASE_PATH } from '../http/base-path.ts';
import type { ResponseDoc, Route } from '../http/route.ts';
import { CONTRACT_ROUTES, ROUTES } from '../routes/index.ts';
import { addExamples } from './examples.ts';
import { type ProblemResponses, problemResponses } from './problems.ts';

const TAGS = [
  { name: 'Orders', description: 'What customers bought, and where it leaves from' },
  { name: 'Shipments', description: 'Quotes, labels, tracking, giacenza and returns' },
  { name: 'Manifests', description: 'The bordero that the driver signs' },
  { name: 'Carriers', description: 'The contracts of the company and the services of its carriers' },
  { name: 'Marketplaces', description: 'The shops connected to the company' },
  { name: 'Operations', description: 'The results of requests that answered 202' },
  { name: 'Pickups', description: "The carrier's courier, sent for on request" },
  { name: 'Attention', description: 'Shipments that need the decision of a person' },
  { name: 'Events', description: 'What happened, listed or pushed to an endpoint' },
];

const LOCATION = { description: 'Path of what was made', schema: { type: 'string' } } as const;

const HEADERS = {
  201: { Location: LOCATION },
  202: {
    Location: { ...LOCATION, description: 'Path under which the result will be' },
    'Retry-After': { description: 'Seconds', schema: { type: 'integer' } },
  },
} as const;

const WRITE_HEADERS = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', maxLength: 255 },
    required: false,
    description: 'The answer of a success is remembered and repeated for the same key',
  },
  {
    name: 'Prefer',
    in: 'header',
    schema: { type: 'string' },
    required: false,
    description: 'wait=N seconds, or respond-async',
  },
] as const;

function successResponse(status: number, doc: ResponseDoc) {
  const content = doc.schema
    ? { 'application/json': { schema: doc.schema } }
    : Object.fromEntries(
        (doc.contentTypes ?? []).map((type) => [type, { schema: { type: 'string' as const, format: 'binary' } }]),
      );
  const headers = doc.hasLocation === false ? undefined : HEADERS[status as keyof typeof HEADERS];
  return { description: doc.description, content, ...(headers ? { headers } : {}) };
}

function responsesOf(route: Route, problems: ProblemResponses): NonNullable<ZodOpenApiOperationObject['responses']> {
  const responses: NonNullable<ZodOpenApiOperationObject['responses']> = {};
  for (const [text, doc] of Object.entries(route.responses)) {
    const status = Number(text);
    responses[text as '200'] = status < 400 ? successResponse(status, doc) : problems.of(status, doc.description);
  }
  for (const [status, problem] of problems.shared) {
    if (status === 404 && !route.params && !route.query) continue;
    if ((status === 413 || status === 415) && !route.body) continue;
    responses[String(status) as '400'] ??= problem;
  }
  return responses;
}

function operationOf(route: Route, problems: ProblemResponses): ZodOpenApiOperationObject {
  const params = {
    ...(route.params ? { path: route.params as never } : {}),
    ...(route.query ? { query: route.query as never } : {}),
  };
  return {
    tags: [route.tag],
    summary: route.summary,
    operationId: operationIdOf(route),
    ...(route.description ? { description: route.description } : {}),
    ...(CONTRACT_ROUTES.includes(route) ? {} : { 'x-addition': true }),
    ...(route.access === 'signature' ? { security: [] } : {}),
    requestParams: params,
    ...(route.method === 'get' ? {} : { parameters: WRITE_HEADERS.map((header) => ({ ...header })) }),
    ...(route.body
      ? { requestBody: { required: !route.isBodyOptional, content: { 'application/json': { schema: route.body } } } }
      : {}),
    responses: responsesOf(route, problems),
  };
}

/** `getOrdersId` of `GET /orders/{id}`. */
export function operationIdOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method}${path.replaceAll(/[^A-Za-z]+(.)?/g, (_all, letter: string) => (letter ?? '').toUpperCase())}`;
}

/** The OpenAPI 3.1 document of everything served under the base path. */
export function openApiDocument(version: string) {
  const paths: ZodOpenApiPathsObject = {};
  const problems = problemResponses();
  for (const route of ROUTES) {
    const path = `${BASE_PATH}${route.path}`;
    paths[path] = { ...paths[path], [route.method]: operationOf(route, problems) };
  }
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'smista',
        version,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
        description:
          'External Shipping and Order API. Operations marked x-addition are not part of the contract. Unknown fields and query parameters of a request are ignored and named in the response header X-Ignored-Fields. Answers may gain fields. The examples are those of a fresh demo, a minute after its start: orders 1 to 3 come from its shop, the next ones are those of POST /orders, and shipments are numbered as they are created.',
      },
      servers: [{ url: '/' }],
      tags: TAGS,
      security: [{ apiKey: [] }],
      paths,
      components: { securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } } },
    },
    { override: ({ jsonSchema, io }) => keepOpen(jsonSchema, io) },
  );
  for (const route of ROUTES) addExamples(document.paths?.[`${BASE_PATH}${route.path}`]?.[route.method] ?? {}, route);
  return document;
}

/** A field that is added later must not break a client: answers are not closed, although zod would close them. */
function keepOpen(jsonSchema: { additionalProperties?: unknown }, io: 'input' | 'output'): void {
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}
