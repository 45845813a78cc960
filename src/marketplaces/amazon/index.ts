import { defineMarketplace } from '../adapter.ts';
import { Account } from './account.ts';
import { confirmShipment } from './confirm-shipment.ts';
import { listOrders, readOrder, verifyAccount } from './list-orders.ts';

/** No `webhook`: Amazon announces orders through queues of AWS only, never over HTTP. */
export const amazon = defineMarketplace<Account>({
  id: 'amazon',
  label: 'Amazon',
  logoUrl: '/logos/amazon.svg',
  allowOrderUpdateAfterImport: true,
  account: Account,
  verifyAccount,
  // Twenty searches at once, and then one every three minutes: a first import by days would stand still for long.
  windowDays: 7,
  listOrders,
  readOrder,
  confirmsParts: 'each',
  confirmShipment,
});
