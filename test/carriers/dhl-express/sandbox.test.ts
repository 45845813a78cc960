import { describe, expect, it } from 'vitest';
import { createDhlExpressSandbox } from '../../../sandbox/src/partners/dhl-express/index.ts';
import type { PickupRequest, ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { dhlExpress } from '../../../src/carriers/dhl-express/index.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import { carrierWorld } from '../world.ts';
import { exported } from './replies.ts';

const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const {
  control,
  caller: dhl,
  callerWith,
  create,
  failing,
  find,
  track,
  statuses,
} = carrierWorld(dhlExpress, createDhlExpressSandbox, (baseUrl) => ({
  username: 'apiUser',
  password: 'sandbox',
  accountNumber: '106000001',
  baseUrl,
}));
const living = (address: string) => buildDraft({ recipient: buildParty({ address }) });

describe('a shipment through the pretend DHL Express', () => {
  it('is created with every label, found, and delivered', async () => {
    const draft = buildDraft({ parcels: [parcel, parcel], insuredCents: 4990, options: ['SF'] });

    const shipment = await create(draft);
    const found = await find(draft);
    const fresh = await statuses(shipment);
    await control.advance(25);
    const early = await statuses(shipment);
    await control.advance(9);
    const late = await statuses(shipment);

    expect(shipment).toMatchObject({ parcelCount: 2, warnings: [], trackingNumber: expect.stringMatching(/^\d{10}$/) });
    expect(shipment.labels.map(({ bytes }) => bytes.toString('latin1', 0, 5))).toEqual(['%PDF-', '%PDF-']);
    expect(found).toMatchObject({
      canBeTakenBack: false,
      trackingNumber: shipment.trackingNumber,
      parcelCount: 2,
      labels: [],
    });
    expect(fresh).toEqual(['awaiting_pickup']);
    expect(early.slice(1)).toEqual(['picked_up', 'in_transit', 'in_transit', 'in_transit', 'in_transit']);
    expect(late.slice(-2)).toEqual(['out_for_delivery', 'delivered']);
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 2, confirmed: 1, cancelled: 0 });
  });

  it('that crosses a customs border is declared, cleared and has its invoice', async () => {
    const declaring = callerWith({ customsInvoice: 'commercial', vatNumber: 'IT01234567890' });
    const draft = exported({ options: ['WY', 'P'] });

    const shipment = await create(draft, declaring);
    await control.advance(21);
    const report = await track(shipment);

    expect(shipment.labels).toHaveLength(1);
    expect(shipment.documents).toMatchObject([{ kind: 'customs_invoice' }]);
    expect(report?.events.map(({ code }) => code)).toEqual(['CR', 'IC', 'AF', 'DF', 'PL', 'PU', 'DUMMY_PU']);
  });

  it.each([
    ['Via Giacenza 3', ['attempt_failed', 'attempt_failed', 'held']],
    ['Via Po 1 ASSENTE', ['attempt_failed', 'out_for_delivery', 'delivered']],
    ['Via Po 1 RIFIUTA', ['out_for_delivery', 'attempt_failed', 'held']],
  ])('to %s ends as %s', async (address, end) => {
    const draft = living(address);
    const shipment = await create(draft);
    await control.advance(58);

    expect((await statuses(shipment)).slice(-3)).toEqual(end);
  });

  it.each([
    ['pdf-a4', '%PDF-'],
    ['zpl', '^XA^C'],
  ] as const)('has its label in %s', async (labelFormat, start) => {
    const { labels } = await create(buildDraft({ labelFormat }));

    expect(labels.map(({ bytes }) => bytes.toString('latin1', 0, 5))).toEqual([start]);
  });

  it('without a route or with a wrong login is not sold', async () => {
    const nowhere = buildDraft({ recipient: buildParty({ city: 'Inesistente' }) });
    const abroad = exported({ options: ['N'] });
    const stranger = callerWith({ password: 'wrong' });
    const other = callerWith({ accountNumber: 'ABC' });
    const creating =
      (draft: ShipmentDraft) =>
      (carrier: typeof dhlExpress, context: Parameters<typeof dhlExpress.createShipment>[0]) =>
        carrier.createShipment(context, draft);

    expect(await dhl.fail(creating(nowhere))).toMatchObject({ kind: 'permanent', code: 'refused' });
    expect((await dhl.fail(creating(abroad))).message).toContain('product N is not available');
    expect(await stranger.fail(creating(buildDraft()))).toMatchObject({ code: 'credentials-refused' });
    expect(await other.fail(creating(buildDraft()))).toMatchObject({ code: 'credentials-refused' });
    expect(await other.fail(async (carrier, context) => carrier.verifyAccount?.(context))).toMatchObject({
      code: 'credentials-refused',
    });
    await dhl.call(async (carrier, context) => carrier.verifyAccount?.(context));
    expect(await control.ledger('SM0000042')).toBeUndefined();
    expect(await find(buildDraft())).toBeNull();
  });

  it('is not found under the reference of another, nor with the account of another', async () => {
    await create(buildDraft());
    const other = callerWith({ accountNumber: '106000002' });

    expect(await find(buildDraft({ reference: 'SM0000043' }))).toBeNull();
    expect(await other.call(async (carrier, context) => carrier.findByReference?.(context, buildDraft()))).toBeNull();
  });

  it('booked twice is two shipments, since DHL takes nothing back: the look-up shows both', async () => {
    const draft = buildDraft();
    const first = await create(draft);
    const second = await create(draft);

    const found = await find(draft);

    expect(found).toMatchObject({ trackingNumber: first.trackingNumber, parcelCount: 2 });
    expect(found?.warnings.join('\n')).toContain(second.trackingNumber);
    expect(dhlExpress.cancelShipment).toBeUndefined();
    expect(dhlExpress.transmitShipments).toBeUndefined();
  });
});

