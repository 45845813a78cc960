import { z } from 'zod';
import { ORDER_STATUSES } from '../../../domain/order-status.ts';
import { ORDER_STAGES } from '../../../domain/shipment-stages.ts';
import { periodOf, todayOf } from '../../../lib/period.ts';
import { OPERATION_KINDS } from '../../../usecases/operations/list-operations.ts';
import { listOrders } from '../../../usecases/search/list-orders.ts';
import { DayOrInstant, SearchText, timeZoneOf, YesNo, yesNo } from '../../http/filters.ts';
import { ListFormat, listDoc, listReply } from '../../http/list-reply.ts';
import { PageLimit } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { listedOrderBody } from './order-body.ts';
import { ListedOrderFields, OrderFields } from './schemas.ts';

const DEFAULT_LIMIT = 100;

type Listed = ReturnType<typeof listedOrderBody>;

const RECIPIENT = {
  recipientName: 'name',
  recipientCompany: 'company',
  recipientZip: 'zip',
  recipientCity: 'city',
  recipientProvince: 'province',
  recipientCountryCode: 'countryCode',
} as const;

/** The fields of an order, and then those of its recipient. */
const COLUMNS = {
  ...Object.fromEntries(
    (Object.keys(OrderFields.shape) as (keyof typeof OrderFields.shape)[]).map((name) => [
      name,
      (order: Listed) => order[name],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(RECIPIENT).map(([column, field]) => [column, ({ recipient }: Listed) => recipient[field]]),
  ),
};

export const listOrdersRoute = defineRoute({
  method: 'get',
  scope: 'orders:read',
  isQueryStrict: true,
  path: '/orders',
  tag: 'Orders',
  summary: 'List orders, newest first',
  description:
    'An addition to the contract, which also lists imported orders. The Link header leads to the next page. As CSV or XLSX it has every order that the filter finds.',
  query: z.object({
    status: z.enum(ORDER_STATUSES).optional(),
    orderNumber: z.string().max(120).optional(),
    marketplaceOrderId: z.string().max(120).optional(),
    printed: YesNo.describe('false: the label is not printed yet; true: it is marked as printed'),
    warehouseId: z.string().trim().min(1).max(100).optional().describe('Its id or its key'),
    connectionId: IdText.optional(),
    createdFrom: DayOrInstant,
    createdTo: DayOrInstant,
    problem: YesNo.describe('true: imported with problems, so it cannot be shipped yet'),
    needsAttention: YesNo.describe('true: one of its shipments is at the desk'),
    hasLabel: YesNo.describe('true: an outbound shipment has its label'),
    stage: z.enum(ORDER_STAGES).optional().describe('A stage as GET /overview counts it'),
    waitingFor: z.enum(OPERATION_KINDS).optional().describe('An operation of this kind has no answer about it yet'),
    carrierCompanyId: IdText.optional().describe(
      'With stage or waitingFor: the contract of that shipment or work. Otherwise the contract that the order names',
    ),
    q: SearchText.optional(),
    format: ListFormat,
    limit: PageLimit.optional(),
    cursor: IdText.optional(),
  }),
  responses: { 200: listDoc('One page of orders', z.array(ListedOrderFields)) },
  async handle(deps, { companyId, query, preferred }) {
    const timeZone = await timeZoneOf(deps, companyId);
    const filter = {
      companyId,
      status: query.status ?? null,
      orderNumber: query.orderNumber ?? null,
      externalOrderId: query.marketplaceOrderId ?? null,
      isPrinted: yesNo(query.printed),
      warehouse: query.warehouseId ?? null,
      connectionId: query.connectionId ?? null,
      created: periodOf(query.createdFrom, query.createdTo, timeZone),
      hasProblem: yesNo(query.problem),
      needsAttention: yesNo(query.needsAttention),
      hasLabel: yesNo(query.hasLabel),
      stage: query.stage ?? null,
      waitingFor: query.waitingFor ?? null,
      contractId: query.carrierCompanyId ?? null,
      today: todayOf(deps.now(), timeZone),
      text: query.q ?? null,
    };
    return listReply(
      { preferred },
      {
        name: 'orders',
        limit: query.limit ?? DEFAULT_LIMIT,
        cursor: query.cursor ?? null,
        query,
        read: (page) => listOrders(deps, filter, page),
        body: listedOrderBody,
        columns: COLUMNS,
      },
    );
  },
});
