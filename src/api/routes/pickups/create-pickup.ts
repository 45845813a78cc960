import { z } from 'zod';
import { requestPickup } from '../../../usecases/pickups/request-pickup.ts';
import { CARRIER_PROBLEMS, replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, ProblemBody, text } from '../../http/schemas.ts';
import { PickupFields } from './pickup-body.ts';

const ClockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 14:30');

const PickupBody = z
  .object({
    carrierCompanyId: Id,
    warehouseId: Id.nullish().describe('Absent: the default warehouse'),
    date: z.iso.date(),
    from: ClockTime,
    to: ClockTime,
    shipmentIds: z
      .array(Id)
      .min(1)
      .max(5000)
      .nullish()
      .describe(
        'Absent: all booked shipments of the contract that are not picked up yet, of warehouseId if it is given',
      ),
    note: text(200),
  })
  .refine(({ from, to }) => from < to, { path: ['to'], error: 'must be later than from' })
  .meta({ id: 'PickupCreation' });

export const createPickupRoute = defineRoute({
  method: 'post',
  scope: 'pickups:write',
  path: '/pickups',
  tag: 'Pickups',
  summary: "Ask for the carrier's courier",
  description: 'An addition to the contract, for carriers that accept pickup requests. The others come by agreement.',
  body: PickupBody,
  responses: {
    200: { description: 'The carrier confirmed the pickup', schema: PickupFields },
    202: { description: 'The carrier has not answered yet, see Location', schema: PickupFields },
    422: { description: 'The contract or a shipment does not allow this pickup', schema: ProblemBody },
    ...CARRIER_PROBLEMS,
  },
  points: ({ body }) => body.shipmentIds?.length ?? 1,
  async handle(deps, request) {
    const { origin, body } = request;
    const opened = await requestPickup(deps, {
      ...origin,
      wish: {
        contractId: body.carrierCompanyId,
        warehouseId: body.warehouseId ?? null,
        date: body.date,
        fromTime: body.from,
        toTime: body.to,
        shipmentIds: body.shipmentIds ?? null,
        note: body.note,
      },
    });
    return replyWhenSettled(deps, request, opened.operationId);
  },
  recover: replyWhenSettled,
});
