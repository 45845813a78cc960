import { z } from 'zod';
import { centsToString } from '../../../lib/decimal.ts';
import { listManifests } from '../../../usecases/manifests/read-manifests.ts';
import { iso, kilograms } from '../../http/format.ts';
import { nextPage, PageLimit } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { carrierBody } from '../partners/carrier-body.ts';
import { ManifestListItem } from './schemas.ts';

export const listManifestsRoute = defineRoute({
  method: 'get',
  path: '/bordero',
  tag: 'Manifests',
  summary: 'List borderos, newest first',
  description:
    "anno is the year of manifestDate in the company's time zone. limit and cursor are additions to the contract.",
  query: z.object({
    anno: z
      .string()
      .regex(/^[12]\d{3}$/, 'must be a year such as 2026')
      .transform(Number)
      .optional()
      .meta({ override: { type: 'integer' } }),
    limit: PageLimit.optional(),
    cursor: IdText.optional(),
  }),
  responses: {
    200: { description: 'All borderos, or one page with a Link to the next', schema: z.array(ManifestListItem) },
  },
  async handle(deps, { companyId, query }) {
    const limit = query.limit ?? null;
    const summaries = await listManifests(deps, {
      companyId,
      year: query.anno ?? null,
      limit,
      beforeId: query.cursor ?? null,
    });
    return {
      status: 200,
      body: summaries.map(({ manifest, carrier, warehouses, orders }) => {
        const { marketplaceCarrierCode: _, ...shown } = carrierBody(carrier, deps.settings.publicUrl);
        const all = (isSent: (order: (typeof orders)[number]) => boolean): boolean =>
          orders.length > 0 && orders.every(isSent);
        return {
          id: manifest.id,
          companyId: String(manifest.companyId),
          manifestNumber: manifest.number,
          manifestDate: iso(manifest.manifestDate),
          createdAt: iso(manifest.createdAt),
          updatedAt: iso(manifest.updatedAt),
          totalParcels: manifest.totalParcels,
          totalShipments: manifest.totalShipments,
          totalWeight: kilograms(manifest.totalWeightGrams),
          codAmount: centsToString(manifest.codCents),
          sentToMarketplace: all((order) => order.sentToMarketplaceAt !== null),
          sentToCarrier: all((order) => order.sentToCarrierAt !== null),
          sentToErp: all((order) => order.sentToErpAt !== null),
          warehouse: warehouses.map(({ id, name, address, city, province, zip, countryCode }) => ({
            id,
            name,
            address,
            city,
            province,
            zip,
            countryCode,
          })),
          carrier: shown,
        };
      }),
      ...(limit === null
        ? {}
        : nextPage('/bordero', { ids: summaries.map(({ manifest }) => manifest.id), limit, query })),
    };
  },
});
