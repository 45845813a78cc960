import { describe, expect, it } from 'vitest';
import { createPosteItSandbox } from '../../../sandbox/src/partners/poste-it/index.ts';
import type { BookedShipment, ReleaseRequest, ShipmentDraft, ShipmentHandle } from '../../../src/carriers/adapter.ts';
import { posteIt } from '../../../src/carriers/poste-it/index.ts';
import { buildParty } from '../../support/build-draft.ts';
import { carrierWorld } from '../world.ts';

const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const TWO_DAYS_MS = 2 * 86_400_000;
const world = carrierWorld(posteIt, createPosteItSandbox, (baseUrl) => ({
  clientId: 'cliente-di-prova',
  secretId: 'sandbox',
  scope: 'api://prova/.default',
  costCenterCode: 'CDC-00000001',
  baseUrl,
}));
const { control, caller: poste, callerWith, newDraft: draftOf, create, failing, track } = world;
const living = (address: string) => draftOf({ recipient: buildParty({ address }), parcels: [parcel, parcel] });
const handleOf = ({ reference }: ShipmentDraft, booked: BookedShipment): ShipmentHandle => ({ reference, ...booked });

describe('a shipment on its way with the pretend Poste', () => {
  const codesOf = async (handle: ShipmentHandle): Promise<string[]> => {
    const report = await track(handle);
    return (report?.events ?? []).toSorted((a, b) => a.at.getTime() - b.at.getTime()).map(({ code }) => code);
  };
  const held = () => poste.call(async (carrier, context) => carrier.listHeld?.(context));
  const release = (handle: ShipmentHandle, overrides: Partial<ReleaseRequest> = {}) =>
    poste.call(async (carrier, context) =>
      carrier.releaseHeld?.(context, {
        shipment: handle,
        action: 'REDISPATCH_SAME_ADDRESS',
        recipientPhone: '',
        newAddress: null,
        pickupPointId: '',
        note: '',
        redeliveryDate: '2026-11-24',
        ...overrides,
      }),
    );

  it('is not found while it is fresh, then taken over, in transit and delivered', async () => {
    const draft = draftOf();
    const handle = handleOf(draft, await create(draft));

    const fresh = await track(handle);
    await control.advance(13);
    const early = await track(handle);
    await control.advance(21);
    const late = await track(handle);

    expect(fresh).toEqual({ found: false, events: [], related: [] });
    expect(early?.events.map(({ status, location }) => [status, location])).toEqual([
      ['in_transit', 'Roma (RM)'],
      ['picked_up', 'Roma (RM)'],
    ]);
    expect(late?.events.slice(0, 3)).toMatchObject([
      { code: 'ZZK', status: 'delivered' },
      { code: 'ZZC', status: 'out_for_delivery' },
      { code: 'PCP', status: 'in_transit', location: 'Milano (MI)' },
    ]);
  });

  it.each([
    ['Via Po 1 ASSENTE', ['ZZA', 'ZZC', 'ZZK']],
    ['Via Po 1 RIFIUTA', ['ZZC', 'ZZR', '003']],
  ])('to %s ends as %s', async (address, end) => {
    const draft = draftOf({ recipient: buildParty({ address }) });
    const shipment = await create(draft);
    await control.advance(58);

    expect((await codesOf(handleOf(draft, shipment))).slice(-3)).toEqual(end);
  });

  it('that is held is listed parcel by parcel, released once, and delivered', async () => {
    const draft = living('Via Giacenza 3');
    const shipment = await create(draft);
    const handle = handleOf(draft, shipment);
    const before = await held();
    await control.advance(58);

    const waiting = await held();
    const released = await release(handle);
    const again = await release(handle);
    const after = await held();
    await control.advance(26);

    expect(before).toEqual([]);
    expect(waiting?.map(({ trackingNumber }) => trackingNumber).join()).toBe(shipment.carrierReference);
    expect(waiting?.[0]).toMatchObject({
      reference: draft.reference,
      reason: 'Destinatario assente',
      isReleasable: true,
      since: expect.any(Date),
      deadline: expect.any(Date),
    });
    expect(released).toMatchObject({ ok: true, message: 'Svincolo AZ0001' });
    expect(again).toMatchObject({ ok: false, message: expect.stringContaining('E9001 Spedizione non svincolabile') });
    expect(after).toEqual([]);
    expect((await codesOf(handle)).slice(-2)).toEqual(['ZZK', 'ZZK']);
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 2, released: 2 });
  });

  it('can be sent to a new address, and is not listed for another cost centre', async () => {
    const draft = living('Via Po 1 RIFIUTA');
    const handle = handleOf(draft, await create(draft));
    await control.advance(58);
    const other = callerWith({ costCenterCode: 'CDC-00000002' });

    expect(await other.call(async (carrier, context) => carrier.listHeld?.(context))).toEqual([]);
    expect(
      await release(handle, {
        action: 'REDISPATCH_NEW_ADDRESS',
        newAddress: buildParty({ address: 'Via Nuova 1234/B' }),
      }),
    ).toMatchObject({ ok: true });
  });
});

