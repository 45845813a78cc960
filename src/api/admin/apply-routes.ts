import { stringify } from 'yaml';
import { z } from 'zod';
import { applyDeclared, exportAdministered } from '../../usecases/setup/administer.ts';
import { Flag } from '../http/schemas.ts';
import { type AdminRoute, defineAdminRoute } from './admin-route.ts';
import { CompanyDeclaration, Report } from './company-routes.ts';
import { asDeclarationProblem } from './declaration-body.ts';

const Declaration = z
  .object({ companies: z.array(CompanyDeclaration) })
  .meta({ id: 'Declaration', description: 'The apply file; examples/company.yaml explains each field' });

/** Accepts everything, because `apply` itself names every fault, in the words of the command line. */
const AnyDeclaration = z.unknown().meta({
  id: 'AppliedDeclaration',
  description: 'The apply file; examples/company.yaml explains each field',
  override: { type: 'object', required: ['companies'], properties: { companies: { type: 'array', items: {} } } },
});

export const applyRoutes: readonly AdminRoute[] = [
  defineAdminRoute({
    method: 'post',
    path: '/apply',
    summary: 'Apply a declaration',
    description:
      'Makes companies what the body says, all or nothing, as `smista apply` does. What the body does not name stays. An admin of one company declares that one alone. A body in YAML has at most 256 KB, and its faults have line and column.',
    query: z.object({ dryRun: Flag.describe('true: report what would change, and write nothing') }),
    body: AnyDeclaration,
    takesYaml: true,
    responses: {
      200: { description: 'What changed', schema: Report },
      413: { description: 'The body is larger than 2 MB, or in YAML larger than 256 KB' },
      422: { description: 'violations names every fault' },
    },
    async handle(deps, { admin, query, body, yaml }) {
      const report = await applyDeclared(deps, admin, { declared: body, isDryRun: query.dryRun }).catch(
        asDeclarationProblem({ text: yaml }),
      );
      return { status: 200, body: report };
    },
  }),
  defineAdminRoute({
    method: 'get',
    path: '/export',
    summary: 'Export the companies that you set up',
    description:
      'As `smista export` prints it and POST /apply takes it, in JSON or in YAML. Secrets are the word `keep`.',
    query: z.object({
      company: z.string().min(1).max(100).optional().describe('The key of one company; absent: all'),
      format: z.enum(['json', 'yaml']).optional().describe('Absent: json'),
    }),
    responses: {
      200: { description: 'The declaration', schema: Declaration, contentTypes: ['application/yaml'] },
      404: { description: 'You set up no such company' },
    },
    async handle(deps, { admin, query }) {
      const body = await exportAdministered(deps, admin, query.company ?? null);
      if (query.format !== 'yaml') return { status: 200, body };
      const content = Buffer.from(stringify(body, { lineWidth: 0 }));
      return { status: 200, file: { contentType: 'application/yaml; charset=utf-8', content } };
    },
  }),
];
