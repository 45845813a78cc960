import { z } from 'zod';
import { centsToString } from '../../../lib/decimal.ts';
import { listManifests, type ManifestSummary } from '../../../usecases/manifests/read-manifests.ts';
import { iso, kilograms } from '../../http/format.ts';
import { jsonArray } from '../../http/json-stream.ts';
import { nextPage, PageLimit } from '../../http/paging.ts';
import { type ApiDeps, defineRoute } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { startedStream } from '../../http/started-stream.ts';
import { carrierBody } from '../partners/carrier-body.ts';
import { ManifestListItem } from './schemas.ts';

/** Borderos in memory at a time, of an answer with all of them. */
const PAGE = 500;

export const listManifestsRoute = defineRoute({
  method: 'get',
  scope: 'manifests:read',
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
    const { anno: year = null, cursor = null, limit } = query;
    const read = async (page: { limit: number; beforeId: number | null }): Promise<ListedManifest[]> =>
      (await listManifests(deps, { companyId, year, ...page })).map((summary) => manifestBody(deps, summary));
    const body = await read({ limit: limit ?? PAGE, beforeId: cursor });
    if (limit !== undefined) {
      return { status: 200, body, ...nextPage('/bordero', { ids: body.map(({ id }) => id), limit, query }) };
    }
    if (body.length < PAGE) return { status: 200, body };
    const content = await startedStream(jsonArray(allPages(body, read)));
    return { status: 200, file: { contentType: 'application/json', content } };
  },
});

type ListedManifest = ReturnType<typeof manifestBody>;

/** Yields a full first page and all pages after it. */
async function* allPages(
  first: ListedManifest[],
  read: (page: { limit: number; beforeId: number | null }) => Promise<ListedManifest[]>,
): AsyncGenerator<ListedManifest[]> {
  let page = first;
  yield page;
  while (page.length === PAGE) {
    page = await read({ limit: PAGE, beforeId: page.at(-1)?.id ?? null });
    yield page;
  }
}

function manifestBody(deps: Pick<ApiDeps, 'settings'>, { manifest, carrier, warehouses, orders }: ManifestSummary) {
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
}
