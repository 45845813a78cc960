import { z } from 'zod';
import type { ImportedOrder } from '../adapter.ts';
import type { Account } from './account.ts';
import { listRows, type ShopContext } from './client.ts';
import { refuse } from './refusals.ts';
import { OrderState } from './schema.ts';

/** The mails of the states that a new shop has for orders that come to nothing (its installer's data, read 2026-11-21). */
const CANCELLING = new Set(['order_canceled', 'refund', 'payment_error']);
const SHIPPING = 'shipped';

/** The states as `detect` keeps them. */
const Detected = z.object({
  states: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      template: z.string(),
      paid: z.boolean(),
      shipped: z.boolean(),
      deleted: z.boolean(),
    }),
  ),
});

export function readStates(context: ShopContext): Promise<OrderState[]> {
  return listRows(context, { resource: 'order_states', query: {} }, OrderState);
}

/** Returns the states kept for this shop, or reads them when one is missing: shops add states at any time. */
export async function statesFor(context: ShopContext, detected: unknown, needed: string): Promise<OrderState[]> {
  const kept = Detected.safeParse(detected).data?.states;
  return kept?.some(({ id }) => id === needed) ? kept : readStates(context);
}

/** Tells what a state means for shipping. */
export function meaningOf(account: Account, state: OrderState): ImportedOrder['state'] {
  if (CANCELLING.has(state.template)) return 'cancelled';
  if (state.shipped || Number(state.id) === account.shippedState) return 'shipped';
  const isOpen = account.openStates ? account.openStates.includes(Number(state.id)) : state.paid;
  return isOpen ? 'open' : 'held';
}

/** Returns the state that says "shipped" in this shop. */
export function shippedState(account: Account, states: readonly OrderState[]): OrderState {
  const chosen = String(account.shippedState ?? '');
  const isChosen = (state: OrderState) => (chosen ? state.id === chosen : state.shipped && state.template === SHIPPING);
  const found = states.find((state) => !state.deleted && isChosen(state));
  if (found) return found;
  const wanted = chosen ? `no order state ${chosen}` : `no order state that mails "${SHIPPING}"`;
  throw refuse('configuration', `The shop has ${wanted}: name one as shippedState in the connection`);
}