describe('a bad day of the pretend DHL Express', () => {
  it.each(['accept-then-500', 'malformed', 'wrong-encoding'] as const)(
    'with %s sells one label, which is found instead of sold again',
    async (fault) => {
      const draft = buildDraft();
      await control.fault('createShipment', fault);

      const failure = await failing(draft);
      const found = await find(draft);

      expect(failure.kind).toBe('unknown-outcome');
      expect(found).toMatchObject({ canBeTakenBack: false, parcelCount: 1 });
      expect(await control.ledger(draft.reference)).toMatchObject({
        labelsSold: 1,
        trackingNumbers: [found?.trackingNumber],
      });
    },
  );

  it.each([
    ['status-500', 'unknown-outcome'],
    ['reset', 'unknown-outcome'],
    ['status-503', 'retryable'],
    ['status-429', 'retryable'],
  ] as const)('with %s sells nothing, and the look-up says so', async (fault, kind) => {
    const draft = buildDraft();
    await control.fault('createShipment', fault);

    expect(await failing(draft)).toMatchObject({ kind });
    expect(await find(draft)).toBeNull();
    expect(await control.ledger(draft.reference)).toBeUndefined();
  });

  it('with accept-twice sells two labels: DHL has no way back, so the second is told', async () => {
    const draft = buildDraft();
    await control.fault('createShipment', 'accept-twice');

    const shipment = await create(draft);
    const found = await find(draft);

    expect(found).toMatchObject({ parcelCount: 2 });
    expect(found?.warnings.join('\n')).toContain(shipment.trackingNumber);
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 2, cancelled: 0 });
  });
});

describe('beside the shipments of the pretend DHL Express', () => {
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

  it('prices are those of the route', async () => {
    const codes = async (draft: ShipmentDraft) => {
      const found = await dhl.call(async (carrier, context) => carrier.rates?.(context, draft));
      return found?.map(({ serviceCode, amountCents, currency }) => [serviceCode, amountCents > 0, currency]);
    };

    expect(await codes(buildDraft())).toEqual([
      ['N', true, 'EUR'],
      ['1', true, 'EUR'],
    ]);
    expect((await codes(exported()))?.map(([code]) => code)).toEqual(['P', 'W']);
  });

  it.each([
    ['ok', '20121', 'Milano'],
    ['not_found', '20121', 'Roma'],
    ['not_found', '20121', 'Inesistente'],
  ])('an address is %s', async (status, zip, city) => {
    const question = { province: '', address: '', zip, city };

    const result = await dhl.call(async (carrier, context) => carrier.checkAddress?.(context, question));

    expect(result).toMatchObject({ status });
  });

  it('a pickup is booked, and cancelled twice', async () => {
    const booked = await dhl.call(async (carrier, context) => carrier.bookPickup?.(context, pickup));
    const cancel = () =>
      dhl.call(async (carrier, context) => carrier.cancelPickup?.(context, booked?.confirmation ?? ''));
    await cancel();
    await cancel();

    expect(booked).toMatchObject({ confirmation: expect.stringMatching(/^PRG\d+$/), message: '2026-11-23 14:00' });
    expect(dhl.exchanges.slice(-2).map(({ operation, status }) => [operation, status])).toEqual([
      ['cancelPickup', 200],
      ['cancelPickup', 400],
    ]);
    await dhl.call(async (carrier, context) => carrier.cancelPickup?.(context, 'PRG999999999999'));
    expect(dhl.exchanges.at(-1)?.status).toBe(404);
  });
});
