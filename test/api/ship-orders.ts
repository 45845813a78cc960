import { buildOrder } from '../support/build-order.ts';
import type { TestApp } from '../support/test-app.ts';

type Headers = Record<string, string>;

/** Creates one order and answers its id. */
export async function createOrder(
  test: TestApp,
  overrides: Record<string, unknown> = {},
  headers: Headers = {},
): Promise<number> {
  const created = await test.call('POST', '/orders', buildOrder(overrides), headers);
  if (created.status !== 201) throw new Error(`The order was refused: ${JSON.stringify(created.body)}`);
  return created.body.order.id as number;
}

/** The order as GET /orders/{id} shows it. */
// biome-ignore lint/suspicious/noExplicitAny: order detail is a free object in the contract
export async function readOrder(test: TestApp, orderId: number, headers: Headers = {}): Promise<any> {
  return (await test.call('GET', `/orders/${orderId}`, undefined, headers)).body;
}

/** Creates an order and books it; answers both ids. */
export async function bookOrder(
  test: TestApp,
  overrides: Record<string, unknown> = {},
  headers: Headers = {},
): Promise<{ orderId: number; shipmentId: number }> {
  const orderId = await createOrder(test, overrides, headers);
  const booked = await test.call('POST', '/shipment/create', [{ orderId }], headers);
  if (!booked.body.success) throw new Error(`The order was not booked: ${JSON.stringify(booked.body)}`);
  const detail = await readOrder(test, orderId, headers);
  return { orderId, shipmentId: detail.shipments[0].id };
}

/** Creates, books and transmits an order; answers both ids. */
export async function transmitOrder(
  test: TestApp,
  overrides: Record<string, unknown> = {},
  headers: Headers = {},
): Promise<{ orderId: number; shipmentId: number }> {
  const booked = await bookOrder(test, overrides, headers);
  const sent = await test.call('POST', '/shipment/transmit', [{ orderId: booked.orderId }], headers);
  if (!sent.body.success) throw new Error(`The order was not transmitted: ${JSON.stringify(sent.body)}`);
  return booked;
}
