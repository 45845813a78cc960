import { describe, expect, it } from 'vitest';
import { createBrtSandbox } from '../../../sandbox/src/partners/brt.ts';
import { startSandbox } from '../../../sandbox/src/server.ts';
import { brt } from '../../../src/carriers/brt/index.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import { callerOf } from '../../support/call-carrier.ts';
import { handleOf } from '../world.ts';
import { accountAt, brtWorld } from './world.ts';

const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const { url, control, caller, callerWith, create, find, transmit, cancel, track, statuses, onItsWay } = brtWorld();

describe('a shipment through the pretend BRT', () => {
  it('is created, found, confirmed twice and delivered', async () => {
    const draft = buildDraft({
      parcels: [parcel, parcel],
      cod: { amountCents: 4990, paymentType: 'CM' },
      insuredCents: 10000,
    });

    const shipment = await create(draft);
    const open = await find(draft);
    const handle = handleOf(draft, shipment);
    const early = await track(handle);
    const confirmed = await transmit(handle);
    const confirmedAgain = await transmit(handle);
    const known = await find(draft);
    await control.advance(25);
    const underway = await statuses(handle);
    await control.advance(9);
    const late = await statuses(handle);
    const bySoap = await statuses({ ...handle, trackingNumber: known?.trackingNumber ?? '' });

    expect(shipment).toMatchObject({ parcelCount: 2, warnings: [] });
    expect(shipment.trackingNumber).toMatch(/^\d{15}$/);
    expect(shipment.labels.map(({ bytes }) => bytes.toString('latin1', 0, 5))).toEqual(['%PDF-', '%PDF-']);
    expect(open).toMatchObject({
      canBeTakenBack: true,
      carrierReference: shipment.carrierReference,
      parcelCount: 2,
      labels: [],
    });
    expect(open?.trackingNumber).toMatch(/^\d{12}$/);
    expect(early).toEqual({ events: [], related: [], found: true });
    expect(confirmed).toEqual([{ reference: draft.reference, outcome: 'succeeded', message: '' }]);
    expect(confirmedAgain).toEqual(confirmed);
    expect(known?.canBeTakenBack).toBe(false);
    expect(underway).toEqual(['awaiting_pickup', 'picked_up', 'in_transit', 'in_transit']);
    expect(late).toEqual([...underway, 'out_for_delivery', 'delivered']);
    expect(bySoap).toEqual(late);
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 2, confirmed: 1, cancelled: 0 });
  });

  it.each([
    ['GIACENZA', ['attempt_failed', 'attempt_failed', 'attempt_failed', 'held']],
    ['RIFIUTA', ['attempt_failed', 'attempt_failed', 'held']],
    ['ASSENTE', ['attempt_failed', 'out_for_delivery', 'delivered']],
  ])('with %s in its address goes another way', async (word, end) => {
    const handle = await onItsWay(buildDraft({ recipient: buildParty({ address: `Via ${word} 3` }) }));
    await control.advance(58);

    expect((await statuses(handle)).slice(-end.length)).toEqual(end);
  });

  it('goes to a pick-up point that was found before', async () => {
    const question = { zip: '20121', city: 'Milano', countryCode: 'IT' };
    const points = await caller.call(async (carrier, context) => carrier.findPickupPoints?.(context, question));
    const draft = buildDraft({ pickupPointId: points?.[0]?.id ?? '' });

    const shipment = await create(draft);
    const handle = handleOf(draft, shipment);
    await transmit(handle);
    await control.advance(34);
    const waiting = await statuses(handle);
    await control.advance(24);

    expect(points?.map(({ id, type }) => [id, type])).toEqual([
      ['IT10001', 'shop'],
      ['IT10002', 'locker'],
    ]);
    expect(shipment.warnings).toEqual([expect.stringMatching(/PUDO/)]);
    expect(waiting.at(-1)).toBe('available_for_pickup');
    expect((await statuses(handle)).at(-1)).toBe('delivered');
  });

  it('has a ZPL label when asked', async () => {
    const { labels } = await create(buildDraft({ labelFormat: 'zpl' }));

    expect(labels[0]?.contentType).toBe('application/zpl');
    expect(labels[0]?.bytes.toString('utf8')).toMatch(/^\^XA.*\^XZ$/s);
  });

  it('is cancelled twice, no longer found, and created again', async () => {
    const draft = buildDraft();
    const handle = handleOf(draft, await create(draft));

    await cancel(handle);
    await cancel(handle);

    expect(await find(draft)).toBeNull();
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 0, cancelled: 1 });
    expect((await create(draft)).trackingNumber).not.toBe(handle.trackingNumber);
  });

  it('cannot be cancelled once the depot has it, but until then even when confirmed', async () => {
    const [early, late] = [buildDraft(), buildDraft({ reference: 'SM0000043' })];
    await cancel(await onItsWay(early));
    const handle = await onItsWay(late);
    await control.advance(5);

    const failure = await caller.fail(async (carrier, context) => carrier.cancelShipment?.(context, handle));

    expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
    expect(failure.message).toMatch(/-152.*taken it in charge/);
    expect(await control.ledger(early.reference)).toMatchObject({ labelsSold: 0, cancelled: 1 });
  });

  it('is confirmed by BRT itself where the contract says so', async () => {
    const automatic = {
      ...accountAt(url()),
      userID: '9020304',
      senderCustomerCode: '9020304',
      confirmation: 'automatic',
    };
    const by = callerOf(brt, automatic);
    const draft = buildDraft();

    const handle = handleOf(draft, await create(draft, by));
    const asked = by.exchanges.length;
    const results = await transmit(handle, by);

    expect(results).toEqual([{ reference: draft.reference, outcome: 'succeeded', message: '' }]);
    expect(by.exchanges).toHaveLength(asked);
    expect(await find(draft, by)).toMatchObject({ canBeTakenBack: false });
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 1, confirmed: 1 });
  });

  it('is found in January although it was created in December', async () => {
    const now = new Date();
    const hours = (Date.UTC(now.getUTCFullYear(), 11, 31, 12) - now.getTime()) / 3_600_000;
    await control.advance(hours);
    const draft = buildDraft();
    const handle = await onItsWay(draft);
    const { trackingNumber = '' } = (await find(draft)) ?? {};
    await control.advance(40);
    const nextYear = new Date(Date.UTC(now.getUTCFullYear() + 1, 0, 2));
    let events: number | undefined;

    await caller.call(async (carrier, context) => {
      const later = { ...context, now: () => nextYear };
      events = (await carrier.track?.(later, { ...handle, trackingNumber }))?.events.length;
    });

    expect(events).toBe(6);
  });

  it('survives a save and a load', async () => {
    const world = { now: () => new Date(), touch: () => {} };
    const draft = buildDraft();
    const [before, after] = [createBrtSandbox(world), createBrtSandbox(world)];
    const other = await startSandbox({ host: '127.0.0.1', port: 0, partners: [() => before] });
    await create(draft, callerOf(brt, accountAt(`${other.url}/brt`)));
    await other.close();

    after.load(JSON.parse(JSON.stringify(before.save())));

    expect(after.ledger()).toEqual(before.ledger());
    expect(after.ledger()).toMatchObject([{ reference: draft.reference, labelsSold: 1 }]);
  });
});

