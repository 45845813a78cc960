import { CustomerAddress, Order } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import { before, type Condition, equal, fromWarehouse, given, oneOf, within } from '../../db/queries/conditions.ts';
import { listByIds, listRows } from '../../db/queries/list-rows.ts';
import { IS_PRINTED, WAITS_FOR_PRINTING } from '../../db/queries/printing.ts';
import type { OrderStatus } from '../../domain/order-status.ts';
import type { Deps } from '../../engine/deps.ts';
import type { Period } from '../../lib/period.ts';
import { attentionCandidates } from '../attention/attention.ts';
import type { Page } from './page.ts';
import { search } from './search.ts';

/** Null: any. */
export interface OrderFilter {
  companyId: number;
  status: OrderStatus | null;
  orderNumber: string | null;
  externalOrderId: string | null;
  /** False: the label is not printed yet; true: it is marked as printed. */
  isPrinted: boolean | null;
  /** Id or key. */
  warehouse: string | null;
  connectionId: number | null;
  created: Period;
  /** True: its import found problems. */
  hasProblem: boolean | null;
  needsAttention: boolean | null;
  hasLabel: boolean | null;
  /** A text as in search. */
  text: string | null;
}

const MAX_FOUND = 1000;

/** A scalar query stays one look per row: PostgreSQL would join all shipments and labels, since it expects that few orders have one. */
const HAS_LABEL = `(select true from shipments s join documents d on d.company_id = s.company_id and d.shipment_id = s.id
   where s.company_id = ? and s.order_id = row.id and s.direction = 'outbound' and s.process_status not in ('cancelled', 'rejected')
     and d.kind = 'label' limit 1)`;

export interface ListedOrder {
  order: Order;
  address: CustomerAddress | null;
}

/** Lists the company's orders, newest first. */
export async function listOrders(deps: Deps, filter: OrderFilter, page: Page): Promise<ListedOrder[]> {
  const { companyId, status, orderNumber, externalOrderId, connectionId } = filter;
  const em = companyEm(deps.orm, companyId);
  const orders = await listRows(em, Order, {
    companyId,
    where: [
      ...equal({ status, order_number: orderNumber, external_order_id: externalOrderId, connection_id: connectionId }),
      ...(await conditionsOf(deps, filter)),
      ...before(page.beforeId),
    ],
    limit: page.limit,
  });
  const ids = orders.map(({ customerAddressId }) => customerAddressId);
  const addresses = new Map((await listByIds(em, CustomerAddress, { companyId, ids })).map((row) => [row.id, row]));
  return orders.map((order) => ({ order, address: addresses.get(order.customerAddressId) ?? null }));
}

async function conditionsOf(deps: Deps, filter: OrderFilter): Promise<Condition[]> {
  const { companyId, text } = filter;
  const atDesk = attentionCandidates(deps, companyId);
  const found = text === null ? null : await search(deps, { companyId, text, limit: MAX_FOUND });
  return [
    ...within('created_at', filter.created),
    ...given(filter.warehouse, (warehouse) => fromWarehouse('row.warehouse_id', companyId, warehouse)),
    ...given(filter.hasProblem, (hasProblem) => ({
      sql: `row.problems ${hasProblem ? '<>' : '='} '[]'::jsonb`,
      params: [],
    })),
    ...given(filter.needsAttention, (needs) => ({
      sql: `row.id ${needs ? 'in' : 'not in'} (select s.order_id from shipments s where s.company_id = ? and s.id in (${atDesk.sql}))`,
      params: [companyId, ...atDesk.params],
    })),
    ...given(filter.hasLabel, (has) => ({ sql: `${HAS_LABEL} is ${has ? 'not null' : 'null'}`, params: [companyId] })),
    ...given(filter.isPrinted, (isPrinted) => ({
      sql: `row.id in (select s.order_id from shipments s where s.company_id = ? and ${isPrinted ? IS_PRINTED : WAITS_FOR_PRINTING})`,
      params: [companyId],
    })),
    ...given(found, (hits) =>
      oneOf(
        'id',
        hits.map(({ orderId }) => orderId),
      ),
    ),
  ];
}
