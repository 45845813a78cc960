import { defineMarketplace } from '../adapter.ts';
import { Account } from './account.ts';
import { detect } from './carriers.ts';
import { confirmShipment } from './confirm-shipment.ts';
import { listOrders, readOrder, verifyAccount } from './list-orders.ts';

export const mirakl = defineMarketplace<Account>({
  id: 'mirakl',
  label: 'Mirakl',
  logoUrl: '/logos/mirakl.svg',
  allowOrderUpdateAfterImport: true,
  account: Account,
  verifyAccount,
  detect: async (context) => ({ ...(await detect(context)) }),
  // One list a minute, or every fifteen: a first import by days would take hours.
  windowDays: 30,
  listOrders,
  readOrder,
  confirmsParts: ({ account }) => (account.multipleShipments ? 'each' : 'last'),
  confirmShipment,
});
