import { z } from 'zod';
import { defineMarketplace } from '../adapter.ts';
import { Account } from './account.ts';
import { listRows } from './client.ts';
import { confirmShipment } from './confirm-shipment.ts';
import { listOrders, readOrder } from './list-orders.ts';
import { readStates, shippedState } from './order-states.ts';

export const prestashop = defineMarketplace<Account>({
  id: 'prestashop',
  label: 'PrestaShop',
  logoUrl: '/logos/prestashop.svg',
  allowOrderUpdateAfterImport: true,
  account: Account,
  // The platform names no limit. This one is ours, so that a small shared host does not take us for an attack.
  rateLimit: { max: 5, durationMs: 1000 },
  async verifyAccount(context) {
    await listRows(context, { resource: 'orders', query: { display: '[id]', limit: '1' } }, z.unknown());
  },
  async detect(context) {
    const states = await readStates(context);
    shippedState(context.account, states);
    return { states };
  },
  listOrders,
  readOrder,
  confirmsParts: 'together',
  confirmShipment,
});
