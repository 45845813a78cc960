import { CustomerAddress, type OperationKind, Order } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import { before, type Condition, equal, fromWarehouse, given, oneOf, within } from '../../db/queries/conditions.ts';
import { listByIds, listRows } from '../../db/queries/list-rows.ts';
import { IS_PRINTED, WAITS_FOR_PRINTING } from '../../db/queries/printing.ts';
import { IS_OPEN_ITEM, orderIn } from '../../db/queries/stages.ts';
import type { OrderStatus } from '../../domain/order-status.ts';
import type { OrderStage } from '../../domain/shipment-stages.ts';
import type { Deps } from '../../engine/deps.ts';
import type { Period, Today } from '../../lib/period.ts';
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
  stage: OrderStage | null;
  /** The kind of an operation that has no answer about the order yet. */
  waitingFor: OperationKind | null;
  /** The contract of the shipment in that stage, or of the waiting work; without either, the one that the order names. */
  contractId: number | null;
  /** The company's present day, for `stage`. */
  today: Today;
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
  const { companyId, text, contractId, stage, waitingFor, today } = filter;
  const atDesk = attentionCandidates(deps, companyId);
  const found = text === null ? null : await search(deps, { companyId, text, limit: MAX_FOUND });
  return [
    ...given(stage, (wanted) => orderIn(wanted, { companyId, contractId, today })),
    ...given(waitingFor, (kind) => waitsFor(kind, { companyId, contractId })),
    ...(stage === null && waitingFor === null ? equal({ contract_id: contractId }) : []),
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

function waitsFor(
  kind: OperationKind,
  { companyId, contractId }: Pick<OrderFilter, 'companyId' | 'contractId'>,
): Condition {
  return {
    sql: `row.id in (select case when i.order_id is null then s.order_id else i.order_id end
            from operation_items i left join shipments s on s.company_id = i.company_id and s.id = i.shipment_id
           where i.company_id = ? and ${IS_OPEN_ITEM} and i.kind = ?
             ${contractId === null ? '' : 'and (i.contract_id = ? or i.contract_id is null and i.connection_id is null and s.contract_id = ?)'})`,
    params: [companyId, kind, ...(contractId === null ? [] : [contractId, contractId])],
  };
}
