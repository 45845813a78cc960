import { z } from 'zod';
import { ROLES } from '../../domain/roles.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';
import { createUser, disableUser, listUsers, resetUser, type UserRow } from '../../usecases/people/users.ts';
import { type Admin, findAdministered } from '../../usecases/setup/administer.ts';
import { Id, IdText, Text } from '../http/schemas.ts';
import { type AdminRoute, defineAdminRoute } from './admin-route.ts';
import { asViolation } from './as-violation.ts';
import { CompanyPath } from './company-routes.ts';

const Person = z.object({
  id: Id,
  email: Text,
  name: Text,
  role: z.enum(ROLES),
  hasTotp: z.boolean().describe('The person logs in with a second factor'),
  lastLoginAt: Text.nullable(),
  disabledAt: Text.nullable(),
});

const NewPerson = z.object({
  email: z.string().min(3).max(254),
  name: z.string().trim().max(100).default(''),
  role: z.enum(ROLES),
});

const PersonPath = CompanyPath.extend({ id: IdText });
const Password = z.object({ id: Id, password: Text });

export const userRoutes: readonly AdminRoute[] = [
  defineAdminRoute({
    method: 'get',
    path: '/companies/{company}/users',
    summary: 'List the people of a company',
    description: 'Also the disabled ones.',
    params: CompanyPath,
    responses: { 200: { description: 'In the order of their creation', schema: z.array(Person) } },
    async handle(deps, { admin, params }) {
      const company = await findAdministered(deps, admin, params.company);
      const users = await listUsers(deps, company.key);
      const body = users.map(({ id, email, name, role, hasTotp, lastLoginAt, disabledAt }) => ({
        ...{ id, email, name, role, hasTotp, lastLoginAt, disabledAt },
      }));
      return { status: 200, body };
    },
  }),
  defineAdminRoute({
    method: 'post',
    path: '/companies/{company}/users',
    summary: 'Create a person',
    description: 'With a random password. An address belongs to one person of the whole installation.',
    params: CompanyPath,
    body: NewPerson,
    responses: {
      201: { description: 'The password is shown once', schema: Password, hasLocation: false },
      422: { description: 'The address belongs to a person already, or is none' },
    },
    async handle(deps, { admin, params, body }) {
      const company = await findAdministered(deps, admin, params.company);
      return { status: 201, body: await createUser(deps, { ...body, companyKey: company.key }).catch(asViolation) };
    },
  }),
  defineAdminRoute({
    method: 'post',
    path: '/companies/{company}/users/{id}/reset',
    summary: 'Give a person a new password',
    description:
      'Ends all logins of the person and switches the second factor off. A disabled person may log in again.',
    params: PersonPath,
    responses: { 200: { description: 'The password is shown once', schema: Password } },
    async handle(deps, { admin, params }) {
      const { id, email } = await findPerson(deps, admin, params);
      return { status: 200, body: { id, password: await resetUser(deps, email) } };
    },
  }),
  defineAdminRoute({
    method: 'delete',
    path: '/companies/{company}/users/{id}',
    summary: 'Disable a person',
    description: 'A new password enables the person again.',
    params: PersonPath,
    responses: { 200: { description: 'All logins have ended', schema: z.literal(true) } },
    async handle(deps, { admin, params }) {
      const { email } = await findPerson(deps, admin, params);
      await disableUser(deps, email);
      return { status: 200, body: true };
    },
  }),
];

async function findPerson(deps: Deps, admin: Admin, at: { company: string; id: number }): Promise<UserRow> {
  const company = await findAdministered(deps, admin, at.company);
  const person = (await listUsers(deps, company.key)).find(({ id }) => id === at.id);
  if (!person) throw notFound('user');
  return person;
}
