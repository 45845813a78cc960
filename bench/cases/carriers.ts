/** `npm run bench -- carriers`: what an adapter costs per label without its network, and how it uses its connections. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setTimeout as delay } from 'node:timers/promises';
import { sandboxPartners } from '../../sandbox/src/index.ts';
import { startSandbox } from '../../sandbox/src/server.ts';
import type { BookedShipment, Carrier, CarrierContext, ShipmentDraft } from '../../src/carriers/adapter.ts';
import { carriers } from '../../src/carriers/index.ts';
import { demoContracts } from '../../src/demo/demo-contracts.ts';
import { callPartner } from '../../src/lib/call-partner.ts';
import { IntegrationError } from '../../src/lib/errors.ts';
import type { HttpRequest, HttpResponse } from '../../src/lib/http.ts';
import { silentLog } from '../../src/lib/log.ts';
import { memoryTokens } from '../../src/lib/tokens.ts';
import { buildDraft } from '../../test/support/build-draft.ts';
import { type Options, type Section, tableOf } from '../section.ts';

const REPLAYS = 500;
const LIVE_CALLS = 200;
const LIVE_CLIENTS = 8;
const GOAL_MS = 1;

interface DemoContract {
  carrier: string;
  account: unknown;
}

interface CarrierCost {
  carrier: string;
  requests: number;
  cpuMs: number;
  connections: number;
  tokens: number;
}

/** Measures one row per carrier: CPU per label, and the sockets and tokens that 200 labels by eight clients took. */
export async function benchCarriers({ progress }: Options): Promise<Section> {
  const rows: CarrierCost[] = [];
  for (const [at, carrier] of [...carriers.values()].entries()) {
    progress(carrier.label, at / carriers.size);
    // A server each: sockets that are kept open for one carrier must not serve the next.
    const sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: sandboxPartners });
    const contracts = demoContracts(sandbox.url) as DemoContract[];
    const own = contracts.find((contract) => contract.carrier === carrier.id);
    if (own) rows.push(await measure(carrier, own.account));
    await sandbox.close();
  }
  return sectionOf(rows);
}

async function measure(carrier: Carrier, account: unknown): Promise<CarrierCost> {
  const recorded = await recordOne(carrier, account);
  const sockets = await live(carrier, account); // before the replay, which blocks the loop for longer than sockets are kept
  await replay(carrier, account, recorded, REPLAYS); // warms the compiler
  const cpuMs = (await replay(carrier, account, recorded, REPLAYS)) / REPLAYS;
  return { carrier: carrier.label, requests: recorded.length, cpuMs, ...sockets };
}

/** The answers of one booking with the pretend carrier, in their order. */
async function recordOne(carrier: Carrier, account: unknown): Promise<HttpResponse[]> {
  const answers: HttpResponse[] = [];
  await call(carrier, account, (context) => {
    const send = async (request: HttpRequest): Promise<HttpResponse> => {
      const answer = await context.http.send(request);
      answers.push(answer);
      return answer;
    };
    return book(carrier, { ...context, http: { send } as CarrierContext<unknown>['http'] }, draftFor(carrier, 1));
  });
  return answers;
}

/** CPU milliseconds of mapping and parsing alone, `times` over. */
async function replay(carrier: Carrier, account: unknown, answers: readonly HttpResponse[], times: number) {
  const draft = draftFor(carrier, 1);
  return call(carrier, account, async (context) => {
    let at = 0;
    const send = async (): Promise<HttpResponse> => answers[at++ % answers.length] as HttpResponse;
    const offline = { ...context, http: { send } as unknown as CarrierContext<unknown>['http'] };
    // Every booking asks for its token, as the recorded one did: the real ones share it.
    const fresh = {
      ...offline,
      token: async (_name: string, fetch: Parameters<typeof offline.token>[1]) => (await fetch()).value,
    };
    const before = process.cpuUsage();
    for (let index = 0; index < times; index++) await book(carrier, fresh, draft, false);
    const used = process.cpuUsage(before);
    return (used.user + used.system) / 1000;
  });
}

/** Real sockets: how many were opened, and how many tokens were fetched. */
async function live(carrier: Carrier, account: unknown): Promise<{ connections: number; tokens: number }> {
  let connections = 0;
  let tokens = 0;
  const opened = (): void => {
    connections += 1;
  };
  subscribe('undici:client:connected', opened);
  const store = memoryTokens();
  const counting = {
    get: (key: string, fetch: Parameters<typeof store.get>[1]) =>
      store.get(key, () => {
        tokens += 1;
        return fetch();
      }),
    forget: (key: string) => store.forget(key),
  };
  let next = 2;
  const client = async (): Promise<void> => {
    while (next < LIVE_CALLS + 2) {
      const draft = draftFor(carrier, next++);
      await call(carrier, account, (context) => book(carrier, context, draft), counting);
    }
  };
  await Promise.all(Array.from({ length: LIVE_CLIENTS }, client));
  unsubscribe('undici:client:connected', opened);
  return { connections, tokens };
}

function call<Result>(
  carrier: Carrier,
  account: unknown,
  run: (context: CarrierContext<unknown>) => Promise<Result>,
  tokens = memoryTokens(),
): Promise<Result> {
  const signal = new AbortController().signal;
  return callPartner(carrier, { account, signal, log: silentLog, now: () => new Date(), tokens }, run);
}

/** Books as the use cases do: a carrier that is still making the shipment is polled until it is done. */
async function book(
  carrier: Carrier,
  context: CarrierContext<unknown>,
  draft: ShipmentDraft,
  waits = true,
): Promise<BookedShipment | null | undefined> {
  try {
    return await carrier.createShipment(context, draft);
  } catch (error) {
    if (!isBeingMade(error)) throw error;
  }
  for (;;) {
    try {
      return await carrier.findByReference?.(context, draft);
    } catch (error) {
      if (!isBeingMade(error)) throw error;
      if (waits) await delay(error.retryAfterMs ?? 0);
    }
  }
}

function isBeingMade(error: unknown): error is IntegrationError {
  return error instanceof IntegrationError && error.code === 'being-made';
}

/** Carriers differ: some deliver to lockers only. */
const OVERRIDES: Readonly<Record<string, Partial<ShipmentDraft>>> = { 'inpost-it': { pickupPointId: 'ITMIL00101M' } };

function draftFor(carrier: Carrier, serial: number): ShipmentDraft {
  const reference = `BEN${serial.toString(36).toUpperCase().padStart(8, '0')}`;
  return buildDraft({ reference, serial, ...OVERRIDES[carrier.id] });
}

function sectionOf(rows: readonly CarrierCost[]): Section {
  const lines = rows.map(({ carrier, requests, cpuMs, connections, tokens }) => [
    carrier,
    String(requests),
    cpuMs.toFixed(3),
    String(connections),
    String(tokens),
    cpuMs < GOAL_MS ? 'yes' : 'NO',
  ]);
  return {
    title: 'Carriers, without their networks',
    table: tableOf(['Carrier', 'requests', 'CPU ms per label', 'connections', 'tokens', `under ${GOAL_MS} ms`], lines),
    notes: [
      `CPU: request built, answer read and checked, label decoded, ${REPLAYS} times over recorded answers, a token with each.`,
      `Connections and tokens: what ${LIVE_CALLS} labels by ${LIVE_CLIENTS} clients at a time took over real sockets.`,
    ],
    ratios: [],
    data: rows,
  };
}
