import { z } from 'zod';
import { requestAnswer } from '../../../usecases/addresses/ask-carrier.ts';
import { CARRIER_PROBLEMS, replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { COUNTRY_CODE, IdText } from '../../http/schemas.ts';
import { PickupPoints } from './schemas.ts';

export const findPickupPointsRoute = defineRoute({
  method: 'get',
  scope: 'addresses:read',
  isQueryStrict: true,
  path: '/carriers/pickup-points',
  tag: 'Carriers',
  summary: 'List pick-up points of a carrier near a place',
  description: 'An addition to the contract. An order takes the id of such a locker or shop as pickup_point_id.',
  query: z.object({
    carrierCompanyId: IdText,
    zip: z.string().trim().max(16).default(''),
    city: z.string().trim().max(80).default(''),
    country: COUNTRY_CODE.default('IT'),
  }),
  responses: {
    200: { description: 'Nearest first', schema: PickupPoints },
    202: { description: 'The carrier has not answered yet, see Location', schema: PickupPoints },
    ...CARRIER_PROBLEMS,
  },
  async handle(deps, request) {
    const { origin, query } = request;
    const opened = await requestAnswer(deps, {
      ...origin,
      kind: 'pickup-points',
      contractId: query.carrierCompanyId,
      question: { zip: query.zip, city: query.city, countryCode: query.country },
    });
    return replyWhenSettled(deps, request, opened.operationId);
  },
});
