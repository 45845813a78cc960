import { describe, expect, it, vi } from 'vitest';
import { createGlsItSandbox } from '../../../sandbox/src/partners/gls-it.ts';
import { startSandbox } from '../../../sandbox/src/server.ts';
import type { ReleaseRequest, ShipmentDraft, ShipmentHandle } from '../../../src/carriers/adapter.ts';
import { glsIt } from '../../../src/carriers/gls-it/index.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import { callerOf } from '../../support/call-carrier.ts';
import { carrierWorld } from '../world.ts';

const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const accountAt = (baseUrl: string) => ({
  sedeGls: 'YA',
  codiceClienteGls: '999901',
  passwordClienteGls: 'sandbox',
  codiceContrattoGls: '0001',
  baseUrl,
});
const world = carrierWorld(glsIt, createGlsItSandbox, accountAt);
const { control, caller: gls, callerWith, create, find, transmit, cancel, statuses } = world;
const release = (request: Partial<ReleaseRequest> & Pick<ReleaseRequest, 'shipment' | 'action'>) => {
  const whole = {
    recipientPhone: '',
    newAddress: null,
    pickupPointId: '',
    note: '',
    redeliveryDate: '2026-12-01',
    ...request,
  };
  return gls.call(async (carrier, context) => carrier.releaseHeld?.(context, whole));
};

/** Created and closed, ready to move. */
async function onItsWay(draft: ShipmentDraft): Promise<ShipmentHandle> {
  const { trackingNumber, carrierReference } = await create(draft);
  const handle = { reference: draft.reference, trackingNumber, carrierReference };
  await transmit(handle);
  return handle;
}

