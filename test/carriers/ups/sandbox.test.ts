import { describe, expect, it } from 'vitest';
import type { ups } from '../../../src/carriers/ups/index.ts';
import { buildParty, buildReturn } from '../../support/build-draft.ts';
import { exported } from './replies.ts';
import { upsWorld } from './world.ts';

const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const world = upsWorld();
const text = ({ bytes }: { bytes: Buffer } = { bytes: Buffer.alloc(0) }): string => bytes.toString('latin1');

describe('a shipment through the pretend UPS', () => {
  it('is created with its label, found, and delivered', async () => {
    const draft = world.draftOf({ parcels: [parcel, parcel], insuredCents: 4990 });

    const shipment = await world.create(draft);
    const found = await world.find(draft);
    const fresh = await world.statuses(shipment);
    await world.control.advance(25);
    const early = await world.statuses(shipment);
    await world.control.advance(9);
    const late = await world.statuses(shipment);

    expect(shipment).toMatchObject({
      parcelCount: 2,
      warnings: [],
      trackingNumber: expect.stringMatching(/^1ZAB123411\d{8}$/),
    });
    expect(shipment.labels).toHaveLength(1);
    expect(text(shipment.labels[0])).toMatch(/^%PDF-[\s\S]*\/Count 2\b/);
    expect(found).toMatchObject({
      canBeTakenBack: false,
      trackingNumber: shipment.trackingNumber,
      carrierReference: shipment.carrierReference,
      parcelCount: 2,
      warnings: [],
    });
    expect(found?.labels).toHaveLength(1);
    expect(fresh).toEqual(['awaiting_pickup']);
    expect(early.slice(1)).toEqual(['picked_up', 'in_transit', 'in_transit', 'in_transit']);
    expect(late.slice(-2)).toEqual(['out_for_delivery', 'delivered']);
    expect(await world.control.ledger(world.reference)).toMatchObject({ labelsSold: 2, confirmed: 1, cancelled: 0 });
  });

  it('that crosses a customs border is declared, cleared and has its invoice', async () => {
    const shipment = await world.create(exported({ reference: world.reference, options: ['07'] }));
    await world.control.advance(21);

    expect(shipment.labels).toHaveLength(1);
    expect(shipment.documents).toMatchObject([{ kind: 'customs_invoice' }]);
    expect(shipment.warnings).toEqual([]);
    expect((await world.statuses(shipment)).filter((status) => status === 'in_transit')).toHaveLength(4);
  });

  it('has a ZPL label for every parcel, with name, number, barcode and the cash to collect', async () => {
    const draft = world.draftOf({
      parcels: [parcel, parcel],
      cod: { amountCents: 4990, paymentType: '' },
      labelFormat: 'zpl',
    });

    const { labels, trackingNumber } = await world.create(draft);
    const found = await world.find(draft);

    expect(labels).toHaveLength(2);
    expect(text(labels[0])).toMatch(/^\^XA[\s\S]*Anna Bianchi[\s\S]*COD 49\.90 EUR/);
    expect(text(labels[0])).toContain(`^FD${trackingNumber}^FS^XZ`);
    expect(found?.labels.map(text)).toEqual(labels.map(text));
  });

  it('that comes back is marked as a return, from the customer to the warehouse, and is found', async () => {
    const draft = buildReturn({ reference: world.reference, labelFormat: 'zpl' });

    const shipment = await world.create(draft);
    const found = await world.find(draft);

    expect(text(shipment.labels[0])).toMatch(/RETURN SERVICE[\s\S]*From: Anna Bianchi[\s\S]*Bottega Srl/);
    expect(found).toMatchObject({ trackingNumber: shipment.trackingNumber });
  });

  it('goes to an Access Point and waits there', async () => {
    const question = { zip: '20121', city: 'Milano', countryCode: 'IT' };
    const points = await world.caller.call(async (carrier, context) => carrier.findPickupPoints?.(context, question));
    const [point] = points ?? [];

    const shipment = await world.create(world.draftOf({ pickupPointId: point?.id ?? '', labelFormat: 'zpl' }));
    await world.control.advance(34);

    expect(points).toHaveLength(2);
    expect(text(shipment.labels[0])).toContain(`ACCESS POINT ${point?.id}`);
    expect((await world.statuses(shipment)).at(-1)).toBe('available_for_pickup');
  });

  it.each([
    ['Via Giacenza 3', ['attempt_failed', 'attempt_failed', 'held']],
    ['Via Po 1 ASSENTE', ['attempt_failed', 'out_for_delivery', 'delivered']],
    ['Via Po 1 RIFIUTA', ['out_for_delivery', 'attempt_failed', 'held']],
  ])('to %s ends as %s', async (address, end) => {
    const shipment = await world.create(world.draftOf({ recipient: buildParty({ address }) }));
    await world.control.advance(58);

    expect((await world.statuses(shipment)).slice(-3)).toEqual(end);
  });

  it('is cancelled, and again, and never found afterwards', async () => {
    const draft = world.draftOf({ parcels: [parcel, parcel] });
    const shipment = await world.create(draft);

    await world.cancel(shipment);
    await world.cancel(shipment);

    expect(await world.find(draft)).toBeNull();
    expect(await world.statuses(shipment)).toContain('unrecognised');
    expect(await world.control.ledger(world.reference)).toMatchObject({ labelsSold: 0, cancelled: 1, liveNumbers: [] });
  });

  it('that was picked up is not cancelled any more', async () => {
    const shipment = await world.create(world.draftOf());
    await world.control.advance(5);

    const failure = await world.failingCancel(shipment);

    expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
    expect(failure.message).toContain('let the parcel be returned');
    expect(await world.control.ledger(world.reference)).toMatchObject({ labelsSold: 1, cancelled: 0 });
  });

  it('without a route, or with a wrong login or number, is not sold', async () => {
    const nowhere = world.draftOf({ recipient: buildParty({ city: 'Inesistente' }) });
    const stranger = world.callerWith({ clientSecret: 'wrong' });
    const other = world.callerWith({ shipperNumber: '000000' });
    const verify = async (carrier: typeof ups, context: Parameters<typeof ups.createShipment>[0]) =>
      carrier.verifyAccount?.(context);

    expect(await world.failing(nowhere)).toMatchObject({ kind: 'permanent', code: 'refused' });
    expect((await world.failing(world.draftOf({ options: ['96'] }))).message).toContain(
      'not offered between these places',
    );
    expect(await world.failing(world.draftOf({ pickupPointId: 'U99999999' }))).toMatchObject({ kind: 'permanent' });
    expect(await stranger.fail(verify)).toMatchObject({ code: 'credentials-refused' });
    expect(await other.fail(verify)).toMatchObject({ code: 'credentials-refused' });
    await world.caller.call(verify);
    expect(await world.control.ledger(world.reference)).toBeUndefined();
    expect(await world.find(world.draftOf())).toBeNull();
  });

  it('is not found under the reference of another, nor with the account of another', async () => {
    const draft = world.draftOf();
    await world.create(draft);
    const other = world.callerWith({ shipperNumber: 'XY9876' });

    expect(await world.find(world.draftOf({ reference: `${world.reference}9` }))).toBeNull();
    expect(await other.call(async (carrier, context) => carrier.findByReference?.(context, draft))).toBeNull();
  });

  it('booked twice is two shipments, which are found and taken back together', async () => {
    const draft = world.draftOf();
    const first = await world.create(draft);
    const second = await world.create(draft);

    const found = await world.find(draft);
    if (found) await world.cancel(found);

    expect(found).toMatchObject({ trackingNumber: first.trackingNumber, parcelCount: 2, canBeTakenBack: true });
    expect(found?.warnings).toEqual([`UPS also has ${second.trackingNumber} under this reference`]);
    expect(await world.find(draft)).toBeNull();
    expect(await world.control.ledger(world.reference)).toMatchObject({ labelsSold: 0, cancelled: 2 });
  });
});