describe('selling by the pretend Poste', () => {
  it.each([
    ['pdf-a6', '%PDF-'],
    ['pdf-a4', '%PDF-'],
    ['zpl', '^XA^C'],
  ] as const)('gives a label in %s for every parcel', async (labelFormat, start) => {
    const draft = draftOf({ labelFormat, parcels: [parcel, parcel], cod: { amountCents: 2500, paymentType: 'CON' } });

    const shipment = await create(draft);

    expect(shipment).toMatchObject({
      parcelCount: 2,
      warnings: [],
      trackingNumber: expect.stringMatching(/^SBX0\d{9}$/),
    });
    expect(shipment.labels.map(({ bytes }) => bytes.toString('latin1', 0, 5))).toEqual([start, start]);
    if (labelFormat === 'zpl') expect(shipment.labels[1]?.bytes.toString()).toContain('Anna Bianchi');
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 2, confirmed: 1, cancelled: 0 });
  });

  it('takes insurance, options, a note and a pick-up point', async () => {
    const [locker, shop] = await poste
      .call(async (carrier, context) =>
        carrier.findPickupPoints?.(context, { zip: '20121', city: 'Milano', countryCode: 'IT' }),
      )
      .then((points) => points ?? []);

    expect([locker?.type, shop?.type]).toEqual(['locker', 'shop']);
    for (const pickupPointId of [locker?.id ?? '', shop?.id ?? '']) {
      const draft = draftOf({
        pickupPointId,
        insuredCents: 5000,
        options: ['APT000901', 'APT000910'],
        note: 'Fragile',
      });
      expect(posteIt.check?.(draft, {})).toEqual([]);
      expect(await create(draft)).toMatchObject({ warnings: [] });
    }
  });

  it('refuses a place without a route, a data fault and a wrong login', async () => {
    const nowhere = draftOf({ recipient: buildParty({ city: 'Inesistente' }) });
    const faulty = draftOf({ recipient: buildParty({ name: 'n'.repeat(36) }) });
    const stranger = callerWith({ secretId: 'wrong' });

    expect(await failing(nowhere)).toMatchObject({
      kind: 'permanent',
      message: 'Poste Italiane refused: 200 CAP o localita di destinazione errati',
    });
    expect((await failing(faulty)).message).toContain('receiver.nameSurname');
    expect(await failing(draftOf(), stranger)).toMatchObject({ kind: 'permanent', code: 'credentials-refused' });
    expect(await stranger.fail(async (carrier, context) => carrier.verifyAccount?.(context))).toMatchObject({
      code: 'credentials-refused',
    });
    await poste.call(async (carrier, context) => carrier.verifyAccount?.(context));
    expect(await control.ledger(nowhere.reference)).toBeUndefined();
  });

  it('lets a token in with "Bearer" before it, too', async () => {
    const bearer = callerWith({ tokenPrefix: 'Bearer' });

    expect(await bearer.call((carrier, context) => carrier.createShipment(context, draftOf()))).toMatchObject({
      parcelCount: 1,
    });
  });

  it('sells twice what is booked twice: Poste finds and takes back nothing', async () => {
    const draft = draftOf();
    await create(draft);
    await create(draft);

    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 2, confirmed: 2 });
    expect([posteIt.findByReference, posteIt.cancelShipment, posteIt.transmitShipments]).toEqual(
      Array(3).fill(undefined),
    );
  });

  it.each(['accept-then-500', 'malformed', 'truncated', 'html'] as const)(
    'with %s has sold one label, and its number is lost',
    async (fault) => {
      const draft = draftOf();
      await control.fault('waybill', fault);

      expect(await failing(draft)).toMatchObject({ kind: 'unknown-outcome' });
      expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 1 });
    },
  );

  it.each([
    ['waybill', 'status-500', 'unknown-outcome'],
    ['waybill', 'reset', 'unknown-outcome'],
    ['waybill', 'status-503', 'retryable'],
    ['sessions', 'accept-then-500', 'retryable'],
    ['sessions', 'malformed', 'retryable'],
  ] as const)('sells nothing when %s meets %s', async (operation, fault, kind) => {
    const draft = draftOf();
    await control.fault(operation, fault);

    expect(await failing(draft)).toMatchObject({ kind });
    expect(await control.ledger(draft.reference)).toBeUndefined();
  });

  it('fetches a label again, and tells when it could not', async () => {
    const [once, twice] = [draftOf(), draftOf()];
    await control.fault('label', 'status-500');
    const lucky = await create(once);
    await control.fault('label', 'status-503');
    await control.fault('label', 'empty');
    const unlucky = await create(twice);

    expect(lucky).toMatchObject({ warnings: [], labels: [{ contentType: 'application/pdf' }] });
    expect(unlucky.labels).toEqual([]);
    expect(unlucky.warnings).toEqual([expect.stringContaining(unlucky.trackingNumber)]);
    expect(await control.ledger(twice.reference)).toMatchObject({ labelsSold: 1 });
  });

  it('with accept-twice sells two labels and shows one: only the portal of Poste knows the other', async () => {
    const draft = draftOf();
    await control.fault('waybill', 'accept-twice');

    const shipment = await create(draft);
    const books = await control.ledger(draft.reference);

    expect(shipment).toMatchObject({ parcelCount: 1, labels: [{ contentType: 'application/pdf' }] });
    expect(books).toMatchObject({ labelsSold: 2 });
    expect(books?.trackingNumbers).toContain(shipment.trackingNumber);
  });

  it('books a pickup once for a place and a day, and not for today', async () => {
    const date = new Date(Date.now() + TWO_DAYS_MS).toISOString().slice(0, 10);
    const request = {
      reference: 'SMP0000000007',
      date,
      from: '09:00',
      to: '18:00',
      place: buildParty(),
      parcels: [parcel],
      shipments: [],
      note: '',
    };
    const book = async (carrier: typeof posteIt, context: Parameters<typeof posteIt.createShipment>[0]) =>
      carrier.bookPickup?.(context, request);

    expect(await poste.call(book)).toMatchObject({ confirmation: expect.stringMatching(/^CP\d{8}$/) });
    expect((await poste.fail(book)).message).toContain('E0016');
    request.date = new Date(Date.now() - TWO_DAYS_MS).toISOString().slice(0, 10);
    expect((await poste.fail(book)).message).toContain('choose a date after today');
    expect(posteIt.cancelPickup).toBeUndefined();
  });
});
