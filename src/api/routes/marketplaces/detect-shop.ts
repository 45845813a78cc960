import { z } from 'zod';
import { forgetShop } from '../../../usecases/marketplaces/detect-shop.ts';
import { defineRoute } from '../../http/route.ts';
import { Id, IdPath } from '../../http/schemas.ts';

export const detectShopRoute = defineRoute({
  method: 'post',
  scope: 'marketplaces:write',
  path: '/marketplace/connected/{id}/detect',
  tag: 'Marketplaces',
  summary: 'Detect the capabilities of a shop again',
  description:
    'An addition to the contract. smista remembers how a shop takes shipment confirmations, such as by core fulfilments or by a plugin, and notices many changes by itself. After this call a worker queries the shop again before the next confirmation.',
  params: IdPath,
  responses: {
    200: {
      description: 'The shop will be queried again',
      schema: z.object({ connectionId: Id, willDetect: z.boolean() }).meta({ id: 'ShopDetection' }),
    },
  },
  async handle(deps, { companyId, params }) {
    await forgetShop(deps, { companyId, connectionId: params.id });
    return { status: 200, body: { connectionId: params.id, willDetect: true } };
  },
});
