import { defineMarketplace } from '../adapter.ts';
import { Account } from './account.ts';
import { confirmShipment } from './confirm-shipment.ts';
import { listOrders, readOrder, verifyAccount } from './list-orders.ts';
import { webhook } from './webhook.ts';

export const ebay = defineMarketplace<Account>({
  id: 'ebay',
  label: 'eBay',
  logoUrl: '/logos/ebay.svg',
  allowOrderUpdateAfterImport: true,
  account: Account,
  verifyAccount,
  listOrders,
  readOrder,
  webhook,
  confirmsParts: 'each',
  confirmShipment,
});
