import { z } from 'zod';
import { listServices } from '../../../usecases/partners/read-lists.ts';
import { iso, logoUrl } from '../../http/format.ts';
import { defineRoute } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { Carrier } from './schemas.ts';

export const listServicesRoute = defineRoute({
  method: 'get',
  scope: 'partners:read',
  path: '/carriers/{carrierId}/services',
  tag: 'Carriers',
  summary: 'List the services of a carrier',
  description: '`carrier_options` of an order takes a `code` from this list.',
  params: z.object({ carrierId: IdText }),
  responses: { 200: { description: 'Services in the shape of a carrier', schema: z.array(Carrier) } },
  async handle(deps, { companyId, params }) {
    const { carrier, services } = await listServices(deps, { companyId, carrierId: params.carrierId });
    return {
      status: 200,
      body: services.map((service) => ({
        id: service.id,
        name: service.name,
        code: service.code,
        marketplaceCarrierCode: carrier.marketplaceCarrierCode,
        logoUrl: logoUrl(carrier.logoUrl, deps.settings.publicUrl),
        sortOrder: service.sortOrder,
        isNew: false,
        isActive: service.isActive,
        createdAt: iso(service.createdAt),
        updatedAt: iso(service.updatedAt),
      })),
    };
  },
});
