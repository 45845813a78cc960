import type { ImportedOrder } from '../adapter.ts';
import type { Order } from './schema.ts';

type State = ImportedOrder['state'];

/** The payment decides about an order that is neither cancelled nor shipped (OrderPaymentStatusEnum, read 2026-11-21). */
const BY_PAYMENT: Readonly<Record<string, State>> = {
  PAID: 'open',
  // A refund is of money: the pieces of a cancellation are in the order's cancel status.
  PARTIALLY_REFUNDED: 'open',
  PENDING: 'held',
  FAILED: 'held',
  FULLY_REFUNDED: 'cancelled',
};
const UNFINISHED = new Set(['NOT_STARTED', 'IN_PROGRESS']);

export interface Standing {
  state: State;
  problems: string[];
}

export function standingOf(order: Order): Standing {
  const { orderFulfillmentStatus, orderPaymentStatus, cancelStatus } = order;
  if (cancelStatus.cancelState === 'CANCELED') return { state: 'cancelled', problems: [] };
  if (isShippedByEbay(order)) return { state: 'shipped', problems: ['eBay ships this order itself'] };
  if (orderFulfillmentStatus === 'FULFILLED') return { state: 'shipped', problems: [] };
  const problems: string[] = [];
  if (isCancellationOpen(order)) {
    return { state: 'held', problems: [...problems, 'The buyer asked to cancel the order: decide that at eBay first'] };
  }
  if (!UNFINISHED.has(orderFulfillmentStatus)) {
    problems.push(`eBay's fulfilment status "${orderFulfillmentStatus}" is not known: the order waits`);
    return { state: 'held', problems };
  }
  const state = BY_PAYMENT[orderPaymentStatus];
  if (!state) problems.push(`eBay's payment status "${orderPaymentStatus}" is not known: the order waits`);
  return { state: state ?? 'held', problems };
}

function isShippedByEbay({ program, fulfillmentStartInstructions: instructions }: Order): boolean {
  return (
    program.fulfillmentProgram.fulfilledBy === 'EBAY' ||
    (instructions.length > 0 &&
      instructions.every(({ fulfillmentInstructionsType: type }) => type === 'FULFILLED_BY_EBAY'))
  );
}

/** A list does not say what became of the requests: there, one that was made is taken for open. */
function isCancellationOpen({ cancelStatus: { cancelState, cancelRequests } }: Order): boolean {
  if (cancelState !== 'IN_PROGRESS') return false;
  return cancelRequests.length === 0 || cancelRequests.some((each) => each.cancelRequestState !== 'REJECTED');
}
