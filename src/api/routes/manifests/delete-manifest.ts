import { z } from 'zod';
import { deleteManifest } from '../../../usecases/manifests/delete-manifest.ts';
import { defineRoute } from '../../http/route.ts';
import { Flag, IdPath } from '../../http/schemas.ts';
import { ManifestDeleted } from './schemas.ts';

export const deleteManifestRoute = defineRoute({
  method: 'delete',
  scope: 'manifests:write',
  path: '/bordero/{id}',
  tag: 'Manifests',
  summary: 'Delete a bordero, or preview the deletion',
  description:
    'Without confirm=true nothing changes and mode is preview. Orders whose parcels have moved stay on the bordero.',
  params: IdPath,
  query: z.object({ confirm: Flag }),
  responses: { 200: { description: 'mode is preview, full or partial', schema: ManifestDeleted } },
  async handle(deps, { companyId, params, query }) {
    const { mode, targetStatus, restored, kept } = await deleteManifest(deps, {
      companyId,
      manifestId: params.id,
      confirm: query.confirm,
    });
    const message = {
      preview: `${restored} orders would be restored to ${targetStatus}, ${kept} would be kept: repeat with confirm=true`,
      full: `The bordero is deleted, ${restored} orders are restored to ${targetStatus}`,
      partial: `${restored} orders are restored to ${targetStatus}, ${kept} are kept because their parcels have moved`,
    }[mode];
    return {
      status: 200,
      body: {
        success: true,
        message,
        mode,
        targetStatus,
        restoredOrders: restored,
        keptOrders: kept,
        manifestId: params.id,
        remainingOrders: mode === 'preview' ? restored + kept : kept,
      },
    };
  },
});
