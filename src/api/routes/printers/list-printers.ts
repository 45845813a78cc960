import { z } from 'zod';
import { listPrinters } from '../../../usecases/printers/read-printers.ts';
import { iso } from '../../http/format.ts';
import { defineRoute } from '../../http/route.ts';
import { PrinterFields } from './schemas.ts';

export const listPrintersRoute = defineRoute({
  method: 'get',
  scope: 'shipments:read',
  path: '/printers',
  tag: 'Shipments',
  summary: 'List printers',
  description:
    'An addition to the contract: the printers that the server prints labels on, as an admin declared them, and how the last job on each ended. Their addresses are shown to admins only.',
  responses: { 200: { description: 'Printers, by key', schema: z.array(PrinterFields) } },
  async handle(deps, { companyId }) {
    const printers = await listPrinters(deps, companyId);
    return {
      status: 200,
      body: printers.map(({ id, key, name, format, stations, warehouseId, isEnabled, ...state }) => ({
        ...{ id, key, name, format, stations, warehouseId, isEnabled },
        isReachable: state.isReachable,
        lastJobAt: state.lastJobAt && iso(state.lastJobAt),
        lastError: state.lastError,
      })),
    };
  },
});
