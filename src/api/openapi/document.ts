import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { BASE_PATH } from '../http/base-path.ts';
import { operationIdOf, type ResponseDoc, type Route } from '../http/route.ts';
import { CONTRACT_ROUTES, ROUTES } from '../routes/index.ts';
import { addExamples } from './examples.ts';
import { type ProblemResponses, problemResponses } from './problems.ts';

const TAGS = [
  { name: 'Orders', description: "Customers' purchases, and the warehouses that they leave from" },
  { name: 'Shipments', description: 'Quotes, labels, tracking, giacenza and returns' },
  { name: 'Manifests', description: 'Borderos, which drivers sign' },
  { name: 'Carriers', description: "The company's contracts and the services of its carriers" },
  { name: 'Rules', description: 'Which contract, service and warehouse an order gets' },
  { name: 'Marketplaces', description: 'The shops connected to the company' },
  { name: 'Operations', description: 'Results of requests that answered 202, and limits of requests' },
  { name: 'Pickups', description: "The carrier's courier, sent for on request" },
  { name: 'Overview', description: 'Where the day stands' },
  { name: 'Attention', description: 'Shipments that need a decision by a person' },
  { name: 'Audit', description: 'Who changed something, when, from where and how' },
  {
    name: 'Events',
    description: 'Changes of orders, shipments, parcels and borderos, to list or to receive as webhooks',
  },
];

const LOCATION = { description: 'Path of the new resource', schema: { type: 'string' } } as const;

const HEADERS = {
  201: { Location: LOCATION },
  202: {
    Location: { ...LOCATION, description: 'Path of the operation, which has the result later' },
    'Retry-After': { description: 'Seconds', schema: { type: 'integer' } },
  },
} as const;

const WRITE_HEADERS = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    schema: { type: 'string', maxLength: 255 },
    required: false,
    description: 'A repeated request with the same key gets the stored answer of the first success',
  },
  {
    name: 'Prefer',
    in: 'header',
    schema: { type: 'string' },
    required: false,
    description: 'wait=N: wait at most N seconds; respond-async: do not wait',
  },
] as const;

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  schema: { type: 'string' },
  required: false,
  description: 'The ETag of the version that the change was made from: 412 when it has changed since',
} as const;

function filesOf(types: readonly string[]) {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' as const, format: 'binary' } }]));
}

function successResponse(status: number, doc: ResponseDoc) {
  const content = {
    ...(doc.schema ? { 'application/json': { schema: doc.schema } } : {}),
    ...filesOf(doc.contentTypes ?? []),
  };
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
    if (status === 403 && route.access === 'signature') continue;
    if ((status === 413 || status === 415) && !route.body && !route.upload) continue;
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
    ...(route.scope === null ? {} : { 'x-required-scope': route.scope }),
    requestParams: params,
    ...(route.method === 'get' ? {} : { parameters: headersOf(route) }),
    ...(route.body || route.upload
      ? { requestBody: { required: !route.isBodyOptional, content: contentOf(route) } }
      : {}),
    responses: responsesOf(route, problems),
  };
}

function headersOf({ method }: Route) {
  return [...WRITE_HEADERS, ...(method === 'patch' ? [IF_MATCH] : [])].map((header) => ({ ...header }));
}

function contentOf({ method, body: schema = z.unknown(), upload }: Route) {
  if (upload) return filesOf(upload);
  const json = { 'application/json': { schema } };
  return method === 'patch' ? { ...json, 'application/merge-patch+json': { schema } } : json;
}

/** Builds the OpenAPI 3.1 document of everything below the base path. */
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
          'External Shipping and Order API. Operations marked x-addition are additions to the contract. A request may have unknown fields and query parameters: they are ignored and listed in the response header X-Ignored-Fields. Responses may gain fields. The examples show a fresh demo one minute after its start: orders 1 to 3 come from its shop, the next ones from POST /orders, and shipments are numbered in order of creation.',
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

/** Allows unknown fields in answers, which zod would forbid: a field that is added later must not break a client. */
export function keepOpen(jsonSchema: { additionalProperties?: unknown }, io: 'input' | 'output'): void {
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}
