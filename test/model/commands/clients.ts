import fc from 'fast-check';
import { CustomerAddress, Order, Shipment } from '../../../src/db/entities/index.ts';
import type { Deps } from '../../../src/engine/deps.ts';
import { cancelOrder, reopenOrder } from '../../../src/usecases/corrections/cancel-order.ts';
import { correctOrder } from '../../../src/usecases/corrections/correct-order.ts';
import { createManifest } from '../../../src/usecases/manifests/create-manifest.ts';
import { deleteManifest } from '../../../src/usecases/manifests/delete-manifest.ts';
import { requestCancel } from '../../../src/usecases/shipments/cancel-shipment.ts';
import { requestShipments } from '../../../src/usecases/shipments/request-shipments.ts';
import { requestTransmit } from '../../../src/usecases/shipments/request-transmit.ts';
import { database } from '../../usecases/engine.ts';
import { CORRECTED, readBooks } from '../books.ts';
import { dieAtWrite, revive } from '../deaths.ts';
import type { Model, World } from '../world.ts';
import { type Command, command, pickFrom } from './command.ts';
import { deciding } from './people.ts';

/** Which of the orders a request is about, by position. */
const some = fc.oneof(
  { weight: 2, arbitrary: fc.nat(2).map((position) => [position]) },
  fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 3 }),
);

const hasAsked = (model: Readonly<Model>): boolean => model.asked.size > 0;

function ordersAt(world: World, positions: readonly number[]): number[] {
  return [...new Set(positions.map((position) => position % world.orderIds.length))].map(
    (position) => world.orderIds[position] ?? 0,
  );
}

export function askForShipments(world: World, positions: readonly number[]): (deps: Deps) => Promise<unknown> {
  for (const position of positions) world.model.asked.add(position % world.orderIds.length);
  const requests = ordersAt(world, positions).map((orderId) => ({ orderId, contractId: null }));
  return (deps) => requestShipments(deps, { companyId: world.companyId, requestId: 'model', requests });
}

const askingForShipments = some.map((positions) =>
  command(
    `ask for shipments of ${positions}`,
    async (world) => void (await world.perform(askForShipments(world, positions))),
  ),
);

const askingTwiceAtOnce = some.map((positions) =>
  command(`ask twice at once for shipments of ${positions}`, async (world) => {
    await Promise.all([1, 2].map(() => world.perform(askForShipments(world, positions))));
  }),
);

const dyingWhileAsked = fc
  .tuple(some, fc.integer({ min: 1, max: 5 }))
  .map(([positions, writes]) =>
    command(`ask for shipments of ${positions} and die at write ${writes}`, (world) =>
      world.performUntilDeath(writes, askForShipments(world, positions)),
    ),
  );

const askingToTransmit = some.map((positions) =>
  command(
    `ask to transmit ${positions}`,
    async (world) => {
      const orderIds = ordersAt(world, positions);
      await world.perform((deps) =>
        requestTransmit(deps, { companyId: world.companyId, requestId: 'model', orderIds }),
      );
    },
    hasAsked,
  ),
);

async function askToCancel(world: World, position: number): Promise<void> {
  const orderId = world.orderIds[position % world.orderIds.length] ?? 0;
  const shipment = await database(world.test).findOne(Shipment, { orderId }, { orderBy: { id: 'desc' } });
  if (!shipment) return;
  const input = { companyId: world.companyId, requestId: 'model', shipmentId: shipment.id };
  await world.perform((deps) => requestCancel(deps, input));
}

async function putOnBordero(world: World, positions: readonly number[]): Promise<void> {
  const orderIds = ordersAt(world, positions);
  const input = { companyId: world.companyId, carrierId: world.test.carrierId, orderIds };
  await world.perform(async (deps) => world.model.borderos.push((await createManifest(deps, input)).id));
}

const askingToCancel = fc
  .nat(2)
  .map((position) => command(`ask to cancel ${position}`, (world) => askToCancel(world, position), hasAsked));

/** Every correction gives a street of its own, of one length, which no label of before can have. */
let corrections = 0;

