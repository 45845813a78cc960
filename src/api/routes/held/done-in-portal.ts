import { z } from 'zod';
import { decideInPortal } from '../../../usecases/held/decide-held.ts';
import { readHeldCase } from '../../../usecases/held/read-held.ts';
import { type ApiDeps, defineRoute, type Reply } from '../../http/route.ts';
import { IdText, ProblemBody, text } from '../../http/schemas.ts';
import { HeldFields, heldBody } from './held-body.ts';

export const doneInPortalRoute = defineRoute({
  method: 'post',
  scope: 'held:write',
  path: '/shipments/held/{shipmentId}/done-in-portal',
  tag: 'Shipments',
  summary: "Say what was decided in the carrier's portal",
  description:
    'An addition to the contract. The giacenza counts as decided until tracking shows the result. A repeat with another action corrects the first one.',
  params: z.object({ shipmentId: IdText }),
  body: z.object({ action: z.string().trim().min(1).max(60), note: text(500) }).meta({ id: 'PortalDecision' }),
  responses: {
    200: { description: 'Recorded', schema: HeldFields },
    409: { description: "A release through the carrier's API is still in progress", schema: ProblemBody },
    422: { description: 'The carrier does not offer this decision', schema: ProblemBody },
  },
  async handle(deps, { origin, params, body }) {
    const { action, note } = body;
    return reply(deps, origin, await decideInPortal(deps, { ...origin, shipmentId: params.shipmentId, action, note }));
  },
  recover: reply,
});

async function reply(deps: ApiDeps, { companyId }: { companyId: number }, caseId: number): Promise<Reply> {
  return { status: 200, body: heldBody(await readHeldCase(deps, { companyId, caseId })) };
}
