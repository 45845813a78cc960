import type { ProcessStatus } from '../../src/domain/shipment-status.ts';
import { sweep } from '../../src/usecases/upkeep/sweep.ts';
import { readExchanges } from '../usecases/engine.ts';
import { type Books, CORRECTED } from './books.ts';
import { checkInvariants, describe, liveLabels } from './invariants.ts';
import type { World } from './world.ts';

const MAX_ROUNDS = 12;
const IN_PROGRESS = new Set<ProcessStatus>(['queued', 'submitting', 'transmitting', 'unknown_outcome', 'cancelling']);

/** The carrier is well, every process runs and time passes: within a few rounds nothing is open, and all books agree. */
export async function quiesce(world: World): Promise<void> {
  await world.test.clearFaults();
  for (const wake of world.model.asleep.splice(0)) {
    await wake();
    await checkInvariants(world);
  }
  let books = await checkInvariants(world);
  for (let round = 0; openWork(books).length > 0; round++) {
    if (round === MAX_ROUNDS) throw new Error(`Still open: ${openWork(books).join('; ')}\n${describe(books)}`);
    await world.passHours(1);
    await world.perform(sweep);
    books = await checkInvariants(world);
    for (const job of [...world.model.waiting]) {
      await world.work(job);
      books = await checkInvariants(world);
    }
  }
  const broken = [
    ...books.shipments.flatMap((shipment) => disagreements(books, shipment)),
    ...(await oldAddresses(world, books)),
  ];
  if (broken.length > 0) throw new Error(`At rest ${broken.join('\n')}\n${describe(books)}`);
}

/** What is neither settled nor in the hands of a person. */
function openWork({ shipments, items }: Books): string[] {
  return [
    ...shipments
      .filter((shipment) => IN_PROGRESS.has(shipment.process_status) && (!shipment.exhausted || shipment.healing))
      .map(({ id, process_status }) => `shipment ${id} ${process_status}`),
    ...items
      .filter(({ status }) => status === 'pending' || status === 'running')
      .map(({ id, kind, status }) => `item ${id}, ${kind}, ${status}`),
  ];
}

function disagreements(books: Books, shipment: Books['shipments'][number]): string[] {
  const attempts = books.attempts.filter(({ shipment_id }) => shipment_id === shipment.id);
  const isBooked = shipment.process_status === 'created' || shipment.process_status === 'transmitted';
  const creations = attempts.filter(({ operation }) => operation === 'create');
  const name = `shipment ${shipment.id}, ${shipment.process_status},`;
  return [
    ...attempts
      .filter(({ result }) => result === 'running')
      .map(({ operation }) => `${name} has a ${operation} running`),
    ...(isBooked && !creations.some(({ result }) => result === 'succeeded') ? [`${name} was never created`] : []),
    ...(isBooked && shipment.documents < shipment.parcel_count && shipment.warnings.length === 0
      ? [`${name} has ${shipment.documents} of ${shipment.parcel_count} labels stored`]
      : []),
    ...(!shipment.exhausted && !shipment.surplus && liveLabels(books, shipment) > shipment.parcel_count
      ? [`${name} has labels nobody knows of`]
      : []),
  ];
}

/** Lists live labels that were bought for another address than their order has. */
async function oldAddresses(world: World, { shipments, orders }: Books): Promise<string[]> {
  const live = new Map(
    shipments
      .filter(({ process_status: status }) => status === 'created' || status === 'transmitted')
      .map(({ id, order_id }) => [id, orders.find((order) => order.id === order_id)?.street ?? ''] as const)
      .filter(([, street]) => street.startsWith(CORRECTED)),
  );
  if (live.size === 0) return [];
  const sent = await readExchanges(world.test, [...live.keys()]);
  return sent
    .filter(
      ({ row, request }) => row.operation === 'AddParcel' && !request.includes(numberOf(live.get(row.shipmentId ?? 0))),
    )
    .map(({ row }) => `shipment ${row.shipmentId} has a label to another address than its order`);
}

/** The number alone: the request is a form, in which spaces look otherwise. */
function numberOf(street = ''): string {
  return street.slice(CORRECTED.length).trim();
}
