import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from '../app.ts';
import { requestImport } from '../usecases/marketplaces/import-orders.ts';
import { trackNow } from '../usecases/tracking/queue-tracking.ts';
import { askSandbox, readLedgers, type Scene, type Story } from './story.ts';

interface Tracking {
  shipment: { status: string; trackingNumber: string };
  trackingEvents: { date: string; time: string; label: string; description: string; location: string }[];
}

/** Takes one order from the shop to the delivery, through giacenza. Throws when a step has another result than expected. */
export async function tellStraight({ app, story, companyId, sandboxUrl, outputDir }: Scene): Promise<void> {
  const externalId = await buyInShop(sandboxUrl);
  await requestImport(app.deps, { connectionId: 1, companyId, marketplace: 'woocommerce', importedUntil: null });
  const order = await story.until('the import of the order', async () => {
    const found = await story.call<{ id: number; orderNumber: string; totalGrossAmount: string }[]>(
      'GET',
      `/orders?marketplaceOrderId=${externalId}`,
    );
    return found[0];
  });
  story.say(
    'A buyer ordered in the shop, and the order was imported',
    `order ${order.id}, shop number ${order.orderNumber}, EUR ${order.totalGrossAmount}`,
  );

  const [contract] = await story.call<{ id: number; label: string; carrier: { id: number } }[]>(
    'GET',
    '/carriers/contracts',
  );
  if (!contract) throw new Error('The demo company has no contract');
  const quote = await story.call<Record<string, string>>(
    'GET',
    `/shipment/quote?orderId=${order.id}&carrierCompanyId=${contract.id}`,
  );
  story.say(
    `The price with ${contract.label}`,
    `zone ${quote.zone_name}, ${quote.chargeable_weight} kg chargeable: EUR ${quote.total_price} + VAT = EUR ${quote.total_price_with_vat}`,
  );

  const address = await story.call<{ status: string; message: string; addresses: Record<string, string>[] }>(
    'POST',
    '/shipment/check-address',
    {
      carrierCompanyId: contract.id,
      provincia: 'MI',
      city: 'Milano',
      address: 'Via Torino, 5',
      zip: '20123',
    },
  );
  story.say(
    'The carrier checks the address',
    `${address.status}: ${address.message} Delivered by depot ${address.addresses[0]?.Sede} in ${address.addresses[0]?.TempoDiResa} hours`,
  );

  const created = await story.call<{ success: boolean; message: string }>('POST', '/shipment/create', [
    { orderId: order.id },
  ]);
  if (!created.success) throw new Error(created.message);
  const shipment = await shipmentOf(story, order.id);
  const label = Buffer.from(await (await story.raw('GET', `/shipment/${shipment.id}/label`)).arrayBuffer());
  writeFileSync(path.join(outputDir, 'label.pdf'), label);
  story.say(
    'The shipment is booked and its label printed',
    `${created.message}; tracking number ${shipment.trackingNumber}`,
    `${path.join(outputDir, 'label.pdf')}, ${label.length} bytes`,
  );

  const again = await story.call<{ message: string }>('POST', '/shipment/create', [{ orderId: order.id }]);
  story.say(
    'A second click changes nothing',
    `${again.message}; still one label: ${(await shipmentOf(story, order.id)).trackingNumber}`,
  );

  const transmitted = await story.call<{ message: string }>('POST', '/shipment/transmit', [{ orderId: order.id }]);
  story.say('The shipment is confirmed to the carrier', transmitted.message);

  const manifest = await story.call<{ manifestId: number; manifestNumber: string; totalShipments: number }>(
    'POST',
    '/bordero',
    {
      carrierId: contract.carrier.id,
      orderIds: [order.id],
    },
  );
  const bordero = Buffer.from(await (await story.raw('GET', `/bordero/${manifest.manifestId}/pdf`)).arrayBuffer());
  writeFileSync(path.join(outputDir, 'bordero.pdf'), bordero);
  story.say(
    'It is on a bordero for the driver to sign',
    `${manifest.manifestNumber}, ${manifest.totalShipments} shipment`,
    `${path.join(outputDir, 'bordero.pdf')}, ${bordero.length} bytes`,
  );

  await moveTo(app, story, { shipmentId: shipment.id, hours: 30, status: 'out_for_delivery' });
  await moveTo(app, story, { shipmentId: shipment.id, hours: 30, status: 'held' });
  const released = await story.call<{ success: boolean; message: string; blockingError: string | null }>(
    'POST',
    `/shipment/${shipment.id}/release-held`,
    { action: 'REDISPATCH_SAME_ADDRESS' },
  );
  if (!released.success) throw new Error(released.blockingError ?? released.message);
  story.say('The sender decides: deliver again to the same address', released.message);
  await moveTo(app, story, { shipmentId: shipment.id, hours: 40, status: 'delivered' });

  const sent = await story.call<Record<string, string>>('POST', `/orders/${order.id}/send-to-marketplace`);
  if (sent.Result !== 'OK') throw new Error(sent.ErrorMessage);
  const repeated = await story.call<Record<string, string>>('POST', `/orders/${order.id}/send-to-marketplace`);
  story.say(
    'The shop gets the tracking number; a repeat writes nothing',
    `${sent.Result}, ${sent.MarketplacePlatform} order ${sent.OrderID}, transaction ${sent.TransactionID}`,
    `${repeated.Result}, transaction ${repeated.TransactionID}`,
  );
  await compareBooks(story, sandboxUrl, { shipment, orderNumber: order.orderNumber });
}

