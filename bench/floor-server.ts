/** The floor of the api: Express, the same zod schema, and the same rows by one prepared statement. It shows what the machine allows. */
import type { AddressInfo } from 'node:net';
import type { Queue } from 'bullmq';
import express from 'express';
import pg from 'pg';
import type { z } from 'zod';
import { OrderBody } from '../src/api/routes/orders/order-fields.ts';
import { createFloor } from './floor.ts';
import { openFloorQueue } from './floor-queue.ts';

const floor = createFloor(process.env.DATABASE_URL ?? '', {
  companyId: Number(process.env.COMPANY_ID),
  connections: 10,
});
const app = express();
app.disable('x-powered-by');
app.use(express.json());
app.post('/orders', (request, response, next) => {
  const parsed = OrderBody.safeParse(request.body);
  if (!parsed.success) return void response.status(400).json(parsed.error.issues);
  floor.createOrder(parsed.data as z.infer<typeof OrderBody>).then((rows) => response.status(201).json(rows), next);
});
app.get('/orders/:id', (request, response, next) => {
  floor.readOrder(Number(request.params.id)).then((row) => response.json(row), next);
});
app.get('/shipment/:id/tracking', (request, response, next) => {
  floor.readTracking(Number(request.params.id)).then((row) => response.json(row), next);
});
const waiting = new Map<number, () => void>();
let queue: Queue | undefined;
app.post('/contracts/:contract/orders/:id/ship', async (request, response) => {
  queue ??= await openQueue();
  const opened = await floor.openBooking(Number(request.params.id), Number(request.params.contract));
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.set(opened.operationId, resolve);
  await queue.add('book', { shipmentId: opened.shipmentId }, { removeOnComplete: true });
  await promise;
  response.json({ result: 'OK', details: { success: [request.params.id], errors: [] } });
});

/** Opens the queue, and hears of settled operations. */
async function openQueue(): Promise<Queue> {
  const listener = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await listener.connect();
  listener.on('notification', ({ payload }) => {
    waiting.get(Number(payload))?.();
    waiting.delete(Number(payload));
  });
  await listener.query('listen smista_operation');
  const classes = openFloorQueue();
  return new classes.Queue('floor', { connection: classes.connection });
}

const server = app.listen(0, '127.0.0.1', () => {
  console.log(`The floor is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on('SIGTERM', () => process.exit(0));
