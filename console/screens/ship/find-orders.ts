import { ApiError, api, body } from '../../api/client.ts';

/** An order that a scanned code stands for. */
export interface Hit {
  id: number;
  number: string;
  status: string;
}

const MAX_ID = 2_147_483_647;
const MAX_HITS = 100;
/** One key chooses each. */
const SHOWN = 9;
const NUMBERS: readonly string[] = [
  'orderNumber',
  'marketplaceOrderId',
  'marketplaceOrderNumber',
  'trackingNumber',
  'reference',
];
const TO_SHIP = ['pending', 'error'];

/**
 * Finds the orders of a code, never similar ones: by number, id or tracking number, else the ones to ship that have the
 * product.
 */
export async function findOrders(code: string): Promise<Hit[]> {
  const [byNumber, byExternal, byId, found] = await Promise.all([
    // Beside the search, whose first page an equal postal code of many orders could fill.
    body(api.GET('/api/v1/external/orders', { params: { query: { orderNumber: code, limit: SHOWN } } })),
    body(api.GET('/api/v1/external/orders', { params: { query: { marketplaceOrderId: code, limit: SHOWN } } })),
    readById(code),
    body(api.GET('/api/v1/external/search', { params: { query: { q: code, limit: MAX_HITS } } })),
  ]);
  const exact = found.filter(({ match }) => match === 'exact');
  const numbered = [
    ...[...byNumber, ...byExternal, ...byId].map(({ id, orderNumber, status }) => ({
      id,
      number: orderNumber,
      status,
    })),
    ...exact
      .filter(({ matched }) => NUMBERS.includes(matched))
      .map(({ orderId, orderNumber, status }) => ({ id: orderId, number: orderNumber, status })),
  ];
  if (numbered.length > 0) return onceEach(numbered).slice(0, SHOWN);
  const withProduct = exact
    .filter(({ type, matched, status }) => type === 'order' && matched === 'sku' && TO_SHIP.includes(status))
    .map(({ orderId, orderNumber, status }) => ({ id: orderId, number: orderNumber, status }));
  // The oldest waits longest.
  return onceEach(withProduct)
    .toSorted((one, other) => one.id - other.id)
    .slice(0, SHOWN);
}

async function readById(code: string) {
  const id = Number(code);
  if (!/^\d+$/.test(code) || id === 0 || id > MAX_ID) return [];
  try {
    const { order } = await body(api.GET('/api/v1/external/orders/{id}', { params: { path: { id } } }));
    return [order];
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return [];
    throw error;
  }
}

function onceEach(hits: readonly Hit[]): Hit[] {
  return [...new Map(hits.toReversed().map((hit) => [hit.id, hit])).values()].toReversed();
}
