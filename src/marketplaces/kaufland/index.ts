import { defineMarketplace } from '../adapter.ts';
import { Account } from './account.ts';
import { confirmShipment } from './confirm-shipment.ts';
import { listOrders, readOrder, verifyAccount } from './list-orders.ts';

export const kaufland = defineMarketplace<Account>({
  id: 'kaufland',
  label: 'Kaufland',
  logoUrl: '/logos/kaufland.svg',
  asksProvince: false,
  allowOrderUpdateAfterImport: true,
  account: Account,
  verifyAccount,
  listOrders,
  readOrder,
  confirmsParts: 'each',
  confirmShipment,
});
