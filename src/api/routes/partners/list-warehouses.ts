import { z } from 'zod';
import { listWarehouses } from '../../../usecases/partners/read-lists.ts';
import { iso } from '../../http/format.ts';
import { defineRoute } from '../../http/route.ts';
import { Id } from '../../http/schemas.ts';

const WarehouseFields = z
  .object({
    id: Id,
    key: z.string().describe('Its name in the apply file; `warehouse_id` of POST /orders takes it too'),
    name: z.string(),
    address: z.string(),
    city: z.string(),
    province: z.string(),
    zip: z.string(),
    countryCode: z.string(),
    phone: z.string(),
    email: z.string(),
    isDefault: z.boolean(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Warehouse' });

export const listWarehousesRoute = defineRoute({
  method: 'get',
  scope: 'partners:read',
  path: '/warehouses',
  tag: 'Orders',
  summary: 'List warehouses',
  description: 'An addition to the contract: where parcels leave, with the ids and keys that `warehouse_id` takes.',
  responses: { 200: { description: 'Warehouses', schema: z.array(WarehouseFields) } },
  async handle(deps, { companyId }) {
    const warehouses = await listWarehouses(deps, companyId);
    return {
      status: 200,
      body: warehouses.map(({ companyId: _own, createdAt, updatedAt, ...fields }) => ({
        ...fields,
        createdAt: iso(createdAt),
        updatedAt: iso(updatedAt),
      })),
    };
  },
});
