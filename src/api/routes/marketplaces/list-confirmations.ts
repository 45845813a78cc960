import { z } from 'zod';
import { CONFIRMATION_STATES } from '../../../domain/confirmation-state.ts';
import { MARKETPLACE_ERRORS } from '../../../domain/marketplace-error.ts';
import { type Confirmation, listConfirmations } from '../../../usecases/marketplaces/confirmations.ts';
import { iso, isoOrNull } from '../../http/format.ts';
import { nextPage, PageLimit } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, IdText } from '../../http/schemas.ts';
import { ConfirmationFields } from './schemas.ts';

const DEFAULT_LIMIT = 50;

export const listConfirmationsRoute = defineRoute({
  method: 'get',
  scope: 'marketplaces:read',
  isQueryStrict: true,
  path: '/marketplace/connected/{id}/confirmations',
  tag: 'Marketplaces',
  summary: 'List what a shop knows of shipments, newest orders first',
  description:
    'An addition to the contract: a ledger of the orders that have a transmitted or confirmed shipment. POST /orders/{id}/send-to-marketplace reads the order in the shop, writes what is missing, and so changes its state. The Link header leads to the next page.',
  params: IdPath,
  query: z.object({
    state: z.enum(CONFIRMATION_STATES).optional(),
    limit: PageLimit.optional(),
    cursor: IdText.optional(),
  }),
  responses: { 200: { description: 'One page of orders', schema: z.array(ConfirmationFields) } },
  async handle(deps, { companyId, params, query: { state, limit = DEFAULT_LIMIT, cursor = null } }) {
    const page = { state: state ?? null, limit, beforeId: cursor };
    const rows = await listConfirmations(deps, { companyId, connectionId: params.id, ...page });
    const ids = rows.map(({ orderId }) => orderId);
    const path = `/marketplace/connected/${params.id}/confirmations`;
    return {
      status: 200,
      body: rows.map(confirmationBody),
      ...nextPage(path, { ids, limit, query: { state, limit } }),
    };
  },
});

function confirmationBody({ last, ...row }: Confirmation) {
  return {
    orderId: row.orderId,
    orderNumber: row.orderNumber,
    marketplaceOrderId: row.externalOrderId,
    marketplaceOrderNumber: row.externalOrderNumber,
    state: row.state,
    toldAt: isoOrNull(row.toldAt),
    readBackAt: isoOrNull(row.readBackAt),
    shipments: row.shipments.map(({ id, trackingNumber, toldNumber, transmittedAt }) => ({
      ...{ shipmentId: id, trackingNumber, toldNumber },
      transmittedAt: isoOrNull(transmittedAt),
    })),
    deadNumbers: row.deadNumbers,
    last: last && {
      operationId: last.operationId,
      status: last.status,
      error: last.status === 'failed' ? last.message : null,
      errorType: last.errorType,
      errorSuggestion: last.errorType === null ? null : MARKETPLACE_ERRORS[last.errorType],
      at: iso(last.at),
    },
  };
}
