import { z } from 'zod';
import { provinceCode } from '../../../domain/addresses/gazetteer.ts';
import { requestRelease } from '../../../usecases/held/release-held.ts';
import { replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { COUNTRY_CODE, IdPath, required, text } from '../../http/schemas.ts';
import { blockedRelease } from './operation-bodies.ts';
import { ReleaseResult } from './schemas.ts';

export const releaseHeldRoute = defineRoute({
  method: 'post',
  scope: 'held:write',
  path: '/shipment/{id}/release-held',
  tag: 'Shipments',
  summary: 'Release a held shipment (giacenza)',
  description:
    'action is REDISPATCH_SAME_ADDRESS, REDISPATCH_NEW_ADDRESS (with newAddress), RETURN_TO_SENDER, DESTROY, PICKUP_AT_DEPOT, or PICKUP_AT_OFFICE, PICKUP_AT_LOCKER, PICKUP_AT_SHOP (with pickupPointId); GET /shipments/held lists the ones that the carrier accepts. A decision that cannot be sent answers 200 with blockingError. newAddress, pickupPointId and note are additions to the contract.',
  params: IdPath,
  body: z
    .object({
      action: z.string().trim().min(1).max(60),
      newAddress: z
        .object({
          name: required(120),
          company: text(120),
          address: required(200),
          city: required(80),
          province: text(40),
          zip: required(16),
          countryCode: COUNTRY_CODE.default('IT'),
          phone: text(40),
        })
        .nullish(),
      pickupPointId: text(60),
      note: text(200),
    })
    .meta({ id: 'ReleaseRequest' }),
  responses: {
    200: { description: 'Settled, or blocked with the reason', schema: ReleaseResult },
    202: { description: 'The carrier has not answered yet, see Location', schema: ReleaseResult },
  },
  async handle(deps, request) {
    const { origin, params, body } = request;
    const requested = await requestRelease(deps, {
      ...origin,
      shipmentId: params.id,
      action: body.action,
      newAddress: body.newAddress
        ? { ...body.newAddress, province: provinceCode(body.newAddress), address2: '', email: '' }
        : null,
      pickupPointId: body.pickupPointId,
      note: body.note,
    });
    if ('blocked' in requested) return { status: 200, body: blockedRelease(requested.blocked) };
    return replyWhenSettled(deps, request, requested.opened.operationId);
  },
  recover: replyWhenSettled,
});
