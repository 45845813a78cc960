import { z } from 'zod';
import { createManifest } from '../../../usecases/manifests/create-manifest.ts';
import { createOpenManifests, readManifestsMade } from '../../../usecases/manifests/create-open-manifests.ts';
import { BASE_PATH } from '../../http/base-path.ts';
import { defineRoute, type Reply } from '../../http/route.ts';
import { Id, ProblemBody } from '../../http/schemas.ts';
import { ManifestCreated } from './schemas.ts';

/** Filters of `allTransmitted`. */
const NARROWING = ['carrierCompanyId', 'warehouseId', 'transmittedBefore'] as const;

/** Tells the OpenAPI document that exactly one of them is required. */
const FORMS = [{ required: ['carrierId', 'orderIds'] }, { required: ['allTransmitted'] }];

const Body = z
  .object({
    carrierId: Id.optional(),
    orderIds: z.array(Id).min(1).max(5000).optional(),
    allTransmitted: z.boolean().optional().describe('true: all open shipments, instead of orderIds'),
    carrierCompanyId: Id.optional().describe('With allTransmitted: only of this contract'),
    warehouseId: z
      .union([Id, z.string().trim().min(1).max(100)], { error: 'must be the id or the key of a warehouse' })
      .optional()
      .describe('With allTransmitted: only from this warehouse, by its id or key'),
    transmittedBefore: z.iso
      .datetime({ offset: true })
      .optional()
      .describe('With allTransmitted: only shipments transmitted before this time'),
  })
  .superRefine((body, context) => {
    const fault = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    if (body.allTransmitted && body.orderIds) fault('allTransmitted', 'give either orderIds or allTransmitted');
    if (body.allTransmitted) return;
    if (!body.orderIds) fault('orderIds', 'must be there, or "allTransmitted": true instead of it');
    else if (body.carrierId === undefined) fault('carrierId', 'is required with orderIds');
    for (const field of NARROWING) {
      if (body[field] !== undefined) fault(field, 'can only be used with "allTransmitted": true');
    }
  })
  .meta({ id: 'ManifestCreation', override: { oneOf: FORMS } });

export const createManifestRoute = defineRoute({
  method: 'post',
  scope: 'manifests:write',
  path: '/bordero',
  tag: 'Manifests',
  summary: 'Create a bordero',
  description:
    'With `carrierId` and `orderIds`, the bordero gets all these orders or is not created. Each order must have a shipment of that carrier, transmitted if the carrier requires it, and be on no other bordero. With `allTransmitted: true` (an addition to the contract) it gets all shipments that are transmitted, on no bordero, and not yet scanned by the carrier. `carrierId`, `carrierCompanyId`, `warehouseId` and `transmittedBefore` filter them. The result is one bordero per contract, listed in `manifests`.',
  body: Body,
  responses: {
    201: { description: 'The new bordero, or borderos', schema: ManifestCreated },
    422: {
      description: 'One violation per order that cannot be on it, or there are no open shipments',
      schema: ProblemBody,
    },
  },
  points: ({ body }) => body.orderIds?.length ?? 1,
  async handle(deps, { origin, body }) {
    const { carrierId = null, orderIds = [] } = body;
    if (!body.allTransmitted)
      return created([await createManifest(deps, { ...origin, carrierId: carrierId ?? 0, orderIds })]);
    const filter = {
      carrierId,
      contractId: body.carrierCompanyId ?? null,
      warehouse: body.warehouseId ?? null,
      transmittedBefore: body.transmittedBefore === undefined ? null : new Date(body.transmittedBefore),
    };
    return created(await createOpenManifests(deps, { ...origin, filter }));
  },
  async recover(deps, { companyId }, firstId) {
    return created(await readManifestsMade(deps, { companyId, firstId }));
  },
});

interface Made {
  id: number;
  number: string;
  totalShipments: number;
  contractId: number;
}

function created(made: readonly Made[]): Reply {
  const manifests = made.map(({ id, number, totalShipments, contractId }) => ({
    manifestId: id,
    manifestNumber: number,
    manifestCode: number,
    totalShipments,
    carrierCompanyId: contractId,
  }));
  const [first] = manifests;
  if (!first) throw new Error('createManifests returned no bordero');
  const { carrierCompanyId: _contract, ...fields } = first;
  return {
    status: 201,
    body: { ...fields, manifests },
    headers: { Location: `${BASE_PATH}/bordero/${first.manifestId}` },
  };
}