describe('a shipment through the pretend GLS Italy', () => {
  it('is created, found, closed and delivered', async () => {
    const draft = buildDraft({ parcels: [parcel, parcel], cod: { amountCents: 4990, paymentType: 'CASH' } });

    const shipment = await create(draft);
    const open = await find(draft);
    const handle = { reference: draft.reference, ...shipment };
    const closed = await transmit(handle);
    const closedAgain = await transmit(handle);
    const confirmed = await find(draft);
    await control.advance(25);
    const early = await statuses(handle);
    await control.advance(9);
    const late = await statuses(handle);

    expect(shipment).toMatchObject({ parcelCount: 2, warnings: [] });
    expect(shipment.labels.map(({ bytes }) => bytes.toString('latin1', 0, 5))).toEqual(['%PDF-', '%PDF-']);
    expect(open).toMatchObject({
      canBeTakenBack: true,
      trackingNumber: shipment.trackingNumber,
      parcelCount: 2,
      warnings: [],
    });
    expect(open?.labels).toHaveLength(2);
    const outcome = { reference: draft.reference, outcome: 'succeeded', message: '' };
    const list = { contentType: 'application/pdf', bytes: expect.any(Buffer) };
    expect(closed).toEqual([{ ...outcome, manifest: list }]);
    expect(closedAgain).toEqual([outcome]);
    expect(confirmed?.canBeTakenBack).toBe(false);
    expect(early).toEqual(['awaiting_pickup', 'awaiting_pickup', 'in_transit', 'in_transit', 'in_transit']);
    expect(late.slice(-2)).toEqual(['out_for_delivery', 'delivered']);
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 2, confirmed: 1, cancelled: 0 });
  });

  it.each([
    ['REDISPATCH_SAME_ADDRESS', 'delivered'],
    ['REDISPATCH_NEW_ADDRESS', 'delivered'],
    ['RETURN_TO_SENDER', 'returned'],
    ['DESTROY', 'destroyed'],
    ['PICKUP_AT_DEPOT', 'delivered'],
  ] as const)('held in giacenza, ends after %s as %s', async (action, end) => {
    const shipment = await onItsWay(buildDraft({ recipient: buildParty({ address: 'Via Giacenza 3' }) }));

    const tooEarly = await release({ shipment, action, newAddress: buildParty() });
    await control.advance(58);
    const held = await statuses(shipment);
    const released = await release({ shipment, action, newAddress: buildParty() });
    await control.advance(40);
    const after = await statuses(shipment);
    const again = await release({ shipment, action, newAddress: buildParty() });

    expect(tooEarly).toMatchObject({ ok: false, message: 'Spedizione non trovata' });
    expect(held.slice(-3)).toEqual(['attempt_failed', 'held', 'held']);
    expect(released).toMatchObject({ ok: true });
    expect(after.at(-1)).toBe(end);
    expect(again?.ok).toBe(false);
    expect(await control.ledger('SM0000042')).toMatchObject({ released: 1 });
  });

  it('names the shipment that carries a return', async () => {
    const shipment = await onItsWay(buildDraft({ note: 'RIFIUTA' }));
    await control.advance(58);
    await release({ shipment, action: 'RETURN_TO_SENDER' });
    await control.advance(5);

    const report = await gls.call(async (carrier, context) => carrier.track?.(context, shipment));

    expect(report?.related).toMatchObject([{ type: 'return', trackingNumber: 'MI610000002' }]);
    expect(report?.events.map((event) => event.code).slice(-4)).toEqual(['4', '66', '29', '902']);
  });

  it('comes back after the first absence', async () => {
    const shipment = await onItsWay(buildDraft({ note: 'assente' }));
    await control.advance(58);

    expect((await statuses(shipment)).slice(-3)).toEqual(['attempt_failed', 'out_for_delivery', 'delivered']);
  });

  it('is cancelled twice, leaves the list, and can be created again', async () => {
    const draft = buildDraft();
    const handle = { reference: draft.reference, ...(await create(draft)) };

    await cancel(handle);
    await cancel(handle);

    expect(await find(draft)).toBeNull();
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 0, cancelled: 1 });
    expect((await create(draft)).trackingNumber).not.toBe(handle.trackingNumber);
  });

  it('without a route is sold with a warning, and found although the list leaves it out', async () => {
    const draft = buildDraft({ recipient: buildParty({ zip: '00000' }), labelFormat: 'zpl' });

    const shipment = await create(draft);

    expect(shipment.warnings).toEqual([expect.stringMatching(/^GLS Check: /)]);
    expect(shipment.carrierReference).toMatch(/^8/);
    expect(shipment.labels[0]?.contentType).toBe('application/zpl');
    expect(await find(draft)).toMatchObject({ trackingNumber: shipment.trackingNumber, canBeTakenBack: true });
  });

  it('sent again after its close is adopted, not sold twice', async () => {
    const draft = buildDraft();
    const first = await onItsWay(draft);

    const second = await create(draft);

    expect(second.trackingNumber).toBe(first.trackingNumber);
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 1 });
  });

  it('survives a save and a load', async () => {
    const world = { now: () => new Date(), touch: () => {} };
    const draft = buildDraft();
    const [before, after] = [createGlsItSandbox(world), createGlsItSandbox(world)];
    const other = await startSandbox({ host: '127.0.0.1', port: 0, partners: [() => before] });
    await callerOf(glsIt, accountAt(`${other.url}/gls-it`)).call((carrier, context) =>
      carrier.createShipment(context, draft),
    );
    await other.close();

    after.load(JSON.parse(JSON.stringify(before.save())));

    expect(after.ledger()).toEqual(before.ledger());
    expect(after.ledger()).toMatchObject([{ reference: draft.reference, labelsSold: 1 }]);
  });
});

