import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { EventEndpoint } from '../../../src/db/entities/index.ts';
import { deliverEvents } from '../../../src/usecases/events/deliver-events.ts';
import { createEndpoint } from '../../../src/usecases/events/event-endpoints.ts';
import { type EventReceiver, type Received, startEventReceiver } from '../../support/event-receiver.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { type Deps, database, jobContext, recordingDeps } from '../engine.ts';

export const HOUR_MS = 3_600_000;

export let test: TestApp;
export let companyId: number;
export let receiver: EventReceiver;
/** The clock of the deliveries. */
export let now: Date;
export let deps: Deps;

/** A company and a receiver for the tests of one file. */
export function useEvents(): void {
  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'], env: { EVENTS_ALLOW_PRIVATE: 'true', EVENTS_TIMEOUT_SECONDS: '1' } });
    companyId = test.demo.companyId;
  });
  beforeEach(async () => {
    await database(test).execute('truncate events, event_counters, event_endpoints cascade');
    receiver = await startEventReceiver();
    now = new Date();
    deps = { ...recordingDeps(test).deps, now: () => now };
  });
  afterEach(() => receiver.close());
  afterAll(() => test.stop());
}

/** From now on with other dependencies. */
export function changeDeps(changed: Partial<Deps>): void {
  deps = { ...deps, ...changed };
}

export function setNow(at: Date): void {
  now = at;
}

export async function happen(count: number, type = 'order.created'): Promise<void> {
  await database(test).execute(
    `insert into events (company_id, type, data) select ?, ?, jsonb_build_object('orderId', n) from generate_series(1, ?) n`,
    [companyId, type, count],
  );
}

export async function declare(wish: { url?: string; types?: 'order.created'[] | null } = {}) {
  const origin = { companyId, requestId: 'test' };
  const { endpoint, secret } = await createEndpoint(deps, {
    ...origin,
    wish: { url: wish.url ?? receiver.url, key: null, types: wish.types ?? null, secret: null },
  });
  return { id: endpoint.id, secret };
}

export const deliver = (endpointId: number): Promise<void> => deliverEvents(deps, { endpointId, ...jobContext() });
export const told = (): number[] => receiver.received.map(({ body }) => body.data.sequence);
export const row = (id: number): Promise<EventEndpoint> => database(test).findOneOrFail(EventEndpoint, id);

export function later(ms: number): void {
  now = new Date(now.getTime() + ms);
}

/** As Standard Webhooks verifies it; throws when it is not signed with the secret. */
export function verified(one: Received | undefined, secret: string): unknown {
  return new Webhook(secret).verify(one?.raw ?? '', one?.headers as Record<string, string>);
}
