import { defineMarketplace } from '../adapter.ts';
import { Account } from './account.ts';
import { listRawOrders } from './client.ts';
import { confirmShipment } from './confirm-shipment.ts';
import { detect, keepsLines } from './detect.ts';
import { findAbsent, listOrders, readOrder } from './list-orders.ts';
import { webhook } from './webhook.ts';

export const woocommerce = defineMarketplace<Account>({
  id: 'woocommerce',
  label: 'WooCommerce',
  logoUrl: '/logos/woocommerce.svg',
  allowOrderUpdateAfterImport: true,
  account: Account,
  // The platform names no limit. This one is ours, so that the firewall of a small shared host does not take us for an attack.
  rateLimit: { max: 5, durationMs: 1000 },
  async verifyAccount(context) {
    await listRawOrders(context, { per_page: '1' });
  },
  detect: async (context) => ({ ...(await detect(context)) }),
  listOrders,
  readOrder,
  findAbsent: { max: 100, find: findAbsent },
  webhook,
  confirmsParts: ({ detected }) => (keepsLines(detected) ? 'each' : 'together'),
  confirmShipment,
});
