import type { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { ADMIN_PATH, type AdminRoute } from '../admin/admin-route.ts';
import { ADMIN_ROUTES } from '../admin/routes.ts';
import { operationIdOf } from '../http/route.ts';
import { keepOpen } from './document.ts';
import { type ProblemResponses, problemResponses } from './problems.ts';

/** Problems that every endpoint may answer. */
const SHARED = [400, 401, 403, 429, 500, 503];

/** Builds the OpenAPI 3.1 document of the endpoints for admins. */
export function adminDocument(version: string) {
  const problems = problemResponses();
  const paths: ZodOpenApiPathsObject = {};
  for (const route of ADMIN_ROUTES) {
    const path = `${ADMIN_PATH}${route.path}`;
    paths[path] = { ...paths[path], [route.method]: operationOf(route, problems) };
  }
  const document: Parameters<typeof createDocument>[0] = {
    openapi: '3.1.0',
    info: {
      title: 'smista administration',
      version,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      description:
        'Companies, their API keys and their people. It needs a key with the scope admin, which sets up its own company, or the session of a person with the role admin. Anything of another company is answered as missing.',
    },
    servers: [{ url: '/' }],
    tags: [{ name: 'Administration', description: 'How companies are set up' }],
    security: [{ apiKey: [] }, { session: [] }],
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        session: { type: 'apiKey', in: 'cookie', name: 'smista_session' },
      },
    },
  };
  return createDocument(document, { override: ({ jsonSchema, io }) => keepOpen(jsonSchema, io) });
}

function operationOf(route: AdminRoute, problems: ProblemResponses): ZodOpenApiOperationObject {
  const statuses = route.params ? [...SHARED, 404] : SHARED;
  const shared = statuses.flatMap((status) => {
    const problem = problems.shared.get(status);
    return problem ? [[String(status), problem]] : [];
  });
  const own = Object.entries(route.responses).map(([status, { description, schema, contentTypes = [] }]) => {
    if (!schema) return [status, problems.of(Number(status), description)];
    const files = contentTypes.map((type) => [type, { schema: { type: 'string' } }]);
    return [status, { description, content: { 'application/json': { schema }, ...Object.fromEntries(files) } }];
  });
  return {
    tags: ['Administration'],
    summary: route.summary,
    operationId: operationIdOf(route),
    description: route.description,
    requestParams: {
      ...(route.params ? { path: route.params as never } : {}),
      ...(route.query ? { query: route.query as never } : {}),
    },
    ...(route.body ? { requestBody: { required: true, content: contentOf(route.body, route.takesYaml) } } : {}),
    responses: Object.fromEntries([...own, ...shared]),
  };
}

function contentOf(schema: z.ZodType, takesYaml: boolean | undefined) {
  return {
    'application/json': { schema },
    ...(takesYaml ? { 'application/yaml': { schema: { type: 'string' as const } } } : {}),
  };
}