describe('the pretend GLS Italy answers', () => {
  it('a wrong password with a refusal of the credentials', async () => {
    const intruder = callerWith({ passwordClienteGls: 'wrong' });

    for (const failure of [
      await intruder.fail((carrier, context) => carrier.createShipment(context, buildDraft())),
      await intruder.fail(async (carrier, context) => carrier.verifyAccount?.(context)),
    ]) {
      expect(failure).toMatchObject({ kind: 'permanent', code: 'credentials-refused' });
    }
    await gls.call(async (carrier, context) => carrier.verifyAccount?.(context));
  });

  it.each([
    ['ok', { province: 'MI', city: 'Milano', address: 'Via Roma 12', zip: '20121' }, 1],
    ['ambiguous', { province: '', city: 'Livo', address: 'Via Roma 1', zip: '' }, 2],
    ['ambiguous', { province: 'NA', city: 'Vattelappesca', address: 'Via Roma 1', zip: '80100' }, 2],
    ['not_found', { province: 'MI', city: 'Milano', address: 'Via Roma 12', zip: '00100' }, 1],
    ['not_found', { province: 'XX', city: 'Vattelappesca', address: 'Via Roma 1', zip: '99999' }, 0],
  ] as const)('an address with %s', async (status, question, count) => {
    const answer = await gls.call(async (carrier, context) => carrier.checkAddress?.(context, question));

    expect(answer).toMatchObject({ status });
    expect(answer?.addresses).toHaveLength(count);
  });

  it('shows a shipment only to its own customer', async () => {
    await create(buildDraft());

    const stranger = callerWith({ codiceClienteGls: '111111' });

    expect(
      await stranger.call(async (carrier, context) => carrier.findByReference?.(context, buildDraft())),
    ).toBeNull();
  });
});

describe('a fault while creating with GLS Italy', () => {
  const draft = buildDraft();
  const failCreate = () => gls.fail((carrier, context) => carrier.createShipment(context, draft));

  it.each([
    ['accept-then-500', 'unknown-outcome', true],
    ['malformed', 'unknown-outcome', true],
    ['wrong-encoding', 'unknown-outcome', true],
    ['reset', 'unknown-outcome', false],
    ['status-500', 'unknown-outcome', false],
    ['status-429', 'retryable', false],
    ['status-503', 'retryable', false],
  ] as const)('of the kind %s is %s, and the look-up tells the truth', async (fault, kind, sold) => {
    await control.fault('AddParcel', fault);

    const failure = await failCreate();

    expect(failure.kind).toBe(kind);
    expect((await find(draft)) !== null).toBe(sold);
  });

  it('that never answers is unknown, and the shipment is found', async () => {
    await control.fault('AddParcel', 'accept-then-hang');
    const controller = new AbortController();
    const patient = callerWith({}, controller.signal);

    const failing = patient.fail((carrier, context) => carrier.createShipment(context, draft));
    await vi.waitFor(async () => expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 1 }));
    controller.abort();

    expect((await failing).kind).toBe('unknown-outcome');
    expect(await find(draft)).toMatchObject({ parcelCount: 1, canBeTakenBack: true });
  });

  it('that books twice shows as a second parcel', async () => {
    await control.fault('AddParcel', 'accept-twice');

    const shipment = await create(buildDraft({ cod: { amountCents: 1000, paymentType: '' } }));

    expect(shipment.parcelCount).toBe(2);
    expect(await find(draft)).toMatchObject({
      parcelCount: 2,
      warnings: [expect.stringContaining('counts 2 parcels')],
    });
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 2 });
  });

  it('while closing leaves an unknown outcome that the second try settles', async () => {
    const shipment = await create(draft);
    const handle = { reference: draft.reference, ...shipment };
    await control.fault('CloseWorkDayByShipmentNumber', 'accept-then-500');

    const failure = await gls.fail(async (carrier, context) => carrier.transmitShipments?.(context, [handle]));

    expect(failure.kind).toBe('unknown-outcome');
    expect(await transmit(handle)).toEqual([{ reference: draft.reference, outcome: 'succeeded', message: '' }]);
    expect(await control.ledger(draft.reference)).toMatchObject({ confirmed: 1 });
  });
});
