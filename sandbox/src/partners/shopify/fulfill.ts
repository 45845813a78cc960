import type { ShopBooks, StoredFulfillment, StoredFulfillmentOrder, StoredOrder, TrackingInfo } from './books.ts';
import { idOf } from './render.ts';

/** `FulfillmentInput`, as its variables were checked. */
export interface FulfillmentInput {
  lineItemsByFulfillmentOrder: {
    fulfillmentOrderId: string;
    fulfillmentOrderLineItems?: { id: string; quantity: number }[] | null;
  }[];
  notifyCustomer?: boolean | null;
  trackingInfo?: { company?: string; number?: string; numbers?: string[]; url?: string; urls?: string[] } | null;
}

type Outcome =
  | { order: StoredOrder; fulfillment: StoredFulfillment }
  | { refused: { field: string[]; message: string } };

interface Wanted {
  order: StoredOrder;
  from: StoredFulfillmentOrder;
  lines: { line: StoredFulfillmentOrder['lines'][number] | undefined; quantity: number }[];
}

const MAY_BE_FULFILLED = new Set(['OPEN', 'IN_PROGRESS']);
/** Names of which the shop itself makes a link; the addresses are invented. */
const LINKED: Readonly<Record<string, string>> = {
  'GLS Italy': 'https://tracking.example/gls?n=',
  BRT: 'https://tracking.example/brt?n=',
  UPS: 'https://tracking.example/ups?n=',
};

/** Ships, or refuses in the recorded words and in their order: quantities first, then what exists, then what belongs together. */
export function createFulfillment(books: ShopBooks, input: FulfillmentInput): Outcome {
  for (const [index, { fulfillmentOrderLineItems }] of input.lineItemsByFulfillmentOrder.entries()) {
    const at = (fulfillmentOrderLineItems ?? []).findIndex(({ quantity }) => quantity <= 0);
    if (at === -1) continue;
    const path = ['lineItemsByFulfillmentOrder', String(index), 'fulfillmentOrderLineItems', String(at), 'quantity'];
    return { refused: { field: ['fulfillment', ...path], message: 'Quantity must be greater than 0' } };
  }
  const found = input.lineItemsByFulfillmentOrder.map((each) => find(books, each));
  const wanted = found.filter((each) => each !== null);
  const first = wanted[0];
  if (!first || wanted.length < found.length) return refused('Fulfillment order does not exist.');
  const { order } = first;
  if (wanted.some((each) => each.order !== order)) {
    return refused('All fulfillment orders must belong to the same order. Check the fulfillment order ids.');
  }
  if (wanted.some(({ from }) => from.locationId !== first.from.locationId)) {
    return refused('All fulfillment orders must be assigned to a single location. Check the fulfillment order ids.');
  }
  for (const { from, lines } of wanted) {
    if (!MAY_BE_FULFILLED.has(from.status)) {
      const words = `Fulfillment order ${from.id} has an unfulfillable status= ${from.status.toLowerCase()}.`;
      return refused(words);
    }
    if (lines.some(({ line }) => line === undefined)) return refused('Fulfillment order line item does not exist.');
    if (lines.some(({ line, quantity }) => quantity > (line?.remaining ?? 0))) {
      return refused('Invalid fulfillment order line item quantity requested.');
    }
  }
  return { order, fulfillment: book(books, wanted, input) };
}

/** Replaces what a fulfilment is tracked by, also that of a cancelled one, as recorded. */
export function updateTracking(books: ShopBooks, given: Record<string, unknown>): Outcome {
  const id = idOf(given.fulfillmentId, 'Fulfillment');
  const order = books.state.orders.find(({ fulfillments }) => fulfillments.some((each) => each.id === id));
  const fulfillment = order?.fulfillments.find((each) => each.id === id);
  if (!order || !fulfillment) {
    return { refused: { field: ['fulfillmentId'], message: 'Fulfillment does not exist.' } };
  }
  fulfillment.trackingInfo = trackingOf(given.trackingInfoInput as FulfillmentInput['trackingInfo']);
  order.updatedAt = books.now();
  const trackingNumbers = fulfillment.trackingInfo.flatMap(({ number }) => number ?? []);
  if (given.notifyCustomer === true) books.state.mails.push({ order: order.name, trackingNumbers });
  books.world.touch();
  return { order, fulfillment };
}

function refused(message: string): { refused: { field: string[]; message: string } } {
  return { refused: { field: ['fulfillment'], message } };
}

function find(books: ShopBooks, each: FulfillmentInput['lineItemsByFulfillmentOrder'][number]): Wanted | null {
  const id = idOf(each.fulfillmentOrderId, 'FulfillmentOrder');
  const order = books.state.orders.find(({ fulfillmentOrders }) => fulfillmentOrders.some((one) => one.id === id));
  const from = order?.fulfillmentOrders.find((one) => one.id === id);
  if (!order || !from) return null;
  const given = each.fulfillmentOrderLineItems ?? [];
  const lines = given.map(({ id: lineId, quantity }) => {
    const number = idOf(lineId, 'FulfillmentOrderLineItem');
    return { line: from.lines.find((line) => line.id === number), quantity };
  });
  // Nothing named is everything that is left.
  if (given.length === 0) lines.push(...from.lines.map((line) => ({ line, quantity: line.remaining })));
  return { order, from, lines };
}

function book(books: ShopBooks, wanted: Wanted[], input: FulfillmentInput): StoredFulfillment {
  const now = books.now();
  const pieces = new Map<number, number>();
  for (const { from, lines } of wanted) {
    for (const { line, quantity } of lines) {
      if (!line || quantity === 0) continue;
      line.remaining -= quantity;
      pieces.set(line.lineId, (pieces.get(line.lineId) ?? 0) + quantity);
    }
    if (from.lines.every(({ remaining }) => remaining === 0)) from.status = 'CLOSED';
    from.updatedAt = now;
  }
  const fulfillment: StoredFulfillment = {
    id: books.takeId(),
    status: 'SUCCESS',
    createdAt: now,
    trackingInfo: trackingOf(input.trackingInfo),
    lines: [...pieces].map(([lineId, quantity]) => ({ id: books.takeId(), lineId, quantity })),
  };
  const order = wanted[0]?.order;
  if (order) {
    order.fulfillments.push(fulfillment);
    order.updatedAt = now;
    const trackingNumbers = fulfillment.trackingInfo.flatMap(({ number }) => number ?? []);
    if (input.notifyCustomer === true) books.state.mails.push({ order: order.name, trackingNumbers });
  }
  books.world.touch();
  return fulfillment;
}

function trackingOf(given: FulfillmentInput['trackingInfo']): TrackingInfo[] {
  if (!given) return [];
  const { company = null, number, numbers = [], url, urls = [] } = given;
  const all = number === undefined ? numbers : [number];
  const links = url === undefined ? urls : [url];
  return all.map((each, index) => {
    const pattern = LINKED[company ?? ''];
    return { company, number: each, url: links[index] ?? (pattern ? `${pattern}${each}` : null) };
  });
}
