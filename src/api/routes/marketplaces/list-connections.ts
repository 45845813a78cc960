import { z } from 'zod';
import { listConnections } from '../../../usecases/partners/read-lists.ts';
import { iso, logoUrl } from '../../http/format.ts';
import { defineRoute } from '../../http/route.ts';
import { ConnectedMarketplace } from './schemas.ts';

export const listConnectionsRoute = defineRoute({
  method: 'get',
  scope: 'marketplaces:read',
  path: '/marketplace/connected',
  tag: 'Marketplaces',
  summary: 'List marketplace connections',
  description: 'Secrets in configFields are masked.',
  responses: { 200: { description: 'Connections', schema: z.array(ConnectedMarketplace) } },
  async handle(deps, { companyId }) {
    const connections = await listConnections(deps, companyId);
    return {
      status: 200,
      body: connections.map(({ connection, marketplace }) => ({
        id: connection.id,
        companyId: String(connection.companyId),
        marketplaceId: connection.marketplaceId,
        externalConnectionKey: connection.key,
        configFields: connection.configFields,
        deleteFlag: connection.deleteFlag,
        isConnected: connection.isConnected,
        isPartner: connection.isPartner,
        label: connection.label,
        percentageFee: connection.percentageFee,
        idPartner: connection.idPartner,
        createdAt: iso(connection.createdAt),
        updatedAt: iso(connection.updatedAt),
        marketplace: {
          id: marketplace.id,
          name: marketplace.name,
          logoUrl: logoUrl(marketplace.logoUrl, deps.settings.publicUrl),
          fields: marketplace.fields,
          sortOrder: marketplace.sortOrder,
          isNew: marketplace.isNew,
          allowOrderUpdateAfterImport: marketplace.allowOrderUpdateAfterImport,
          createdAt: iso(marketplace.createdAt),
          updatedAt: iso(marketplace.updatedAt),
          code: marketplace.code,
        },
      })),
    };
  },
});
