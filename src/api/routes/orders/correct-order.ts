import { z } from 'zod';
import { Problem } from '../../../lib/errors.ts';
import { correctOrder, readCorrection } from '../../../usecases/corrections/correct-order.ts';
import { readOrder } from '../../../usecases/orders/read-orders.ts';
import { CARRIER_PROBLEMS, replyWhenSettled } from '../../http/operation-reply.ts';
import { type ApiDeps, defineRoute, type Reply } from '../../http/route.ts';
import { Flag, IdPath, ProblemBody } from '../../http/schemas.ts';
import { correctedBody } from './operation-bodies.ts';
import { revisionOf } from './order-detail-body.ts';
import { OrderPatch } from './order-fields.ts';
import { readPatch } from './order-patch.ts';
import { OrderCorrected } from './schemas.ts';

export const correctOrderRoute = defineRoute({
  method: 'patch',
  scope: 'orders:write',
  path: '/orders/{id}',
  tag: 'Orders',
  summary: 'Correct an order',
  description:
    'An addition to the contract. The body is a JSON merge patch of the fields of order creation: what it leaves out stays, and null takes away what may be absent. A correction of the address or the contents needs a new label: with `rebook=true` the label is cancelled with the carrier, and a new one is bought under the corrected data. `correction` says what happened. With `If-Match` the order is corrected only if it is still as you read it.',
  params: IdPath,
  query: z.object({
    rebook: Flag.describe('true: cancel the label that the order has, and buy another for the corrected data'),
  }),
  body: OrderPatch,
  responses: {
    200: { description: 'The order as it is now: no label for the old data is valid', schema: OrderCorrected },
    202: { description: 'The carrier has not answered yet, see Location', schema: OrderCorrected },
    409: { description: 'A label is being bought or cancelled at this moment', schema: ProblemBody },
    412: { description: 'The order has changed since: `If-Match` names an older version', schema: ProblemBody },
    422: { description: 'The order has a label, or the parcel is on its way', schema: ProblemBody },
    ...CARRIER_PROBLEMS,
  },
  async handle(deps, { origin, companyId, params, query, given, ifMatch, waitMs }) {
    const orderId = params.id;
    const [view, company] = await Promise.all([readOrder(deps, { companyId, orderId }), deps.company(companyId)]);
    const { revision } = view.order;
    refuseOtherVersion(ifMatch, revisionOf(view));
    const { change, changed } = readPatch(view, given, company?.settings.pricesIncludeVat ?? true);
    const id =
      changed.length === 0
        ? null
        : await correctOrder(deps, { ...origin, orderId, revision, change, changed, rebook: query.rebook });
    return reply(deps, { companyId, waitMs, orderId }, id);
  },
  async recover(deps, asker, id) {
    const { orderId } = await readCorrection(deps, { companyId: asker.companyId, id });
    return reply(deps, { ...asker, orderId }, id);
  },
});

async function reply(
  deps: ApiDeps,
  { companyId, waitMs, orderId }: { companyId: number; waitMs: number; orderId: number },
  correctionId: number | null,
): Promise<Reply> {
  const correction = correctionId === null ? null : await readCorrection(deps, { companyId, id: correctionId });
  const answer: Reply = correction?.operationId
    ? await replyWhenSettled(deps, { companyId, waitMs }, correction.operationId)
    : { status: 200, body: await correctedBody(deps, { companyId, orderId, correction, items: [] }) };
  const { order, revision } = answer.body as { order: { id: number }; revision: number };
  return { ...answer, revision: `${order.id}-${revision}` };
}

/** Compares the revision only: a shipment that moved since is no reason to refuse. Proxies that compress weaken ETags. */
function refuseOtherVersion(ifMatch: string | undefined, revision: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (tags.some((tag) => tag === `"${revision}"` || tag.startsWith(`"${revision}-`))) return;
  throw new Problem('The order has changed since you read it: read it again, then repeat the correction', {
    status: 412,
    code: 'order-changed',
    title: 'Precondition failed',
  });
}
