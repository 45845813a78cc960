import { raw } from '@mikro-orm/core';
import { Order } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import { IS_PRINTED, WAITS_FOR_PRINTING } from '../../db/queries/printing.ts';
import type { OrderStatus } from '../../domain/order-status.ts';
import type { Deps } from '../../engine/deps.ts';

export interface OrderFilter {
  companyId: number;
  status: OrderStatus | null;
  orderNumber: string | null;
  externalOrderId: string | null;
  /** False: the label is not printed yet; true: it is marked as printed. */
  isPrinted: boolean | null;
  limit: number;
  beforeId: number | null;
}

/** Lists the company's orders, newest first. */
export async function listOrders(deps: Pick<Deps, 'orm'>, filter: OrderFilter): Promise<Order[]> {
  return companyEm(deps.orm, filter.companyId).find(
    Order,
    {
      ...(filter.status === null ? {} : { status: filter.status }),
      ...(filter.orderNumber === null ? {} : { orderNumber: filter.orderNumber }),
      ...(filter.externalOrderId === null ? {} : { externalOrderId: filter.externalOrderId }),
      ...(filter.isPrinted === null ? {} : { [printedSql(filter)]: true }),
      ...(filter.beforeId === null ? {} : { id: { $lt: filter.beforeId } }),
    },
    { orderBy: { id: 'desc' }, limit: filter.limit },
  );
}

/** Returns the condition that an order has such a shipment. */
function printedSql({ companyId, isPrinted }: OrderFilter) {
  const condition = isPrinted ? IS_PRINTED : WAITS_FOR_PRINTING;
  return raw(
    (alias) =>
      `${alias}.id in (select s.order_id from shipments s where s.company_id = ${Number(companyId)} and ${condition})`,
  );
}
