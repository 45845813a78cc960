import { z } from 'zod';
import { readShops, type Shop } from '../../../usecases/marketplaces/read-shops.ts';
import { isoOrNull } from '../../http/format.ts';
import { defineRoute } from '../../http/route.ts';
import { ShopState } from './schemas.ts';

export const listShopsRoute = defineRoute({
  method: 'get',
  scope: 'marketplaces:read',
  isQueryStrict: true,
  path: '/marketplace/state',
  tag: 'Marketplaces',
  summary: 'List the state of marketplace connections',
  description:
    'An addition to the contract: the last and the next import of each connection, what could not be imported, and what its shop was not told. Counting stops at 5000.',
  responses: { 200: { description: 'One element per connection', schema: z.array(ShopState) } },
  async handle(deps, { companyId }) {
    return { status: 200, body: (await readShops(deps, companyId)).map(shopBody) };
  },
});

function shopBody({ connection, marketplace, isRunning, error, nextRunAt, failed, missing, toldAnother }: Shop) {
  return {
    connectionId: connection.id,
    label: connection.label,
    marketplace: { id: marketplace.id, code: marketplace.code, name: marketplace.name },
    isConnected: connection.isConnected,
    imports: {
      isEnabled: connection.importEnabled,
      isRunning,
      importedUntil: isoOrNull(connection.importedUntil),
      lastRunAt: isoOrNull(connection.lastImportAt),
      nextRunAt: isoOrNull(nextRunAt),
      error,
      failed,
    },
    confirmations: { isAutomatic: connection.confirmWhenTransmitted, missing, toldAnother },
  };
}
