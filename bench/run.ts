/** `npm run bench`: how fast the product is, beside what the bare driver does in the same run; `-- carriers`: what adapters cost; `-- import`: orders from a shop; `-- quotes`: prices; `-- tracking`: a million parcels. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { VERSION } from '../src/config.ts';
import { buildOrder } from '../test/support/build-order.ts';
import { benchCarriers, carriersReport } from './carriers.ts';
import { createFloor, type Floor } from './floor.ts';
import { benchImport, importReport } from './import.ts';
import { closedLoop, type Measured, percentiles } from './measure.ts';
import { benchQuotes, quotesReport } from './quotes.ts';
import { type Service, startService } from './service.ts';
import { benchTracking, trackingReport } from './tracking.ts';

const CLIENTS = 16;
const SECONDS = 4;
const BATCH = 1000;
const CARRIER_CONCURRENCY = 10;

const ORDER = JSON.stringify(
  buildOrder({
    items: [
      { sku: 'MUG-01', name: 'Tazza in ceramica', quantity: 1, price: 12.5 },
      { sku: 'OIL-05', name: "Olio d'oliva 5 l", quantity: 1, price: 12.5 },
    ],
  }),
);

interface Case {
  ours: Measured;
  floor: Measured;
}

const agent = new Agent({ connections: CLIENTS, pipelining: 1 });

/** A call of the api that must succeed. */
async function api(service: Service, method: 'GET' | 'POST', path: string, body?: string): Promise<unknown> {
  const answer = await request(`${service.demo.baseUrl}/api/v1/external${path}`, {
    dispatcher: agent,
    method,
    headers: { 'x-api-key': service.demo.apiKey, 'content-type': 'application/json', prefer: 'respond-async' },
    ...(body === undefined ? {} : { body }),
  });
  const json = await answer.body.json();
  if (answer.statusCode >= 400) throw new Error(`${method} ${path} answered ${answer.statusCode}`);
  return { status: answer.statusCode, json, location: answer.headers.location };
}

async function compare(
  name: string,
  ours: (index: number) => Promise<unknown>,
  floor: (index: number) => Promise<unknown>,
): Promise<Case> {
  process.stdout.write(`${name} …\n`);
  const loop = { clients: CLIENTS, seconds: SECONDS };
  return {
    ours: await closedLoop(name, loop, async (index) => void (await ours(index))),
    floor: await closedLoop(`${name}, bare pg`, loop, async (index) => void (await floor(index))),
  };
}

/** 1,000 orders booked with the pretend carrier, beside the same carrier calls and two statements each. */
async function createBatch(service: Service, floor: Floor): Promise<{ batch: Case; acceptedMs: number }> {
  process.stdout.write(`create ${BATCH} shipments …\n`);
  const orderIds: number[] = [];
  for (let at = 0; at < BATCH; at++) {
    const { json } = (await api(service, 'POST', '/orders', ORDER)) as { json: { order: { id: number } } };
    orderIds.push(json.order.id);
  }
  const started = performance.now();
  const accepted = (await api(
    service,
    'POST',
    '/shipment/create',
    JSON.stringify(orderIds.map((orderId) => ({ orderId }))),
  )) as { location: string };
  const acceptedMs = performance.now() - started;
  for (;;) {
    const { status, json } = (await api(service, 'GET', accepted.location.replace('/api/v1/external', ''))) as {
      status: number;
      json: { details: { success: number[] } };
    };
    if (status === 200) {
      if (json.details.success.length !== BATCH) throw new Error('Not every shipment was created');
      break;
    }
    await delay(50);
  }
  const ms = performance.now() - started;
  const each = { p50Ms: ms / BATCH, p99Ms: ms / BATCH };
  const ours = { name: `create ${BATCH} shipments`, perSecond: (BATCH / ms) * 1000, ...each };
  return { batch: { ours, floor: await bareBatch(service, floor) }, acceptedMs };
}

async function bareBatch(service: Service, floor: Floor): Promise<Measured> {
  let next = 0;
  const durations: number[] = [];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: CARRIER_CONCURRENCY }, async () => {
      while (next < BATCH) {
        const at = next++;
        const begun = performance.now();
        await addParcel(service, at);
        await floor.claimAndSettle(at + 1);
        durations.push(performance.now() - begun);
      }
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  return { name: 'bare calls and statements', perSecond: BATCH / seconds, ...percentiles(durations) };
}

