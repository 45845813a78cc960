import { describe, expect, it, vi } from 'vitest';
import { createInpostItSandbox } from '../../../sandbox/src/partners/inpost-it/index.ts';
import type { CarrierContext, PickupRequest, ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { inpostIt } from '../../../src/carriers/inpost-it/index.ts';
import { buildParty } from '../../support/build-draft.ts';
import { handleOf } from '../world.ts';
import { creating, finding } from './replies.ts';
import { A_MOMENT_HOURS, inpostWorld } from './world.ts';

const { control, caller: inpost, newDraft, find, booked, callerWith: as } = inpostWorld();

describe('a shipment through the pretend InPost', () => {
  it('has no number at first, is looked up until it has one, and comes with its label', async () => {
    const draft = newDraft({ cod: { amountCents: 2500, paymentType: 'CASH' } });

    const ordered = await inpost.fail(creating(draft));
    const early = await inpost.fail(finding(draft));
    await control.advance(A_MOMENT_HOURS);
    const found = await find(draft);

    expect(ordered).toMatchObject({ kind: 'unknown-outcome', code: 'being-made' });
    expect(early).toMatchObject({ kind: 'retryable', code: 'being-made', retryAfterMs: 1000 });
    expect(found).toMatchObject({
      canBeTakenBack: false,
      parcelCount: 1,
      warnings: [],
      trackingNumber: expect.stringMatching(/^\d{24}$/),
    });
    expect(found?.labels.map(({ bytes }) => bytes.toString('latin1', 0, 5))).toEqual(['%PDF-']);
    expect(await control.ledger(draft.reference)).toMatchObject({
      labelsSold: 1,
      confirmed: 1,
      cancelled: 0,
      liveNumbers: [found?.trackingNumber],
    });
  });

  it('is confirmed in real time too, within a second', async () => {
    const draft = newDraft();
    await inpost.fail(creating(draft));

    const found = await vi.waitFor(() => find(draft), { timeout: 5000, interval: 100 });

    expect(found).toMatchObject({ canBeTakenBack: false, parcelCount: 1 });
  });

  it.each([
    ['', ['ready_to_pickup', 'delivered'], 34],
    ['GIACENZA', ['pickup_reminder_sent', 'pickup_time_expired', 'returned_to_sender'], 101],
    ['ASSENTE', ['pickup_reminder_sent', 'delivered'], 58],
    ['RIFIUTA', ['rejected_by_receiver', 'returned_to_sender'], 58],
  ])('with the note "%s" ends as %j', async (note, end, hours) => {
    const draft = newDraft({ note });
    const shipment = await booked(draft);
    const track = () => inpost.call(async (carrier, context) => carrier.track?.(context, handleOf(draft, shipment)));

    const fresh = await track();
    await control.advance(hours);
    const late = await track();

    expect(fresh?.events.map(({ code }) => code)).toEqual(['confirmed']);
    expect(
      late?.events
        .map(({ code }) => code)
        .toReversed()
        .slice(-end.length),
    ).toEqual(end);
    expect(late?.events.every(({ status }) => status !== 'unrecognised')).toBe(true);
  });

  it('walks through every stage of its journey', async () => {
    const draft = newDraft();
    const shipment = await booked(draft);
    await control.advance(34);

    const report = await inpost.call(async (carrier, context) => carrier.track?.(context, handleOf(draft, shipment)));

    expect([...new Set(report?.events.map(({ status }) => status).toReversed())]).toEqual([
      'awaiting_pickup',
      'picked_up',
      'in_transit',
      'out_for_delivery',
      'available_for_pickup',
      'delivered',
    ]);
  });

  it('that is unknown has no record', async () => {
    const handle = { reference: 'X', trackingNumber: '1', carrierReference: '1' };

    expect(await inpost.call(async (carrier, context) => carrier.track?.(context, handle))).toMatchObject({
      found: false,
    });
  });

  it.each([
    ['pdf-a4', '%PDF-'],
    ['zpl', '^XA^C'],
  ] as const)('has its label in %s, as often as it is asked for', async (labelFormat, start) => {
    const draft = newDraft({ labelFormat });
    const shipment = await booked(draft);

    const again = await inpost.call(async (carrier, context) =>
      carrier.fetchLabels?.(context, draft, handleOf(draft, shipment)),
    );

    expect(shipment.labels[0]?.bytes.toString('latin1', 0, 5)).toBe(start);
    expect(again?.[0]?.bytes.toString('latin1', 0, 5)).toBe(start);
  });

  it('can be cancelled, even twice, only until it is confirmed', async () => {
    const slow = newDraft({ note: 'ATTESA' });
    const { message } = await inpost.fail(creating(slow));
    const [, id = ''] = /shipment (\d+)/.exec(message) ?? [];
    const handle = { reference: slow.reference, trackingNumber: '', carrierReference: id };
    const cancelling = (one: typeof handle) => async (carrier: typeof inpostIt, context: CarrierContext<unknown>) =>
      carrier.cancelShipment?.(context, one);

    await inpost.call(cancelling(handle));
    await inpost.call(cancelling(handle));
    const draft = newDraft();
    const confirmed = await booked(draft);
    const refused = await inpost.fail(cancelling(handleOf(draft, confirmed)));
    await inpost.call(cancelling({ ...handle, carrierReference: '1' }));

    expect(await find(slow)).toBeNull();
    expect(await control.ledger(slow.reference)).toMatchObject({ labelsSold: 0, cancelled: 1 });
    expect(refused).toMatchObject({ kind: 'permanent', code: 'refused' });
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 1, cancelled: 0 });
  });

  it.each<[string, Partial<ShipmentDraft>, string]>([
    ['a locker that does not exist', { pickupPointId: 'INESISTENTE' }, 'target_point is not known to InPost'],
    ['a locker that is closed', { pickupPointId: 'ITMIL00199M' }, 'target_point is not known to InPost'],
    ['a phone that is too short', { recipient: buildParty({ phone: '333' }) }, 'receiver.phone is too short'],
    ['an e-mail that is none', { recipient: buildParty({ email: 'a@b' }) }, 'receiver.email is not written'],
    ['COD of nothing', { cod: { amountCents: 0, paymentType: '' } }, 'cod.amount is too small'],
  ])('with %s is not sold', async (_what, overrides, words) => {
    const draft = newDraft(overrides);

    const failure = await inpost.fail(creating(draft));

    expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
    expect(failure.message).toContain(words);
    expect(await find(draft)).toBeNull();
  });

  it('with a login that is wrong is not sold', async () => {
    const draft = newDraft();
    const stranger = as({ token: 'wrong' });
    const nobody = as({ organizationId: '0' });

    expect(await stranger.fail(creating(draft))).toMatchObject({ kind: 'permanent', code: 'credentials-refused' });
    expect(await nobody.fail(creating(draft))).toMatchObject({ kind: 'permanent', code: 'not-found-at-partner' });
    await inpost.call(async (carrier, context) => carrier.verifyAccount?.(context));
    expect(await control.ledger(draft.reference)).toBeUndefined();
  });

  it('is not found under another reference, nor by another organisation', async () => {
    const draft = newDraft();
    await booked(draft);
    const other = as({ organizationId: '4712' });

    expect(await find(newDraft())).toBeNull();
    expect(await other.call(finding(draft))).toBeNull();
  });

  it('ordered twice is two shipments, since InPost does not look at references: the look-up counts both', async () => {
    const draft = newDraft();
    const first = await booked(draft);
    await inpost.fail(creating(draft));
    await control.advance(A_MOMENT_HOURS);

    const found = await find(draft);

    expect(found).toMatchObject({ trackingNumber: first.trackingNumber, parcelCount: 2, canBeTakenBack: false });
    expect(found?.warnings).toEqual([expect.stringContaining('leave them unused')]);
    expect(inpostIt.transmitShipments).toBeUndefined();
  });
});

