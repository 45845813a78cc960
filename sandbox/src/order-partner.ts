import type { Request, Router } from 'express';
import { type Operations, operationIn } from './operations.ts';
import type { LedgerEntry, SandboxPartner, SandboxWorld } from './partner.ts';

/** Any part of a platform's order. */
export type PartialOrder = Record<string, unknown>;

const HOUR_MS = 3_600_000;

/** The memory of a partner that has orders. */
export class OrderBooks<State extends { nextId: number }> {
  readonly world: SandboxWorld;
  state: State;

  constructor(world: SandboxWorld, state: State) {
    this.world = world;
    this.state = state;
  }

  takeId(): number {
    this.state.nextId += 1;
    return this.state.nextId - 1;
  }

  /** The time at which the first orders were placed. */
  hourAgo(): Date {
    return new Date(this.world.now().getTime() - HOUR_MS);
  }
}

/** Makes a partner of its books. Orders are placed at `_seed/orders`. */
export function orderPartner<State extends { nextId: number }>({
  books,
  router,
  operations,
  ...partner
}: {
  id: string;
  books: OrderBooks<State> & { addOrder(given: PartialOrder): unknown };
  router: Router;
  operations: Operations;
  ledger(): LedgerEntry[];
}): SandboxPartner {
  router.post('/_seed/orders', (request, response) => {
    response.status(201).json(books.addOrder(JSON.parse(request.body)));
  });
  return {
    ...partner,
    router,
    operationOf: operationIn(operations),
    save: () => books.state,
    load(state) {
      books.state = state as State;
    },
  };
}

/** Returns the ledger of an order whose confirmations are counted: a marketplace sells no labels. */
export function confirmationsOf(
  reference: string,
  told: { confirmed: number; cancelled?: number; trackingNumbers: string[] },
): LedgerEntry {
  const { confirmed, cancelled = 0, trackingNumbers } = told;
  const noLabels = { labelsSold: 0, liveNumbers: [], confirmedNumbers: [], released: 0 };
  return { reference, ...noLabels, confirmed, cancelled, trackingNumbers };
}

/**
 * Tells whether a date lies between two times in epoch milliseconds, both included. An unreadable date always does, since a seed
 * made it so: it is shown rather than hidden.
 */
export function isWithin(date: string, { from, to }: { from: number; to: number }): boolean {
  const at = Date.parse(date);
  return Number.isNaN(at) || (at >= from && at <= to);
}

/** Splits a parameter that holds a list with commas. */
export function listOf(value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? value.split(',') : [];
}

/** Returns the JSON object of a request; null for any other body. */
export function objectIn(request: Request): Record<string, unknown> | null {
  try {
    const body: unknown = JSON.parse(request.body);
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