async function askToCorrect(world: World, position: number): Promise<void> {
  const orderId = world.orderIds[position % world.orderIds.length] ?? 0;
  const em = database(world.test);
  const order = await em.findOneOrFail(Order, orderId);
  const address = await em.findOneOrFail(CustomerAddress, order.customerAddressId);
  corrections += 1;
  const { fullName, company, phone, address2, city, zip, countryCode, state: province } = address;
  const place = { fullName, company, phone, address2, city, zip, countryCode, province };
  const shipping = { ...place, address: `${CORRECTED} ${900_000 + corrections}` };
  await world.perform((deps) =>
    correctOrder(deps, {
      companyId: world.companyId,
      requestId: 'model',
      orderId,
      revision: order.revision,
      change: { shipping },
      changed: ['/shipping/address'],
      rebook: true,
    }),
  );
}

const correcting = fc
  .nat(2)
  .map((position) => command(`correct ${position}`, (world) => askToCorrect(world, position)));

const correctingBesideBooking = fc.nat(2).map((position) =>
  command(`correct ${position} while it is asked for`, async (world) => {
    await Promise.all([askToCorrect(world, position), world.perform(askForShipments(world, [position]))]);
  }),
);

const dyingWhileCorrecting = fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 6 })).map(([position, writes]) =>
  command(`correct ${position} and die at write ${writes}`, async (world) => {
    await dieAtWrite(world.test, writes);
    await askToCorrect(world, position).finally(() => revive(world.test));
  }),
);

const cancellingOrder = fc.nat(2).map((position) =>
  command(`cancel order ${position}, or reopen it`, async (world) => {
    const orderId = world.orderIds[position % world.orderIds.length] ?? 0;
    const input = { companyId: world.companyId, requestId: 'model', orderId };
    const { status } = await database(world.test).findOneOrFail(Order, orderId);
    await world.perform((deps) =>
      status === 'cancelled' ? reopenOrder(deps, input) : cancelOrder(deps, { ...input, reason: 'model' }),
    );
  }),
);

const puttingOnBordero = some.map((positions) =>
  command(`put ${positions} on a bordero`, (world) => putOnBordero(world, positions), hasAsked),
);

/** Of the same order, which must not end up both cancelled and with the driver. */
const cancellingBesideBordero = fc.nat(2).map((position) =>
  command(
    `ask to cancel ${position} while it is put on a bordero`,
    async (world) => {
      await Promise.all([askToCancel(world, position), putOnBordero(world, [position])]);
    },
    hasAsked,
  ),
);

const deletingBordero = fc.tuple(fc.nat(5), fc.boolean()).map(([pick, confirm]) =>
  command(
    `${confirm ? 'delete' : 'preview deleting'} bordero ${pick}`,
    async (world) => {
      const manifestId = pickFrom(world.model.borderos, pick) ?? 0;
      const before = await statuses(world);
      await world.perform((deps) => deleteManifest(deps, { companyId: world.companyId, manifestId, confirm }));
      if (!confirm && !world.isCrowded && (await statuses(world)) !== before)
        throw new Error('A preview changed something');
    },
    (model) => model.borderos.length > 0,
  ),
);

async function statuses(world: World): Promise<string> {
  const { orders, shipments, manifests } = await readBooks(world);
  return JSON.stringify({ orders, shipments, manifests });
}

/** What clients may ask at any time, also at the same moment as something else. */
export const calls: fc.Arbitrary<Command> = fc.oneof(
  { weight: 2, arbitrary: askingForShipments },
  { weight: 2, arbitrary: askingToTransmit },
  { weight: 2, arbitrary: askingToCancel },
  { weight: 2, arbitrary: puttingOnBordero },
  cancellingBesideBordero,
  deletingBordero,
  deciding,
  { weight: 2, arbitrary: correcting },
  correctingBesideBooking,
  cancellingOrder,
);
export const callsGoneWrong: fc.Arbitrary<Command> = fc.oneof(askingTwiceAtOnce, dyingWhileAsked, dyingWhileCorrecting);