describe('beside the shipments of the pretend InPost', () => {
  it.each([
    ['20123', '', ['ITMIL00102P', 'ITMIL00101M', 'ITMIL00103M']],
    ['', 'roma', ['ITRMA00201M', 'ITRMA00202P']],
    ['65121', '', []],
  ])('points near "%s" or in "%s" are %j', async (zip, city, ids) => {
    const points = await inpost.call(async (carrier, context) =>
      carrier.findPickupPoints?.(context, { zip, city, countryCode: 'IT' }),
    );

    expect(points?.map(({ id }) => id)).toEqual(ids);
  });

  it('confirmed shipments are fetched, and the pickup is called off twice', async () => {
    const hub = as({ sendingMethod: 'dispatch_order' });
    const draft = newDraft();
    const shipment = await booked(draft, hub);
    const request: PickupRequest = {
      reference: 'SMP0000000007',
      date: '2026-11-23',
      from: '14:00',
      to: '18:00',
      place: buildParty(),
      parcels: draft.parcels,
      shipments: [handleOf(draft, shipment)],
      note: '',
    };

    const pickup = await hub.call(async (carrier, context) => carrier.bookPickup?.(context, request));
    const cancel = () =>
      hub.call(async (carrier, context) => carrier.cancelPickup?.(context, pickup?.confirmation ?? ''));
    await cancel();
    await cancel();
    const unknown = await hub.fail(async (carrier, context) =>
      carrier.bookPickup?.(context, {
        ...request,
        shipments: [{ ...handleOf(draft, shipment), carrierReference: '1' }],
      }),
    );

    expect(pickup?.confirmation).toMatch(/^\d+$/);
    expect(hub.exchanges.slice(-3).map(({ operation, status }) => [operation, status])).toEqual([
      ['cancelDispatchOrder', 204],
      ['cancelDispatchOrder', 404],
      ['createDispatchOrder', 400],
    ]);
    expect(unknown.message).toContain('shipments is not known to InPost');
  });

  it('every call has the name that faults are switched on by', () => {
    const { operationOf } = createInpostItSandbox({ now: () => new Date(), touch: () => {} });

    expect(
      [
        ...new Set(
          inpost.exchanges.map(({ method, url, operation }) => {
            const { pathname } = new URL(url);
            return [operation, operationOf({ method, path: pathname.replace('/inpost-it', ''), body: '' })].join(' ');
          }),
        ),
      ].toSorted(),
    ).toEqual(
      ['cancelShipment', 'createShipment', 'label', 'listShipments', 'points', 'tracking'].map(
        (name) => `${name} ${name}`,
      ),
    );
  });

  it('its books survive a restart', () => {
    const world = { now: () => new Date(), touch: () => {} };
    const books = createInpostItSandbox(world);
    const state = { nextId: 2, shipments: [], nextOrder: 3, orders: [] };

    books.load(state);

    expect(books.save()).toEqual(state);
    expect(books.ledger()).toEqual([]);
  });
});
