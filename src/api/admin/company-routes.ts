import { z } from 'zod';
import { administered, readSetup, replaceSetup } from '../../usecases/setup/administer.ts';
import { Flag, Text } from '../http/schemas.ts';
import { type AdminRoute, defineAdminRoute } from './admin-route.ts';
import { asDeclarationProblem } from './declaration-body.ts';

export const CompanyPath = z.object({ company: z.string().min(1).max(100).describe('The key of a company') });

export const CompanyDeclaration = z.looseObject({ key: Text.optional() }).meta({
  id: 'CompanyDeclaration',
  description: 'One company as in the apply file; examples/company.yaml explains each field',
});

export const Report = z.object({
  changes: z.array(
    z.object({ what: Text, change: z.enum(['created', 'changed', 'unchanged']), fields: z.array(Text) }),
  ),
  leftAlone: z.array(Text).describe('What the company has and the declaration does not name; it stays as it is'),
});

export const companyRoutes: readonly AdminRoute[] = [
  defineAdminRoute({
    method: 'get',
    path: '/companies',
    summary: 'List the companies that you set up',
    description: 'One, or all for an admin of the installation.',
    responses: { 200: { description: 'By key', schema: z.array(z.object({ key: Text, name: Text })) } },
    async handle(deps, { admin }) {
      return { status: 200, body: await administered(deps, admin) };
    },
  }),
  defineAdminRoute({
    method: 'get',
    path: '/companies/{company}',
    summary: 'Read the setup of a company',
    description: 'As PUT takes it, and as `smista export` prints it. Secrets are the word `keep`.',
    params: CompanyPath,
    responses: { 200: { description: 'The declaration', schema: CompanyDeclaration } },
    async handle(deps, { admin, params }) {
      return { status: 200, body: await readSetup(deps, admin, params.company) };
    },
  }),
  defineAdminRoute({
    method: 'put',
    path: '/companies/{company}',
    summary: 'Set up a company',
    description:
      'Makes warehouses, products, tariffs, contracts, connections, rules and settings what the body says, all or nothing, as `smista apply` does. What the body does not name stays. The word `keep` stands for a secret that stays as it is. Admins of the installation may declare a new company.',
    params: CompanyPath,
    query: z.object({ dryRun: Flag.describe('true: report what would change, and write nothing') }),
    body: CompanyDeclaration,
    responses: {
      200: { description: 'What changed', schema: Report },
      422: { description: 'violations names every fault' },
    },
    async handle(deps, { admin, params, query, body }) {
      const report = await replaceSetup(deps, admin, {
        key: params.company,
        declared: body,
        isDryRun: query.dryRun,
      }).catch(asDeclarationProblem({ root: ['companies', 0] }));
      return { status: 200, body: report };
    },
  }),
];
