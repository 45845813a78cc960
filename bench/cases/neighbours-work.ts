/** One company's single calls to a carrier, alone and behind all the bookings of another. */
import { buildOrder } from '../../test/support/build-order.ts';
import { median } from '../measure.ts';
import type { RunningProcess, World } from '../world.ts';
import { askForShipments, seedOrders } from './create.ts';

/** Bookings of the other company, in batches of the largest size. */
export const BOOKINGS = 20_000;
const BATCH = 5000;

type Call = (method: string, path: string, body?: unknown) => Promise<Response>;

/** Milliseconds of a single call. */
export interface SingleCalls {
  create: number;
  checkAddress: number;
  cancel: number;
}

/** Queues the bookings of the first company of a world. */
export async function queueBookings(world: World, api: RunningProcess): Promise<void> {
  for (let queued = 0; queued < BOOKINGS; queued += BATCH) {
    await askForShipments(world, api, await seedOrders(world, BATCH));
  }
}

/** Counts the bookings of the first company that still wait. */
export async function countWaiting(world: World): Promise<number> {
  await using connection = await world.connect();
  const [row] = await connection.query<{ count: number }>(
    `select count(*)::int as count from shipments where company_id = $1 and process_status in ('queued', 'submitting')`,
    [world.companyId],
  );
  return row?.count ?? 0;
}

/** Measures single calls one after the other: medians of the rounds. */
export async function measureSingleCalls(call: Call, rounds: number): Promise<SingleCalls> {
  const times: Record<keyof SingleCalls, number[]> = { create: [], checkAddress: [], cancel: [] };
  const [contract] = (await (await call('GET', '/carriers/contracts')).json()) as { id: number }[];
  for (let round = 0; round < rounds; round++) {
    const question = {
      carrierCompanyId: contract?.id,
      provincia: 'MI',
      city: 'Milano',
      address: `Via Torino ${round + 1}`,
      zip: '20123',
    };
    const { order } = (await (await call('POST', '/orders', buildOrder())).json()) as { order: { id: number } };
    const orders = [{ orderId: order.id }];
    times.checkAddress.push(await timed(() => call('POST', '/shipment/check-address', question)));
    times.create.push(await timed(() => call('POST', '/shipment/create', orders)));
    const { shipments } = (await (await call('GET', `/orders/${order.id}`)).json()) as {
      shipments: { id: number }[];
    };
    times.cancel.push(await timed(() => call('DELETE', `/shipment/${shipments[0]?.id}`)));
  }
  return { create: median(times.create), checkAddress: median(times.checkAddress), cancel: median(times.cancel) };
}

async function timed(call: () => Promise<Response>): Promise<number> {
  const started = performance.now();
  const answer = await call();
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  return performance.now() - started;
}
