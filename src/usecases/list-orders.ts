import { Order } from '../db/entities/index.ts';
import { companyEm } from '../db/orm.ts';
import type { OrderStatus } from '../domain/order-status.ts';
import type { Deps } from './deps.ts';

export interface OrderFilter {
  companyId: number;
  status: OrderStatus | null;
  orderNumber: string | null;
  externalOrderId: string | null;
  limit: number;
  beforeId: number | null;
}

/** The company's orders, newest first. */
export async function listOrders(deps: Pick<Deps, 'orm'>, filter: OrderFilter): Promise<Order[]> {
  return companyEm(deps.orm, filter.companyId).find(
    Order,
    {
      ...(filter.status === null ? {} : { status: filter.status }),
      ...(filter.orderNumber === null ? {} : { orderNumber: filter.orderNumber }),
      ...(filter.externalOrderId === null ? {} : { externalOrderId: filter.externalOrderId }),
      ...(filter.beforeId === null ? {} : { id: { $lt: filter.beforeId } }),
    },
    { orderBy: { id: 'desc' }, limit: filter.limit },
  );
}
