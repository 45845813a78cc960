import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { requestImport } from '../usecases/marketplaces/import-orders.ts';
import { apply } from '../usecases/setup/apply.ts';
import { ApplyDocument } from '../usecases/setup/apply-document.ts';
import { askSandbox, type LedgerEntry, readLedgers, type Scene, type Story } from './story.ts';

interface OrderView {
  order: { id: number; status: string };
  orderItems: { id: number; quantity: number }[];
  shipments: { id: number; reference: string; trackingNumber: string | null; status: string }[];
  parts: { id: number }[];
  joinedOrderIds: number[];
  correction: { applied: string };
}

interface Booked {
  message: string;
  details: {
    errors: { message: string }[];
    shipments: { trackingNumber: string; shipmentId: number }[];
  };
}

/**
 * Takes orders through the days that go wrong: a wrong address, a part that leaves later, two orders of one buyer, a late
 * regret. Throws when a step has another result than expected.
 */
export async function tellMessy(scene: Scene): Promise<void> {
  const wrong = await correctAddress(scene);
  const divided = await splitInTwo(scene);
  const joined = await joinTwo(scene);
  const regretted = await cancelInTime(scene);
  await findAll(scene, [
    { q: 'Guidomi', orderIds: [wrong] },
    { q: 'Ludovica Sartoreli', orderIds: [divided] },
    { q: 'Ferrantte', orderIds: joined },
    { q: 'Birardi', orderIds: [regretted] },
  ]);
}

async function correctAddress({ story, sandboxUrl, outputDir }: Scene): Promise<number> {
  const id = await createOrder(story, 'Marta Guidoni', { zip: '00000', address: 'Via Torino, 5' });
  const booked = await ship(story, [{ orderId: id }]);
  const [unrouted] = booked.details.shipments;
  const { warnings } = await story.call<{ warnings: string[] }>('GET', `/shipment/${unrouted?.shipmentId}`);
  must(warnings.length > 0, 'the carrier has a route to a postal code that does not exist');
  story.say('The carrier has no route to the address', `order ${id}, ${unrouted?.trackingNumber}: ${warnings[0]}`);

  const moved = await story.call<OrderView>('PATCH', `/orders/${id}?rebook=true`, {
    shipping: { zip: '20123', address: 'Via Torino, 51' },
  });
  must(moved.correction.applied === 'rebooked', 'the label was not replaced');
  const entries = await labelsOf(sandboxUrl, moved);
  const [live] = entries.filter(({ labelsSold }) => labelsSold > 0);
  must(entries.reduce((sum, { labelsSold }) => sum + labelsSold, 0) === 1, 'the order has not one live label');
  must(live?.liveAddresses?.[0]?.includes('51') ?? false, 'the live label goes to the old address');
  const shipment = moved.shipments.find(({ reference }) => reference === live?.reference);
  const label = await story.raw('GET', `/shipment/${shipment?.id}/label`);
  const file = path.join(outputDir, 'corrected-label.pdf');
  writeFileSync(file, Buffer.from(await label.arrayBuffer()));
  story.say(
    'A person asks the buyer and corrects the address: one call cancels the label and buys another',
    `the carrier has one live label, to ${live?.liveAddresses?.[0]}`,
    file,
  );
  return id;
}

async function splitInTwo(scene: Scene): Promise<number> {
  const { app, story, sandboxUrl } = scene;
  const connectionId = await connectShopify(scene);
  const address = { name: 'Ludovica Sartorelli', ...SHOPIFY_HOME };
  const { id: externalId, name } = await askSandbox<{ id: number; name: string }>(
    `${sandboxUrl}/shopify/_seed/orders`,
    {
      email: 'ludovica@example.com',
      billingAddress: address,
      shippingAddress: address,
      lineItems: [{ name: 'Tazza in ceramica', sku: 'MUG-01', quantity: 3, unitPrice: '12.50' }],
    },
  );
  await requestImport(app.deps, {
    connectionId,
    companyId: scene.companyId,
    marketplace: 'shopify',
    importedUntil: null,
  });
  const { id } = await story.until('the import of the order', async () => {
    const found = await story.call<{ id: number }[]>('GET', `/orders?marketplaceOrderId=${externalId}`);
    return found[0];
  });
  const { orderItems } = await story.call<OrderView>('GET', `/orders/${id}`);
  const split = await story.call<OrderView>('POST', `/orders/${id}/split`, {
    parts: [{ lines: [{ itemId: orderItems[0]?.id, quantity: 2 }] }],
  });
  const contracts = await story.call<{ id: number; label: string }[]>('GET', '/carriers/contracts');
  const numbers: string[] = [];
  for (const [at, { id: partId }] of split.parts.entries()) {
    const contract = contracts[at];
    const booked = await ship(story, [{ orderId: id, partId, carrierCompanyId: contract?.id }]);
    numbers.push(`${contract?.label}: ${booked.details.shipments[0]?.trackingNumber}`);
  }
  story.say(
    `One of three pieces of Shopify's order ${name} is not there yet: the order leaves in two parts`,
    ...numbers,
  );

  await story.call('POST', '/shipment/transmit', [{ orderId: id }]);
  const sent = await story.call<Record<string, string>>('POST', `/orders/${id}/send-to-marketplace`);
  must(sent.Result === 'OK', `the shop was not told: ${sent.ErrorMessage}`);
  const shop = (await readLedgers(sandboxUrl)).shopify?.find((entry) => entry.reference === name);
  must(shop?.trackingNumbers.length === 2, `Shopify has ${shop?.trackingNumbers.length} numbers of two`);
  story.say('Shopify has a fulfilment of each part', ...(shop?.trackingNumbers ?? []));
  return id;
}