describe('the pretend BRT answers', () => {
  it('a wrong password with a refusal of the credentials, by every way in', async () => {
    const intruder = callerWith({ password: 'wrong', pudoToken: 'wrong' });
    const handle = { reference: 'SM0000042', trackingNumber: '061011000001000', carrierReference: '' };

    for (const failure of [
      await intruder.fail((carrier, context) => carrier.createShipment(context, buildDraft())),
      await intruder.fail(async (carrier, context) => carrier.verifyAccount?.(context)),
      await intruder.fail(async (carrier, context) => carrier.track?.(context, handle)),
      await intruder.fail(async (carrier, context) => carrier.transmitShipments?.(context, [handle])),
      await intruder.fail(async (carrier, context) => carrier.cancelShipment?.(context, handle)),
      await intruder.fail(async (carrier, context) =>
        carrier.findPickupPoints?.(context, { zip: '20121', city: 'Milano', countryCode: 'IT' }),
      ),
    ]) {
      expect(failure).toMatchObject({ kind: 'permanent', code: 'credentials-refused' });
    }
    await caller.call(async (carrier, context) => carrier.verifyAccount?.(context));
  });

  it('a customer code that is not of the user with a mismatch', async () => {
    const stranger = callerWith({ senderCustomerCode: '1' });

    const failure = await stranger.fail((carrier, context) => carrier.createShipment(context, buildDraft()));

    expect(failure).toMatchObject({ kind: 'permanent', code: 'credentials-refused' });
    expect(failure.message).toContain('-67');
  });

  it.each([
    ['the postcode 00000', { recipient: buildParty({ zip: '00000' }) }, '-63'],
    ['a city that does not exist', { recipient: buildParty({ city: 'Inesistente' }) }, '-63'],
    ['a pick-up point that does not exist', { pickupPointId: 'IT99999' }, '-69'],
  ])('%s with a refusal, and sells nothing', async (_what, overrides, code) => {
    const draft = buildDraft(overrides);

    const failure = await caller.fail((carrier, context) => carrier.createShipment(context, draft));

    expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
    expect(failure.message).toContain(code);
    expect(await find(draft)).toBeNull();
    expect(await control.ledger(draft.reference)).toBeUndefined();
  });

  it('a postcode of another place with a correction', async () => {
    const { warnings } = await create(buildDraft({ recipient: buildParty({ zip: '00185' }) }));

    expect(warnings).toEqual([expect.stringMatching(/^BRT: .*\(now 20121 MILANO MI\)$/)]);
  });

  it.each([
    ['ok', { province: 'MI', city: 'Milano', address: 'Via Roma 12', zip: '20121' }, '20121'],
    ['ok', { province: '', city: 'Milano', address: 'Via Roma 12', zip: '00185' }, '20121'],
    ['not_found', { province: 'XX', city: 'Vattelappesca', address: 'Via Roma 1', zip: '99999' }, undefined],
  ])('an address with %s', async (status, question, cap) => {
    const answer = await caller.call(async (carrier, context) => carrier.checkAddress?.(context, question));

    expect(answer?.status).toBe(status);
    expect(answer?.addresses[0]?.Cap).toBe(cap);
  });

  it('shows a shipment only to its own customer', async () => {
    const draft = buildDraft();
    const handle = handleOf(draft, await create(draft));
    const stranger = callerWith({ userID: '1111111', senderCustomerCode: '1111111' });

    expect(await find(draft, stranger)).toBeNull();
    expect(await stranger.call(async (carrier, context) => carrier.track?.(context, handle))).toMatchObject({
      found: false,
    });
  });

  it.each([
    ['malformed JSON', '{', 500, /id="code">-5</],
    ['an unknown field', JSON.stringify({ account: {}, odd: 1 }), 500, /Unrecognized field "odd"/],
    ['no login', JSON.stringify({ account: { userID: '', password: '' }, createData: {} }), 200, /-57/],
    [
      'no address',
      JSON.stringify({
        account: { userID: '1020304', password: 'sandbox' },
        createData: {
          departureDepot: 61,
          senderCustomerCode: 1020304,
          deliveryFreightTypeCode: 'DAP',
          consigneeCompanyName: 'X',
        },
      }),
      200,
      /-5.*consigneeAddress MANDATORY/,
    ],
  ])('%s as BRT does', async (_what, body, status, words) => {
    const answer = await fetch(`${url()}/rest/v1/shipments/shipment`, { method: 'POST', body });

    expect(answer.status).toBe(status);
    expect(await answer.text()).toMatch(words);
  });
});
