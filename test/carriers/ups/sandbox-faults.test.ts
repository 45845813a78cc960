import { describe, expect, it } from 'vitest';
import type { PickupRequest } from '../../../src/carriers/adapter.ts';
import type { ups } from '../../../src/carriers/ups/index.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import { exported } from './replies.ts';
import { upsWorld } from './world.ts';

const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const world = upsWorld();

describe('a bad day of the pretend UPS', () => {
  it.each(['accept-then-500', 'malformed', 'wrong-encoding', 'empty'] as const)(
    'with %s sells one label, which is found instead of sold again',
    async (fault) => {
      const draft = world.draftOf();
      await world.control.fault('ship', fault);

      const failure = await world.failing(draft);
      const found = await world.find(draft);

      expect(failure.kind).toBe('unknown-outcome');
      expect(found).toMatchObject({ canBeTakenBack: false, parcelCount: 1, warnings: [] });
      expect(found?.labels).toHaveLength(1);
      expect(await world.control.ledger(world.reference)).toMatchObject({
        labelsSold: 1,
        trackingNumbers: [found?.trackingNumber],
      });
    },
  );

  it.each([
    ['ship', 'status-500', 'unknown-outcome'],
    ['ship', 'reset', 'unknown-outcome'],
    ['ship', 'status-503', 'retryable'],
    ['ship', 'status-429', 'retryable'],
    ['token', 'status-500', 'retryable'],
    ['token', 'malformed', 'retryable'],
  ] as const)('of its %s with %s sells nothing, and the look-up says so', async (operation, fault, kind) => {
    const draft = world.draftOf();
    await world.control.fault(operation, fault);

    expect(await world.failing(draft)).toMatchObject({ kind });
    expect(await world.find(draft)).toBeNull();
    expect(await world.control.ledger(world.reference)).toBeUndefined();
  });

  it('with accept-twice sells two, and ends with one label once both were taken back', async () => {
    const draft = world.draftOf();
    await world.control.fault('ship', 'accept-twice');

    await world.create(draft);
    const found = await world.find(draft);
    if (found) await world.cancel(found);
    await world.create(draft);

    expect(found).toMatchObject({ parcelCount: 2, canBeTakenBack: true });
    expect(await world.find(draft)).toMatchObject({ parcelCount: 1, canBeTakenBack: false });
    expect(await world.control.ledger(world.reference)).toMatchObject({ labelsSold: 1, cancelled: 2 });
  });

  it('gives a label later that it did not give with the shipment', async () => {
    const draft = world.draftOf();
    await world.control.fault('recoverLabel', 'status-500');

    const shipment = await world.create(draft);
    const labels = await world.caller.call(async (carrier, context) =>
      carrier.fetchLabels?.(context, draft, { ...shipment, reference: world.reference }),
    );

    expect(shipment.labels).toEqual([]);
    expect(labels).toHaveLength(1);
  });

  it('cancels although the answer was lost', async () => {
    const shipment = await world.create(world.draftOf());
    await world.control.fault('void', 'accept-then-500');

    const failure = await world.failingCancel(shipment);
    await world.cancel(shipment);

    expect(failure.kind).toBe('unknown-outcome');
    expect(await world.control.ledger(world.reference)).toMatchObject({ labelsSold: 0, cancelled: 1 });
  });
});

describe('beside the shipments of the pretend UPS', () => {
  const pickup: PickupRequest = {
    reference: 'SMP0000000007',
    date: '2026-11-23',
    from: '14:00',
    to: '18:00',
    place: buildParty(),
    parcels: [parcel],
    shipments: [],
    note: '',
  };

  it('prices are those of the route, and lower where they were negotiated', async () => {
    const published = world.callerWith({ negotiatedRates: false });
    const rate = async (carrier: typeof ups, context: Parameters<typeof ups.createShipment>[0]) =>
      carrier.rates?.(context, buildDraft());

    const own = (await world.caller.call(rate)) ?? [];
    const listed = (await published.call(rate)) ?? [];
    const abroad = await world.caller.call(async (carrier, context) => carrier.rates?.(context, exported()));

    expect(own.map(({ serviceCode, currency }) => [serviceCode, currency])).toEqual([
      ['11', 'EUR'],
      ['65', 'EUR'],
    ]);
    expect(own[0]?.amountCents).toBeLessThan(listed[0]?.amountCents ?? 0);
    expect(abroad?.map(({ serviceCode }) => serviceCode)).toEqual(['11', '65', '07']);
  });

  it('a pickup is booked, the same again for the same place, and cancelled twice', async () => {
    const book = () => world.caller.call(async (carrier, context) => carrier.bookPickup?.(context, pickup));
    const booked = await book();
    const again = await book();
    const cancelled = () =>
      world.caller.call(async (carrier, context) => carrier.cancelPickup?.(context, booked?.confirmation ?? ''));
    await cancelled();
    await cancelled();

    expect(booked?.confirmation).toMatch(/^\d{11}$/);
    expect(again).toEqual(booked);
    expect(
      world.caller.exchanges.filter(({ operation }) => operation === 'cancelPickup').map(({ status }) => status),
    ).toEqual([200, 400]);
  });

  it.each([
    ['GET', '/api/track/v1/details/1Z', { authorization: 'Bearer wrong.1' }, 401, '250002'],
    ['POST', '/api/shipments/v2409/ship', {}, 400, '10006'],
    ['POST', '/api/labels/v1/recovery', {}, 400, '10006'],
    ['GET', '/api/track/v1/details/1Z', {}, 400, 'TV1002'],
  ])('refuses %s %s with %o as UPS words it', async (method, path, headers, status, code) => {
    await world.caller.call(async (carrier, context) => carrier.rates?.(context, buildDraft()));
    const { access_token: token } = JSON.parse(world.caller.exchanges[0]?.responseBody ?? '');

    const answer = await fetch(`${world.url()}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, transid: '1', transactionsrc: 'test', ...headers },
      ...(method === 'POST' ? { body: '{}' } : {}),
    });

    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ response: { errors: [{ code }] } });
  });
});
