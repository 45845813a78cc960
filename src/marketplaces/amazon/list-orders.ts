import type { ImportedOrder, OrderPage, OrderWindow } from '../adapter.ts';
import { importEach, withIds } from '../import-each.ts';
import { nullIfAbsent } from '../refusals.ts';
import { type AmazonContext, getOrder, ORDERS, readAmazon } from './client.ts';
import { importOrder } from './mapping.ts';
import { refuse } from './refusals.ts';
import { Order, SearchAnswer } from './schema.ts';

const PER_PAGE = 100;
const Identified = Order.pick({ orderId: true });
/** After the burst, a page comes every three minutes. */
const PATIENCE_MS = 10 * 60_000;
/** Amazon asks for an end at least two minutes ago, by its own clock. The import's overlap is longer. */
const SETTLING_MS = 3 * 60_000;
const HOUR_MS = 3_600_000;
/** Pending orders have no address yet, and become unshipped ones by an update. */
const STATUSES = 'UNSHIPPED,PARTIALLY_SHIPPED,SHIPPED,CANCELLED';
const IMPORTED_DATA = 'BUYER,RECIPIENT,PROCEEDS,CANCELLATION,FULFILLMENT,TAX,PAYMENT';

/** Reads one page of the seller's orders that Amazon changed in the window, in Amazon's order: it offers no other. */
export async function listOrders(context: AmazonContext, window: OrderWindow): Promise<OrderPage> {
  const { until, paginationToken } = windowOf(context, window);
  if (until < window.modifiedAfter.toISOString()) return { orders: [], unreadable: [], next: null };
  const { marketplaceIds } = context.account;
  const answer = await readAmazon(
    context,
    {
      operation: 'searchOrders',
      path: ORDERS,
      query: {
        lastUpdatedAfter: window.modifiedAfter.toISOString(),
        lastUpdatedBefore: until,
        fulfilledBy: 'MERCHANT',
        fulfillmentStatuses: STATUSES,
        ...(marketplaceIds ? { marketplaceIds: marketplaceIds.join(',') } : {}),
        includedData: IMPORTED_DATA,
        maxResultsPerPage: String(PER_PAGE),
        ...(paginationToken ? { paginationToken } : {}),
      },
      patienceMs: PATIENCE_MS,
    },
    SearchAnswer,
  );
  const raws = withIds(context.log, answer.orders, (raw) => Identified.safeParse(raw).data?.orderId);
  const read = importEach(
    raws,
    ({ id }) => id,
    ({ raw }) => importOrder(Order.parse(raw)),
  );
  const { nextToken } = answer.pagination;
  return { ...read, next: nextToken ? `${until}/${nextToken}` : null };
}

export function readOrder(context: AmazonContext, externalId: string): Promise<ImportedOrder | null> {
  const asked = { includedData: IMPORTED_DATA, patienceMs: PATIENCE_MS };
  return nullIfAbsent(getOrder(context, externalId, asked).then(importOrder));
}

export async function verifyAccount(context: AmazonContext): Promise<void> {
  const lastUpdatedAfter = new Date(context.now().getTime() - HOUR_MS).toISOString();
  const query = { lastUpdatedAfter, maxResultsPerPage: '1' };
  await readAmazon(context, { operation: 'searchOrders', path: ORDERS, query }, SearchAnswer);
}

/** Amazon wants every page asked for with the words of the first one, so its end travels with the token. */
function windowOf(context: AmazonContext, window: OrderWindow): { until: string; paginationToken: string | null } {
  if (window.page === null) {
    const settled = context.now().getTime() - SETTLING_MS;
    return {
      until: new Date(Math.min(window.modifiedBefore.getTime(), settled)).toISOString(),
      paginationToken: null,
    };
  }
  const [, until, paginationToken] = /^([^/]+)\/(.+)$/.exec(window.page) ?? [];
  if (!until || !paginationToken) throw refuse('validation', 'The page of orders asked for does not exist');
  return { until, paginationToken };
}
