import { z } from 'zod';
import { requestPrint } from '../../../usecases/printers/request-print.ts';
import { replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody, required } from '../../http/schemas.ts';
import { PrintJob } from './schemas.ts';

const PrintBody = z
  .object({
    printer: required(63).describe('Key of a printer of GET /printers'),
    copies: z.number().int().min(1).max(10).default(1).describe('How often each label is printed'),
    isCopy: z
      .boolean()
      .default(false)
      .describe('True: print also a label that was printed, or that may have been. A person has looked at the printer'),
  })
  .meta({ id: 'PrintRequest' });

export const printLabelRoute = defineRoute({
  method: 'post',
  scope: 'shipments:write',
  path: '/shipment/{id}/print',
  tag: 'Shipments',
  summary: "Print a shipment's label on a printer",
  description:
    'An addition to the contract. A worker sends the label to the printer, one at a time per printer. `printed` means that the printer took everything, and marks the label as printed. A printer that does not answer is tried again a few times, then the label is `not-printed`. A connection that was lost on the way leaves it `unknown`: nothing repeats it but a request with `isCopy`.',
  params: IdPath,
  body: PrintBody,
  responses: {
    200: { description: 'Printed, or not: see status', schema: PrintJob },
    202: { description: 'The printer has not confirmed yet, see Location', schema: PrintJob },
    409: {
      description: 'The label was printed or may have been, and isCopy is false; or another printer has it',
      schema: ProblemBody,
    },
    422: {
      description: 'There is no such printer, it takes other labels, or the shipment has no valid label',
      schema: ProblemBody,
    },
  },
  async handle(deps, request) {
    const input = { ...request.origin, shipmentId: request.params.id, ...request.body };
    return replyWhenSettled(deps, request, await requestPrint(deps, input));
  },
  recover: replyWhenSettled,
});
