import { defineMarketplace } from '../adapter.ts';
import { Account } from './account.ts';
import { confirmShipment } from './confirm-shipment.ts';
import { listOrders, readOrder } from './list-orders.ts';
import { PROVIDER } from './refusals.ts';
import { requireScopes } from './verify-account.ts';
import { webhook } from './webhook.ts';

export const shopify = defineMarketplace<Account>({
  id: 'shopify',
  label: PROVIDER,
  logoUrl: '/logos/shopify.svg',
  allowOrderUpdateAfterImport: true,
  account: Account,
  verifyAccount: requireScopes,
  listOrders,
  readOrder,
  webhook,
  confirmsParts: 'each',
  confirmShipment,
});
