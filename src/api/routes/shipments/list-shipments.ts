import { z } from 'zod';
import { DIRECTIONS } from '../../../domain/direction.ts';
import { SHIPMENT_STAGES } from '../../../domain/shipment-stages.ts';
import { PROCESS_STATUSES } from '../../../domain/shipment-status.ts';
import { TRACKING_STATUSES } from '../../../domain/tracking-status.ts';
import { periodOf, todayOf } from '../../../lib/period.ts';
import { listShipments } from '../../../usecases/search/list-shipments.ts';
import { DayOrInstant, timeZoneOf, YesNo, yesNo } from '../../http/filters.ts';
import { type Columns, ListFormat, listDoc, listReply } from '../../http/list-reply.ts';
import { PageLimit } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { ListedShipmentFields } from './schemas.ts';
import { listedShipmentBody } from './shipment-body.ts';

const DEFAULT_LIMIT = 100;
const STATUSES = [...new Set([...PROCESS_STATUSES, ...Object.keys(TRACKING_STATUSES), 'failed', 'expired'])];

const COLUMNS: Columns<ReturnType<typeof listedShipmentBody>> = {
  id: ({ id }) => id,
  orderId: ({ orderId }) => orderId,
  orderNumber: ({ orderNumber }) => orderNumber,
  direction: ({ direction }) => direction,
  partId: ({ partId }) => partId,
  status: ({ status }) => status,
  carrierId: ({ carrier }) => carrier.id,
  carrierName: ({ carrier }) => carrier.name,
  carrierCompanyId: ({ carrierCompanyId }) => carrierCompanyId,
  trackingNumber: ({ trackingNumber }) => trackingNumber,
  reference: ({ reference }) => reference,
  manifestId: ({ manifestId }) => manifestId,
  parcelCount: ({ parcelCount }) => parcelCount,
  warnings: ({ warnings }) => warnings.join('; '),
  error: ({ error }) => error,
  createdAt: ({ createdAt }) => createdAt,
  printedAt: ({ printedAt }) => printedAt,
  transmittedAt: ({ transmittedAt }) => transmittedAt,
  deliveredAt: ({ deliveredAt }) => deliveredAt,
};

export const listShipmentsRoute = defineRoute({
  method: 'get',
  scope: 'shipments:read',
  isQueryStrict: true,
  path: '/shipments',
  tag: 'Shipments',
  summary: 'List shipments, newest first',
  description:
    'An addition to the contract. The Link header leads to the next page. As CSV or XLSX it has every shipment that the filter finds.',
  query: z.object({
    status: z.enum(STATUSES).optional(),
    carrierId: IdText.optional(),
    carrierCompanyId: IdText.optional(),
    warehouseId: z.string().trim().min(1).max(100).optional().describe('Its id or its key'),
    createdFrom: DayOrInstant,
    createdTo: DayOrInstant,
    transmittedFrom: DayOrInstant,
    transmittedTo: DayOrInstant,
    deliveredFrom: DayOrInstant,
    deliveredTo: DayOrInstant,
    trackingNumber: z.string().max(120).optional(),
    reference: z.string().max(120).optional(),
    orderId: IdText.optional(),
    manifestId: IdText.optional(),
    manifest: z.literal('none').optional().describe('none: on no bordero'),
    printed: YesNo.describe('true: its label is marked as printed'),
    direction: z.enum(DIRECTIONS).optional(),
    stage: z.enum(SHIPMENT_STAGES).optional().describe('A stage as GET /overview counts it'),
    format: ListFormat,
    limit: PageLimit.optional(),
    cursor: IdText.optional(),
  }),
  responses: { 200: listDoc('One page of shipments', z.array(ListedShipmentFields)) },
  async handle(deps, { companyId, query, preferred }) {
    const timeZone = await timeZoneOf(deps, companyId);
    const filter = {
      companyId,
      status: query.status ?? null,
      carrierId: query.carrierId ?? null,
      contractId: query.carrierCompanyId ?? null,
      warehouse: query.warehouseId ?? null,
      created: periodOf(query.createdFrom, query.createdTo, timeZone),
      transmitted: periodOf(query.transmittedFrom, query.transmittedTo, timeZone),
      delivered: periodOf(query.deliveredFrom, query.deliveredTo, timeZone),
      trackingNumber: query.trackingNumber ?? null,
      reference: query.reference ?? null,
      orderId: query.orderId ?? null,
      manifestId: query.manifest ?? query.manifestId ?? null,
      isPrinted: yesNo(query.printed),
      direction: query.direction ?? null,
      stage: query.stage ?? null,
      today: todayOf(deps.now(), timeZone),
    };
    return listReply(
      { preferred },
      {
        name: 'shipments',
        limit: query.limit ?? DEFAULT_LIMIT,
        cursor: query.cursor ?? null,
        query,
        read: (page) => listShipments(deps, filter, page),
        body: listedShipmentBody,
        columns: COLUMNS,
      },
    );
  },
});