/** Places a shop order with an address that makes the simulated carrier hold the parcel. */
async function buyInShop(sandboxUrl: string): Promise<number> {
  const person = {
    first_name: 'Giulia',
    last_name: 'Esempio',
    address_1: 'Via Torino, 5 GIACENZA',
    city: 'Milano',
    state: 'MI',
    postcode: '20123',
    country: 'IT',
    phone: '0200000000',
    email: 'giulia@example.com',
  };
  const made = await askSandbox<{ id: number }>(`${sandboxUrl}/woocommerce/_seed/orders`, {
    status: 'processing',
    // In the past, because a shop answers windows in whole seconds.
    date_modified_gmt: new Date(Date.now() - 60_000).toISOString().slice(0, 19),
    billing: person,
    shipping: person,
    total: '38.80',
    shipping_total: '5.90',
    line_items: [{ name: 'Tazza in ceramica', sku: 'MUG-01', quantity: 2, total: '32.90', total_tax: '0.00' }],
  });
  return made.id;
}

async function shipmentOf(
  story: Story,
  orderId: number,
): Promise<{ id: number; trackingNumber: string; reference: string }> {
  const detail = await story.call<{ shipments: { id: number; trackingNumber: string; reference: string }[] }>(
    'GET',
    `/orders/${orderId}`,
  );
  const [shipment] = detail.shipments;
  if (!shipment) throw new Error('The order has no shipment');
  return shipment;
}

/** Advances the sandbox's clock, polls, and waits until the parcel has the status. */
async function moveTo(
  app: App,
  story: Story,
  move: { shipmentId: number; hours: number; status: string },
): Promise<void> {
  await askSandbox(`${app.sandboxUrl}/_control/clock`, { advanceHours: move.hours });
  await trackNow(app.deps, [move.shipmentId]);
  const tracking = await story.until(`status ${move.status}`, async () => {
    const seen = await story.call<Tracking>('GET', `/shipment/${move.shipmentId}/tracking`);
    return seen.shipment.status === move.status && seen;
  });
  const [latest] = tracking.trackingEvents;
  story.say(
    `${move.hours} hours later: ${latest?.label}`,
    ...tracking.trackingEvents
      .slice(0, 4)
      .map((event) => `${event.date} ${event.time}  ${event.label}: ${event.description} ${event.location}`),
  );
}

/** Checks the told results against the partners' own ledgers. */
async function compareBooks(
  story: Story,
  sandboxUrl: string,
  told: { shipment: { reference: string }; orderNumber: string },
): Promise<void> {
  const ledger = await readLedgers(sandboxUrl);
  const parcel = ledger['gls-it']?.find((entry) => entry.reference === told.shipment.reference);
  const sale = ledger.woocommerce?.find((entry) => entry.reference === told.orderNumber);
  const isTrue = parcel?.labelsSold === 1 && parcel.confirmed === 1 && parcel.released === 1 && sale?.confirmed === 1;
  story.say(
    "The partners' ledgers agree",
    `carrier: ${parcel?.labelsSold} label sold, ${parcel?.confirmed} confirmed, ${parcel?.released} released`,
    `shop: ${sale?.confirmed} shipment confirmed`,
  );
  if (!isTrue) throw new Error("The partners' ledgers differ from the API's answers");
}
