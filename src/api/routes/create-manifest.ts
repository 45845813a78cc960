import { z } from 'zod';
import { createManifest } from '../../usecases/create-manifest.ts';
import { readManifest } from '../../usecases/read-manifests.ts';
import { BASE_PATH } from '../base-path.ts';
import { defineRoute, type Reply } from '../route.ts';
import { ManifestCreated } from '../schemas/manifests.ts';
import { Id, ProblemBody } from '../schemas.ts';

export const createManifestRoute = defineRoute({
  method: 'post',
  path: '/bordero',
  tag: 'Manifests',
  summary: 'Put orders on a new bordero',
  description:
    'All of them or none: every order must have a shipment of that carrier, transmitted where the carrier requires it, and be on no other bordero.',
  body: z.object({ carrierId: Id, orderIds: z.array(Id).min(1).max(5000) }).meta({ id: 'ManifestCreation' }),
  responses: {
    201: { description: 'The new bordero', schema: ManifestCreated },
    422: { description: 'One violation per order that cannot be on it', schema: ProblemBody },
  },
  async handle(deps, { origin, body }) {
    return created(await createManifest(deps, { ...origin, ...body }));
  },
  async recover(deps, { companyId }, manifestId) {
    return created((await readManifest(deps, { companyId, manifestId })).manifest);
  },
});

function created(manifest: { id: number; number: string; totalShipments: number }): Reply {
  return {
    status: 201,
    body: {
      manifestId: manifest.id,
      manifestNumber: manifest.number,
      manifestCode: manifest.number,
      totalShipments: manifest.totalShipments,
    },
    headers: { Location: `${BASE_PATH}/bordero/${manifest.id}` },
  };
}
