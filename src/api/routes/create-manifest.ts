import { z } from 'zod';
import { createManifest } from '../../usecases/create-manifest.ts';
import { BASE_PATH } from '../base-path.ts';
import { defineRoute } from '../route.ts';
import { Id, ManifestCreated, ProblemBody } from '../schemas.ts';

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
  async handle(deps, { companyId, body }) {
    const manifest = await createManifest(deps, { companyId, ...body });
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
  },
});
