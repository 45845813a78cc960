import { z } from 'zod';
import type { Deps } from '../../../engine/deps.ts';
import type { Origin } from '../../../engine/idempotency.ts';
import type { OpenedBatch } from '../../../engine/open-operation.ts';
import type { ShipmentRequest } from '../../../usecases/shipments/planning.ts';
import { replyToBatch, replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { Id } from '../../http/schemas.ts';
import { BatchResult } from './schemas.ts';

export const MAX_BATCH = 5000;

/** Defines a route that books shipments for a batch of orders, outbound or return. */
export function bookingRoute(
  about: Pick<Route, 'path' | 'summary'> & { description: string },
  request: (deps: Deps, input: Origin & { requests: readonly ShipmentRequest[] }) => Promise<OpenedBatch>,
): Route {
  return defineRoute({
    ...about,
    method: 'post',
    scope: 'shipments:write',
    tag: 'Shipments',
    body: z
      .array(
        z.object({
          orderId: Id,
          partId: Id.nullish(),
          carrierCompanyId: Id.nullish(),
          shipAnyway: z.boolean().nullish(),
        }),
      )
      .min(1)
      .max(MAX_BATCH),
    responses: {
      200: { description: 'The result per order', schema: BatchResult },
      202: { description: 'The settled results so far; Location has the rest later', schema: BatchResult },
    },
    points: ({ body }) => body.length,
    async handle(deps, { body, origin, companyId, waitMs }) {
      const requests = body.map(({ orderId, partId, carrierCompanyId, shipAnyway }) => ({
        orderId,
        partId: partId ?? null,
        contractId: carrierCompanyId ?? null,
        shipAnyway: shipAnyway ?? false,
      }));
      const opened = await request(deps, { ...origin, requests });
      return replyToBatch(deps, { companyId, waitMs }, opened);
    },
    recover: replyWhenSettled,
  });
}
