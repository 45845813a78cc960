import { z } from 'zod';
import { provinceOf } from '../../../domain/addresses/gazetteer.ts';
import { requestAnswer } from '../../../usecases/addresses/ask-carrier.ts';
import { CARRIER_PROBLEMS, replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, required } from '../../http/schemas.ts';
import { AddressCheck } from './schemas.ts';

export const checkAddressRoute = defineRoute({
  method: 'post',
  scope: 'addresses:read',
  path: '/shipment/check-address',
  tag: 'Shipments',
  summary: 'Check an address with a carrier',
  description:
    'If the carrier can check addresses, it is called; otherwise the list of Italian comuni answers at once. `message` begins with the source of the answer and says how reliable it is. `addresses` are the candidates, best first. `provincia` may be the two letters or the name. If the carrier does not find the address, `POST /shipment/create` refuses it with that carrier for one day, unless a repeated check finds it.',
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
