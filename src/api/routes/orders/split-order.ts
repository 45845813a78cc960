import { z } from 'zod';
import { readOrder } from '../../../usecases/orders/read-orders.ts';
import { type Division, splitOrder } from '../../../usecases/orders/split-order.ts';
import { type ApiDeps, defineRoute, type Reply } from '../../http/route.ts';
import { Id, IdPath, ProblemBody } from '../../http/schemas.ts';
import { orderDetailBody } from './order-detail-body.ts';
import { OrderDetail } from './schemas.ts';

/** The largest number of parcels of an order. */
const MAX_PARTS = 99;

const Lines = z.object({
  lines: z
    .array(
      z.object({
        itemId: Id.describe('The `id` of an element of orderItems'),
        quantity: z.number().int().min(1).max(100_000),
      }),
    )
    .min(1)
    .max(1000),
});
const Parcels = z.object({ parcelCount: z.number().int().min(1).max(MAX_PARTS) });

const SplitBody = z
  .object({
    parts: z.union([z.array(Lines).min(1).max(MAX_PARTS), z.array(Parcels).min(1).max(MAX_PARTS)], {
      error: 'must be a list of parts, each with lines, or each with a parcelCount',
    }),
  })
  .meta({ id: 'OrderSplit' });

export const splitOrderRoute = defineRoute({
  method: 'post',
  scope: 'orders:write',
  path: '/orders/{id}/split',
  tag: 'Orders',
  summary: 'Split an order into parts',
  description:
    "An addition to the contract. Each part gets a shipment of its own: `POST /shipment/create` books all of them, or one with `partId`. A part takes pieces of the order's lines, or some of its parcels. The rest becomes the last part. A second split divides only what has no label yet. Cash on delivery and insured value are divided in proportion.",
  params: IdPath,
  body: SplitBody,
  responses: {
    200: { description: 'The order with its parts', schema: OrderDetail },
    422: {
      description: 'More than is left, a line that the order does not have, or an order that has its shipment',
      schema: ProblemBody,
    },
  },
  async handle(deps, { origin, companyId, params, body }) {
    await splitOrder(deps, { ...origin, orderId: params.id, division: divisionOf(body.parts) });
    return reply(deps, companyId, params.id);
  },
  recover: (deps, { companyId }, orderId) => reply(deps, companyId, orderId),
});

async function reply(deps: ApiDeps, companyId: number, orderId: number): Promise<Reply> {
  return { status: 200, body: orderDetailBody(await readOrder(deps, { companyId, orderId })) };
}

function divisionOf(parts: z.infer<typeof SplitBody>['parts']): Division {
  const byParcels = parts.flatMap((part) => ('parcelCount' in part ? [part.parcelCount] : []));
  return byParcels.length > 0
    ? { by: 'parcels', parts: byParcels }
    : { by: 'lines', parts: parts.flatMap((part) => ('lines' in part ? [part.lines] : [])) };
}
