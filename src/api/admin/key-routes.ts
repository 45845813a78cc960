import { z } from 'zod';
import { ADMIN_SCOPE, EVERY_SCOPE, SCOPES } from '../../domain/scopes.ts';
import { notFound } from '../../engine/find.ts';
import { findAdministered } from '../../usecases/setup/administer.ts';
import { createKey, listKeys, revokeKey } from '../../usecases/setup/api-keys.ts';
import { Id, IdText, Text } from '../http/schemas.ts';
import { type AdminRoute, defineAdminRoute } from './admin-route.ts';
import { asViolation } from './as-violation.ts';
import { CompanyPath } from './company-routes.ts';

const Key = z.object({
  id: Id,
  name: Text,
  prefix: Text.describe('The first characters, to tell keys apart'),
  scopes: z.array(Text),
  addressRanges: z.array(Text).describe('Addresses or CIDR ranges it works from; none: everywhere'),
  createdAt: Text,
  lastUsedAt: Text.nullable(),
  expiresAt: Text.nullable(),
  revokedAt: Text.nullable(),
});

/** Any text: an unknown scope is refused with the names of all. */
const ScopeName = z.string().meta({ enum: [EVERY_SCOPE, ADMIN_SCOPE, ...SCOPES] });

const NewKey = z.object({
  name: z.string().trim().min(1).max(100),
  scopes: z.array(ScopeName).min(1).max(50).optional().describe('Absent: `*`'),
  addressRanges: z.array(z.string()).max(50).optional(),
  expiresAt: z.iso.datetime({ offset: true }).optional(),
});

export const keyRoutes: readonly AdminRoute[] = [
  defineAdminRoute({
    method: 'get',
    path: '/companies/{company}/keys',
    summary: 'List the API keys of a company',
    description: 'Also the revoked and expired ones.',
    params: CompanyPath,
    responses: { 200: { description: 'Without the keys themselves', schema: z.array(Key) } },
    async handle(deps, { admin, params }) {
      const company = await findAdministered(deps, admin, params.company);
      const keys = await listKeys(deps, company.key);
      const body = keys.map(
        ({ id, name, prefix, scopes, addressRanges, createdAt, lastUsedAt, expiresAt, revokedAt }) => ({
          ...{ id, name, prefix, scopes, addressRanges, createdAt, lastUsedAt, expiresAt, revokedAt },
        }),
      );
      return { status: 200, body };
    },
  }),
  defineAdminRoute({
    method: 'post',
    path: '/companies/{company}/keys',
    summary: 'Create an API key',
    description: 'The database keeps only a hash of it.',
    params: CompanyPath,
    body: NewKey,
    responses: {
      201: { description: 'The key is shown once', schema: z.object({ id: Id, key: Text }), hasLocation: false },
      422: { description: 'There is no such scope or range' },
    },
    async handle(deps, { admin, params, body: { expiresAt, scopes, addressRanges, name } }) {
      const company = await findAdministered(deps, admin, params.company);
      const { id, key } = await createKey(deps, {
        companyKey: company.key,
        name,
        expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
        ...(scopes ? { scopes } : {}),
        ...(addressRanges ? { addressRanges } : {}),
      }).catch(asViolation);
      return { status: 201, body: { id, key } };
    },
  }),
  defineAdminRoute({
    method: 'delete',
    path: '/companies/{company}/keys/{id}',
    summary: 'Revoke an API key',
    description: 'It takes effect within a moment in every process.',
    params: CompanyPath.extend({ id: IdText }),
    responses: { 200: { description: 'It works no longer', schema: z.literal(true) } },
    async handle(deps, { admin, params }) {
      const company = await findAdministered(deps, admin, params.company);
      if (!(await revokeKey(deps, { companyId: company.id, id: params.id }))) throw notFound('key');
      return { status: 200, body: true };
    },
  }),
];
