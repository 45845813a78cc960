import { z } from 'zod';
import { provinceOf } from '../../../domain/addresses/gazetteer.ts';
import { requestAnswer } from '../../../usecases/addresses/ask-carrier.ts';
import { CARRIER_PROBLEMS, replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, required } from '../../http/schemas.ts';
import { AddressCheck } from './schemas.ts';

export const checkAddressRoute = defineRoute({
  method: 'post',
  path: '/shipment/check-address',
  tag: 'Shipments',
  summary: 'Ask a carrier whether it knows an address',
  description:
    'A carrier that checks addresses is asked; for every other the list of Italian comuni answers at once. `message` begins with who answered and says how far that reaches; `addresses` are the candidates, best first. `provincia` may be the two letters or the name. An address that the carrier itself did not find is refused by `POST /shipment/create` with that carrier for a day, unless the check is repeated and finds it.',
  body: z
    .object({
      carrierCompanyId: Id,
      provincia: required(40),
      city: required(80),
      address: required(200),
      zip: required(16),
    })
    .meta({ id: 'AddressQuestion' }),
  responses: {
    200: {
      description: 'status is ok, ambiguous (several candidates) or not_found (none is exact)',
      schema: AddressCheck,
    },
    202: { description: 'The carrier has not answered yet, see Location', schema: AddressCheck },
    ...CARRIER_PROBLEMS,
  },
  async handle(deps, request) {
    const { origin, body } = request;
    const opened = await requestAnswer(deps, {
      ...origin,
      kind: 'check-address',
      contractId: body.carrierCompanyId,
      question: {
        province: provinceOf(body.provincia)?.code ?? body.provincia,
        city: body.city,
        address: body.address,
        zip: body.zip,
      },
    });
    return replyWhenSettled(deps, request, opened.operationId);
  },
  recover: replyWhenSettled,
});
