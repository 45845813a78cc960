import { z } from 'zod';
import { ORDER_STATUSES } from '../../../domain/order-status.ts';
import { periodOf } from '../../../lib/period.ts';
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
