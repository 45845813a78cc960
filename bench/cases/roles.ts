/** Measures the memory of each role after its start and after work, and the disk space of an order. */
import { rssMb } from '../measure.ts';
import { digits, type Options, type Section, tableOf } from '../section.ts';
import { openWorld, type World } from '../world.ts';
import { askForShipments, BATCH, seedOrders, settled } from './create.ts';

const ROLES = ['api', 'worker', 'scheduler'] as const;
const BATCHES = 10;

export async function benchRoles({ progress }: Options): Promise<Section> {
  await using world = await openWorld({ queue: 'redis', isProfiled: false });
  const api = await world.startRole('api');
  const processes = { api, worker: await world.startRole('worker'), scheduler: await world.startRole('scheduler') };
  const memory = () => ROLES.map((role) => rssMb(processes[role].pid));
  const [started, empty] = [memory(), await databaseBytes(world)];
  for (let at = 0; at < BATCHES; at++) {
    progress('labels', at / BATCHES);
    const orderIds = await seedOrders(world);
    const { operationId } = await askForShipments(world, api, orderIds);
    await settled(world, operationId);
  }
  const [worked, full] = [memory(), await databaseBytes(world)];
  const labels = BATCHES * BATCH;
  const rows = ROLES.map((role, at) => ({ role, startedMb: started[at] ?? 0, workedMb: worked[at] ?? 0 }));
  const bytes = (full - empty) / labels;
  return {
    title: 'Roles',
    table: tableOf(
      ['Case', 'after its start', 'after work'],
      [
        ...rows.map(({ role, startedMb, workedMb }) => [`MiB of ${role}`, digits(startedMb, 0), digits(workedMb, 0)]),
        ['KiB in the database per order with its label', '–', digits(bytes / 1024, 1)],
      ],
    ),
    notes: [
      `Memory in use (RSS) of one process of each role, queue in Redis, before and after ${labels} labels were booked.`,
      'In the database: order, shipment, attempt, exchange, operation item, events and a label in ZPL, with their indexes. Tracking events and labels in PDF come on top.',
    ],
    ratios: [],
    data: { labels, rows, bytesPerOrder: bytes },
  };
}

async function databaseBytes(world: World): Promise<number> {
  await using connection = await world.connect();
  const [row] = await connection.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes', []);
  return Number(row?.bytes);
}
