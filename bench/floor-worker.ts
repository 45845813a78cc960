/**
 * The floor of a worker: a bare BullMQ worker with the same call to the simulated carrier and the same rows. It shows what the
 * machine allows.
 */
import { Agent, request } from 'undici';
import { createFloor } from './floor.ts';
import { openFloorQueue } from './floor-queue.ts';

const { DATABASE_URL = '', COMPANY_ID, CARRIER_URL = '', CONCURRENCY = '10' } = process.env;
const concurrency = Number(CONCURRENCY);
const floor = createFloor(DATABASE_URL, { companyId: Number(COMPANY_ID), connections: 10 });
const agent = new Agent({ connections: concurrency });

async function book(shipmentId: number): Promise<void> {
  const rows = (await floor.readBooking(shipmentId)) as { address: { address: string; city: string; zip: string } };
  const attemptId = await floor.claim(shipmentId);
  const answer = await request(`${CARRIER_URL}/ilswebservice.asmx/AddParcel`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ XMLInfoParcel: parcelOf(shipmentId, rows.address) }).toString(),
  });
  const text = await answer.body.text();
  const zpl = /<Zpl>([^<]+)<\/Zpl>/.exec(text)?.[1];
  if (!zpl) throw new Error(`The pretend carrier sold nothing: ${text.slice(0, 300)}`);
  await floor.keepExchange(shipmentId, attemptId, Buffer.from(text));
  await floor.settle(shipmentId, attemptId, Buffer.from(zpl));
}

function parcelOf(id: number, { address, city, zip }: { address: string; city: string; zip: string }): string {
  return `<Info><SedeGls>YA</SedeGls><CodiceClienteGls>999901</CodiceClienteGls><PasswordClienteGls>sandbox</PasswordClienteGls><Parcel><CodiceContrattoGls>0001</CodiceContrattoGls><RagioneSociale>Chiara Prova ${id}</RagioneSociale><Indirizzo>${address}</Indirizzo><Localita>${city}</Localita><Zipcode>${zip}</Zipcode><Provincia>MI</Provincia><Bda>FLOOR${id}</Bda><Colli>1</Colli><PesoReale>1,0</PesoReale><TipoPorto>F</TipoPorto><TipoCollo>0</TipoCollo><GeneraPdf>6</GeneraPdf><ContatoreProgressivo>${900_000_000 + id}</ContatoreProgressivo></Parcel></Info>`;
}

const run = (job: { data: { shipmentId: number } }) => book(job.data.shipmentId);
const { Queue, Worker, connection } = openFloorQueue();
const worker = new Worker('floor', run, { connection, concurrency });
const queue = new Queue('floor', { connection });
await worker.waitUntilReady();

/** Told which shipments by the bench, it answers when all of them are booked. */
process.on('message', async (ids: number[]) => {
  let open = ids.length;
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => {
    open -= 1;
    if (open === 0) resolve();
  };
  worker.on('completed', done);
  worker.on('failed', (_job, error) => {
    console.error(error);
    done();
  });
  const jobs = ids.map((shipmentId) => ({ name: 'book', data: { shipmentId }, opts: { removeOnComplete: true } }));
  await queue.addBulk(jobs);
  await promise;
  worker.removeAllListeners('completed');
  process.send?.('done');
});
process.on('SIGTERM', () => process.exit(0));
console.log('The floor is ready at its queue');