async function addParcel(service: Service, at: number): Promise<void> {
  const xml = `<Info><SedeGls>YA</SedeGls><CodiceClienteGls>999901</CodiceClienteGls><PasswordClienteGls>sandbox</PasswordClienteGls><Parcel><CodiceContrattoGls>0001</CodiceContrattoGls><RagioneSociale>Chiara Prova</RagioneSociale><Indirizzo>Via Torino, 5</Indirizzo><Localita>Milano</Localita><Zipcode>20123</Zipcode><Provincia>MI</Provincia><Bda>BENCH${at}</Bda><Colli>1</Colli><PesoReale>1,0</PesoReale><TipoPorto>F</TipoPorto><TipoCollo>0</TipoCollo><GeneraPdf>4</GeneraPdf><ContatoreProgressivo>${900_000_000 + at}</ContatoreProgressivo></Parcel></Info>`;
  const answer = await request(`${service.demo.sandboxUrl}/gls-it/ilswebservice.asmx/AddParcel`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ XMLInfoParcel: xml }).toString(),
  });
  const text = await answer.body.text();
  if (!text.includes('PdfLabel')) throw new Error(`The pretend carrier sold nothing: ${text.slice(0, 200)}`);
}

function report(cases: readonly Case[], facts: Record<string, string>): string {
  const rows = cases.map(({ ours, floor }) => {
    const ratio = ((100 * ours.perSecond) / floor.perSecond).toFixed(0);
    const figures = [ours.perSecond, ours.p50Ms, ours.p99Ms, floor.perSecond].map((value) => value.toFixed(1));
    return `| ${ours.name} | ${figures.join(' | ')} | ${ratio} % |`;
  });
  return [
    '# Results',
    '',
    ...Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`),
    '',
    '| Case | per second | p50 ms | p99 ms | floor per second | ratio |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    'The floor is the same rows through the bare `pg` driver with prepared statements, in the same run and on the same database;',
    'for the booking of shipments, the same calls to the pretend carrier and two statements each.',
    'The pretend carrier draws a real PDF label in the process that is measured, in both columns.',
    '',
  ].join('\n');
}

if (process.argv[2] === 'carriers') {
  console.log(`\n${carriersReport(await benchCarriers())}`);
  process.exit(0);
}

if (process.argv[2] === 'quotes') {
  console.log(`\n${quotesReport(await benchQuotes())}`);
  process.exit(0);
}

if (process.argv[2] === 'tracking') {
  console.log(`\n${trackingReport(await benchTracking())}`);
  process.exit(0);
}

if (process.argv[2] === 'import') {
  console.log(`\n${importReport(await benchImport())}`);
  process.exit(0);
}

const service = await startService();
try {
  await delay(3000);
  const idleMb = service.rssMb();
  const floor = createFloor(service.databaseUrl, { companyId: service.demo.companyId, clients: CLIENTS });
  const { batch, acceptedMs } = await createBatch(service, floor);
  const [order] = ((await api(service, 'GET', '/orders?status=shipment_created&limit=1')) as { json: { id: number }[] })
    .json;
  const orderId = order?.id ?? 0;
  const detail = (await api(service, 'GET', `/orders/${orderId}`)) as { json: { shipments: { id: number }[] } };
  const shipmentId = detail.json.shipments[0]?.id ?? 0;
  const cases = [
    await compare(
      'POST /orders, 2 items',
      () => api(service, 'POST', '/orders', ORDER),
      () => floor.createOrder(),
    ),
    await compare(
      'GET /orders/{id}',
      () => api(service, 'GET', `/orders/${orderId}`),
      () => floor.readOrder(orderId),
    ),
    await compare(
      'GET /shipment/{id}/tracking',
      () => api(service, 'GET', `/shipment/${shipmentId}/tracking`),
      () => floor.readTracking(shipmentId),
    ),
    batch,
  ];
  const text = report(cases, {
    date: new Date().toISOString().slice(0, 10),
    version: `smista ${VERSION}, Node ${process.version}, PostgreSQL 18 embedded with fsync, queue in PostgreSQL`,
    machine: `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${execFileSync('uname', ['-sr']).toString().trim()}`,
    load: `${CLIENTS} clients in a closed loop, median of three rounds of ${SECONDS} s`,
    'ready, warm data directory': `${Math.round(service.startMs)} ms`,
    'idle memory': `${idleMb.toFixed(0)} MiB, after the run ${service.rssMb().toFixed(0)} MiB`,
    [`${BATCH} orders with respond-async accepted in`]: `${Math.round(acceptedMs)} ms`,
  });
  await floor.close();
  writeFileSync('bench/RESULTS.md', text);
  console.log(`\n${text}`);
} finally {
  await agent.close();
  await service.stop();
}