async function joinTwo({ story, sandboxUrl }: Scene): Promise<number[]> {
  const first = await createOrder(story, 'Paolo Ferrante');
  const second = await createOrder(story, 'PAOLO FERRANTE');
  await story.call('POST', '/orders/join', { orderIds: [first, second] });
  await ship(story, [{ orderId: first }, { orderId: second }]);
  const views = await Promise.all([first, second].map((id) => story.call<OrderView>('GET', `/orders/${id}`)));
  const numbers = new Set(views.map(({ shipments }) => shipments[0]?.trackingNumber));
  const entries = await labelsOf(sandboxUrl, views[0]);
  must(numbers.size === 1 && entries.length === 1, 'two joined orders have not one shipment');
  story.say('A buyer ordered twice: both orders travel in one shipment', `${first} and ${second}: ${[...numbers][0]}`);
  return [first, second];
}

/** The carrier thinks for a while, so that the cancellation meets the purchase. */
async function cancelInTime({ story, sandboxUrl }: Scene): Promise<number> {
  const id = await createOrder(story, 'Irene Berardi');
  await askSandbox(`${sandboxUrl}/_control/faults`, {
    partner: 'gls-it',
    operation: 'AddParcel',
    fault: 'delay',
    delayMs: 1500,
    times: 1,
  });
  await story.ask('POST', '/shipment/create', [{ orderId: id }], { prefer: 'respond-async' });
  await story.until('the purchase of the label', async () => {
    const { shipments } = await story.call<OrderView>('GET', `/orders/${id}`);
    return shipments[0]?.status === 'submitting';
  });
  const early = await story.ask('POST', `/orders/${id}/cancel`, { reason: 'The buyer has changed her mind' });
  const refusal = (await early.json()) as { detail?: string };
  must(early.status === 409, 'an order was cancelled while its label was being bought');
  await story.until('the cancellation', async () => {
    const answer = await story.ask('POST', `/orders/${id}/cancel`, { reason: 'The buyer has changed her mind' });
    return answer.status === 200;
  });
  const view = await story.call<OrderView>('GET', `/orders/${id}`);
  const live = (await labelsOf(sandboxUrl, view)).reduce((sum, { labelsSold }) => sum + labelsSold, 0);
  must(view.order.status === 'cancelled' && live === 0, 'the cancelled order has a live label');
  story.say(
    'An order is cancelled while its label is being bought',
    `at first: ${refusal.detail}`,
    'then: the order is cancelled, and so is the label at the carrier',
  );
  return id;
}

async function findAll({ story }: Scene, wanted: readonly { q: string; orderIds: readonly number[] }[]): Promise<void> {
  const found: string[] = [];
  for (const { q, orderIds } of wanted) {
    const hits = await story.call<{ orderId: number; status: string }[]>('GET', `/search?q=${encodeURIComponent(q)}`);
    const best = hits.slice(0, orderIds.length);
    must(
      best.length === orderIds.length && best.every((hit) => orderIds.includes(hit.orderId)),
      `"${q}" does not find ${orderIds.join(' and ')} first`,
    );
    found.push(`"${q}": ${best.map((hit) => `order ${hit.orderId}, ${hit.status}`).join('; ')}`);
  }
  story.say('Each is found by a name with a typing error', ...found);
}

async function createOrder(
  story: Story,
  fullName: string,
  place: { zip?: string; address?: string } = {},
): Promise<number> {
  const made = await story.call<{ order: { id: number } }>('POST', '/orders', {
    customer: { full_name: fullName, email: 'buyer@example.com', phone: '0200000000' },
    billing: { address: 'Via Torino, 5', city: 'Milano', province: 'MI', zip: '20123', country_code: 'IT' },
    shipping: {
      full_name: fullName,
      address: 'Via Torino, 5',
      city: 'Milano',
      province: 'MI',
      zip: '20123',
      country_code: 'IT',
      phone: '0200000000',
      ...place,
    },
    items: [{ sku: 'MUG-01', name: 'Tazza in ceramica', quantity: 2, price: 12.5 }],
    shipping_cost: 5.9,
    insurance: false,
    payment_method: 'PREPAID',
  });
  return made.order.id;
}

const SHOPIFY_HOME = {
  address1: 'Via Torino 5',
  city: 'Milano',
  zip: '20123',
  province: 'Milano',
  provinceCode: 'MI',
  countryCodeV2: 'IT',
  phone: '+39 02 00000000',
};

async function connectShopify({ app, story, sandboxUrl }: Scene): Promise<number> {
  const connection = {
    key: 'shopify',
    label: 'Shopify',
    marketplace: 'shopify',
    account: { shop: 'bottega.myshopify.com', accessToken: 'shpat_sandbox', baseUrl: `${sandboxUrl}/shopify` },
    import_orders: true,
  };
  const company = { key: 'demo', name: 'Bottega Aurora S.r.l.', connections: [connection] };
  await apply(app.deps, ApplyDocument.parse({ companies: [company] }));
  await app.workers?.refresh();
  const connected = await story.call<{ id: number; marketplace: { code: string } }[]>('GET', '/marketplace/connected');
  return connected.find(({ marketplace }) => marketplace.code === 'shopify')?.id ?? 0;
}

function ship(story: Story, elements: readonly Record<string, unknown>[]): Promise<Booked> {
  return story.call('POST', '/shipment/create', elements);
}

async function labelsOf(sandboxUrl: string, view: OrderView | undefined): Promise<LedgerEntry[]> {
  const references = new Set(view?.shipments.map(({ reference }) => reference));
  return Object.values(await readLedgers(sandboxUrl))
    .flat()
    .filter(({ reference }) => references.has(reference));
}

function must(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new Error(`The demo failed: ${otherwise}`);
}
