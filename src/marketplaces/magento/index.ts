import { defineMarketplace } from '../adapter.ts';
import { Account } from './account.ts';
import { requireWorkingShop } from './broken-order.ts';
import { confirmShipment } from './confirm-shipment.ts';
import { listOrders, readOrder } from './list-orders.ts';

/** No `webhook`: Magento Open Source sends none about orders. */
export const magento = defineMarketplace<Account>({
  id: 'magento',
  label: 'Magento / Adobe Commerce',
  logoUrl: '/logos/magento.svg',
  allowOrderUpdateAfterImport: true,
  account: Account,
  // Magento limits none of these calls. This one is ours, so that the firewall of a small host does not take us for an attack.
  rateLimit: { max: 5, durationMs: 1000 },
  verifyAccount: requireWorkingShop,
  listOrders,
  readOrder,
  confirmsParts: 'each',
  confirmShipment,
});
