import { z } from 'zod';
import { ERASURE_HOLDS, type ErasureHold } from '../../domain/erasure-holds.ts';
import { exportPerson } from '../../usecases/persons/export-person.ts';
import { findPerson, type PersonOrder, type Wanted } from '../../usecases/persons/find-person.ts';
import { forgetPerson } from '../../usecases/persons/forget-person.ts';
import { findAdministered } from '../../usecases/setup/administer.ts';
import { Id, Text } from '../http/schemas.ts';
import { type AdminRoute, defineAdminRoute } from './admin-route.ts';
import { CompanyPath } from './company-routes.ts';

const MIN_DIGITS = 6;

const Named = z
  .object({
    email: z.string().trim().min(3).max(254).optional(),
    phone: z
      .string()
      .max(40)
      .refine((text) => text.replaceAll(/\D/g, '').length >= MIN_DIGITS, `must have ${MIN_DIGITS} digits or more`)
      .optional()
      .describe('The last nine digits count'),
    full_name: z.string().trim().min(3).max(200).optional().describe('Together with postal_code'),
    postal_code: z.string().trim().min(2).max(20).optional(),
  })
  .superRefine(({ email, phone, full_name: name, postal_code: zip }, context) => {
    const fault = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (name !== undefined && zip === undefined)
      fault('postal_code', 'must accompany full_name, which many people share');
    else if (zip !== undefined && name === undefined) fault('full_name', 'must accompany postal_code');
    else if ([email, phone, name].filter((one) => one !== undefined).length !== 1)
      fault('email', 'exactly one of email, phone, or full_name with postal_code must be given');
  });

const HoldReason = z.enum(Object.keys(ERASURE_HOLDS) as [ErasureHold, ...ErasureHold[]]);
const Order = z.object({
  orderId: Id,
  orderNumber: Text,
  status: Text,
  createdAt: Text,
  hold: HoldReason.nullable().describe('Why its data is held until it ends; null: it may be erased'),
});

function wantedOf({ email, phone, full_name, postal_code }: z.output<typeof Named>): Wanted {
  if (email !== undefined) return { email };
  if (phone !== undefined) return { phone };
  return { fullName: full_name ?? '', postalCode: postal_code ?? '' };
}

function orderOf(order: PersonOrder) {
  return { ...order, createdAt: order.createdAt.toISOString() };
}

/** Bodies instead of queries name the person, because logs of proxies keep addresses of requests. */
export const personRoutes: readonly AdminRoute[] = [
  defineAdminRoute({
    method: 'post',
    path: '/companies/{company}/persons/find',
    summary: 'Find the orders of a person',
    description: 'By e-mail address, phone, or name with postal code. Orders whose data was erased are not found.',
    params: CompanyPath,
    body: Named,
    responses: { 200: { description: 'By rising id; none: unknown', schema: z.object({ orders: z.array(Order) }) } },
    async handle(deps, { admin, params, body }) {
      const { id } = await findAdministered(deps, admin, params.company);
      const orders = await findPerson(deps, { companyId: id, wanted: wantedOf(body) });
      return { status: 200, body: { orders: orders.map(orderOf) } };
    },
  }),
  defineAdminRoute({
    method: 'post',
    path: '/companies/{company}/persons/export',
    summary: 'Export what is held about a person',
    description: 'Rows by table, with the texts of exchanges, and documents in base64.',
    params: CompanyPath,
    body: Named,
    responses: {
      200: {
        description: 'Everything that the orders of the person hold',
        schema: z.object({
          orders: z.array(Order),
          held: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))).describe('Rows by table'),
        }),
      },
    },
    async handle(deps, { admin, params, body }) {
      const { id } = await findAdministered(deps, admin, params.company);
      const { orders, held } = await exportPerson(deps, { companyId: id, wanted: wantedOf(body) });
      return { status: 200, body: { orders: orders.map(orderOf), held } };
    },
  }),
  defineAdminRoute({
    method: 'post',
    path: '/companies/{company}/persons/erase',
    summary: 'Erase the data of a person',
    description:
      'Names, streets, phones, addresses, tax codes, notes and documents go; places, amounts and statuses stay. An order that is not over keeps its data until it ends, and loses it within a minute then. Someone unknown gets empty lists.',
    params: CompanyPath,
    body: Named,
    responses: {
      200: {
        description: 'The orders that were erased, and those that hold their data for now',
        schema: z.object({
          erased: z.array(Id),
          held: z.array(z.object({ orderId: Id, reason: HoldReason, message: Text })),
        }),
      },
    },
    async handle(deps, { admin, params, body }) {
      const { id } = await findAdministered(deps, admin, params.company);
      const { erased, held } = await forgetPerson(deps, { companyId: id, wanted: wantedOf(body) });
      const withMessage = held.map((one) => ({ ...one, message: ERASURE_HOLDS[one.reason] }));
      return { status: 200, body: { erased, held: withMessage } };
    },
  }),
];
