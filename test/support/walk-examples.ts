import { type Example, laterPickups, STORY } from '../../src/api/openapi/story.ts';
import type { App } from '../../src/app.ts';
import { queueDueEvents } from '../../src/usecases/events/queue-due-events.ts';
import { importOrders } from '../../src/usecases/marketplaces/import-orders.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { exportCompanies } from '../../src/usecases/setup/export-companies.ts';
import { trackNow } from '../../src/usecases/tracking/queue-tracking.ts';

export interface ExampleAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each route answers something else
  body: any;
}

/** A fresh demo: three orders in its shop, nothing imported yet, few and short retries. */
export interface ExampleWorld {
  app: App;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ExampleAnswer>;
  until(read: () => Promise<ExampleAnswer>, wanted: (answer: ExampleAnswer) => boolean): Promise<ExampleAnswer>;
  /** Tells the sandbox, such as `clock` or `faults`. */
  control(what: string, body: object): Promise<unknown>;
  /** Port of a pretend printer on this machine. */
  printerPort: number;
  /** Whether events are delivered here. */
  hasEvents: boolean;
}

const HELD_SHIPMENTS = [3, 4, 5];

/** Makes every request of the story in its order. */
export async function walkExamples(
  world: ExampleWorld,
  seen: (example: Example, answer: ExampleAnswer) => void,
): Promise<void> {
  for (const example of STORY) {
    if (example.after) await PREPARATIONS[example.after](world);
    const [method = '', path = ''] = example.of.split(' ');
    const answer = await world.call(
      method,
      await urlOf(world, path, example),
      example.upload?.text ?? (example.body && JSON.parse(laterPickups(JSON.stringify(example.body), new Date()))),
      {
        ...(example.upload ? { 'content-type': example.upload.type } : {}),
        ...(example.isAsync ? { prefer: 'respond-async' } : {}),
      },
    );
    seen(example, answer);
    const location = answer.headers.get('location');
    if (answer.status !== 202 || location === null) continue;
    const operation = location.replace('/api/v1/external', '');
    const early = await world.call('GET', operation);
    if (example.of === 'POST /shipment/create') seen({ of: 'GET /operations/{id}', isAsync: true, status: 202 }, early);
    await world.until(
      () => world.call('GET', operation),
      ({ status }) => status !== 202,
    );
  }
}

/** A document is opened by the link that its list gives. */
async function urlOf(world: ExampleWorld, path: string, { params = {}, query = {} }: Example): Promise<string> {
  if (path === '/documents/{id}') {
    const [document] = (await world.call('GET', '/shipment/1/documents')).body;
    return String(document.url).replace(/^.*\/api\/v1\/external/, '');
  }
  const given = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(params[name]));
  return given.size === 0 ? filled : `${filled}?${given}`;
}

const PREPARATIONS: Record<NonNullable<Example['after']>, (world: ExampleWorld) => Promise<void>> = {
  'shop-imported': async ({ app }) => {
    const { signal } = new AbortController();
    await importOrders(app.deps, {
      connectionId: 1,
      requestId: 'examples',
      signal,
      isLastTry: true,
      endTurn: () => undefined,
    });
  },
  'booking-exhausted': async (world) => {
    const known = (await world.call('GET', '/attention')).body.length;
    const { body } = await world.call('POST', '/orders', STORY.find(({ name }) => name === 'plain')?.body);
    await world.control('faults', { partner: 'gls-it', operation: 'AddParcel', fault: 'status-503', times: 3 });
    await world.call('POST', '/shipment/create', [{ orderId: body.order.id }]);
    await world.until(
      () => world.call('GET', '/attention'),
      (answer) => answer.body.length > known,
    );
  },
  'parcels-held': async (world) => {
    await world.control('clock', { advanceHours: 60 });
    await trackNow(world.app.deps, HELD_SHIPMENTS);
    await world.until(
      () => world.call('GET', '/shipments/held?status=open'),
      (answer) => answer.body.length === HELD_SHIPMENTS.length,
    );
  },
  'printer-declared': async ({ app, printerPort }) => {
    const address = `socket://127.0.0.1:${printerPort}`;
    const laser = { key: 'laser', name: 'Laser banco 1', address, format: 'pdf', stations: ['Banco 1'] };
    const [company] = (await exportCompanies(app.deps, 'demo')).companies;
    const companies = [{ key: 'demo', name: company?.name, printers: [laser] }];
    await apply(app.deps, ApplyDocument.parse({ companies }));
    await app.workers?.refresh();
  },
  'event-tried': async (world) => {
    if (!world.hasEvents) return;
    await world.call('POST', '/orders', STORY.find(({ name }) => name === 'plain')?.body);
    await queueDueEvents(world.app.deps);
    await world.until(
      () => world.call('GET', '/event-endpoints/1/deliveries'),
      (answer) => answer.body.length > 0,
    );
  },
};
