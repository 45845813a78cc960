import { beforeEach, describe, expect, it } from 'vitest';
import { createFedexSandbox } from '../../../sandbox/src/partners/fedex/index.ts';
import type { BookedShipment, Carrier, CarrierContext, ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { fedex } from '../../../src/carriers/fedex/index.ts';
import { buildParty, buildReturn } from '../../support/build-draft.ts';
import { carrierWorld } from '../world.ts';
import { exported } from './replies.ts';

const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const world = carrierWorld(
  fedex,
  createFedexSandbox,
  (baseUrl) => ({
    apiKey: 'keyOne',
    secretKey: 'sandbox',
    trackApiKey: 'keyTwo',
    trackSecretKey: 'sandbox-track',
    accountNumber: '740561073',
    baseUrl,
  }),
  'file',
);
const { control, caller, callerWith, draftOf, create, failing, find, cancel, failingCancel } = world;
let reference = '';
beforeEach(() => {
  reference = world.reference;
});
const statuses = (shipment: BookedShipment) => world.statuses({ ...shipment, bookedAt: new Date() });
const verify = async (carrier: Carrier, context: CarrierContext<unknown>) => carrier.verifyAccount?.(context);
const text = ({ bytes }: { bytes: Buffer } = { bytes: Buffer.alloc(0) }): string => bytes.toString('latin1');

describe('a shipment through the pretend FedEx', () => {
  it('is created with a label per parcel, found, and delivered', async () => {
    const draft = draftOf({ parcels: [parcel, parcel], insuredCents: 4991 });

    const shipment = await create(draft);
    const found = await find(draft);
    const fresh = await statuses(shipment);
    await control.advance(25);
    const early = await statuses(shipment);
    await control.advance(9);
    const late = await statuses(shipment);

    expect(shipment).toMatchObject({ parcelCount: 2, warnings: [], trackingNumber: expect.stringMatching(/^\d{12}$/) });
    expect(shipment.labels.map((label) => text(label).slice(0, 5))).toEqual(['%PDF-', '%PDF-']);
    expect(found).toMatchObject({
      trackingNumber: shipment.trackingNumber,
      carrierReference: shipment.carrierReference,
      parcelCount: 2,
      labels: [],
    });
    expect(fresh).toEqual(['awaiting_pickup']);
    expect(early.slice(1)).toEqual(['picked_up', 'in_transit', 'in_transit', 'in_transit']);
    expect(late.slice(-2)).toEqual(['out_for_delivery', 'delivered']);
    expect(await control.ledger(reference)).toMatchObject({ labelsSold: 2, confirmed: 1, cancelled: 0 });
  });

  it('that crosses a customs border is declared, cleared and has its invoice', async () => {
    const shipment = await create(exported({ reference }));
    await control.advance(21);

    expect(shipment.labels).toHaveLength(1);
    expect(shipment.documents).toMatchObject([{ kind: 'customs_invoice' }]);
    expect(shipment.warnings).toEqual([]);
    expect((await statuses(shipment)).filter((status) => status === 'in_transit')).toHaveLength(4);
  });

  it('has a ZPL label for every parcel, with name, numbers, references and barcode', async () => {
    const { labels, trackingNumber } = await create(draftOf({ parcels: [parcel, parcel], labelFormat: 'zpl' }));

    expect(labels).toHaveLength(2);
    expect(text(labels[0])).toMatch(
      new RegExp(`^\\^XA[\\s\\S]*Anna Bianchi[\\s\\S]*REF: ${reference} {3}PO: 2026-0007`),
    );
    expect(text(labels[0])).toContain(`^FD${trackingNumber}^FS^XZ`);
    expect(text(labels[1])).toContain(`Mstr# ${trackingNumber}`);
  });

  it('that comes back is marked as a return, from the customer to the warehouse, and is found', async () => {
    const draft = buildReturn({ reference, labelFormat: 'zpl' });

    const shipment = await create(draft);
    const found = await find(draft);

    expect(text(shipment.labels[0])).toMatch(/RETURNS[\s\S]*From: Anna Bianchi[\s\S]*Bottega Srl/);
    expect(found).toMatchObject({ trackingNumber: shipment.trackingNumber });
  });

  it('has its label on a sheet of an office printer', async () => {
    const { labels } = await create(draftOf({ labelFormat: 'pdf-a4' }));

    expect(text(labels[0])).toContain('/MediaBox [0 0 612 792]');
  });

  it.each([
    ['Via Giacenza 3', 58, ['attempt_failed', 'attempt_failed', 'available_for_pickup']],
    ['Via Po 1 ASSENTE', 58, ['attempt_failed', 'out_for_delivery', 'delivered']],
    ['Via Po 1 RIFIUTA', 82, ['attempt_failed', 'returning', 'returned']],
  ])('to %s is after %i hours: %s', async (address, hours, end) => {
    const shipment = await create(draftOf({ recipient: buildParty({ address }) }));
    await control.advance(hours);

    expect((await statuses(shipment)).slice(-3)).toEqual(end);
  });

  it('is cancelled, and again, and never found afterwards', async () => {
    const draft = draftOf({ parcels: [parcel, parcel] });
    const shipment = await create(draft);

    await cancel(shipment);
    await cancel(shipment);

    expect(await find(draft)).toBeNull();
    expect(await statuses(shipment)).toContain('unrecognised');
    expect(await control.ledger(reference)).toMatchObject({ labelsSold: 0, cancelled: 1, liveNumbers: [] });
  });

  it('that was picked up is not cancelled any more', async () => {
    const shipment = await create(draftOf());
    await control.advance(5);

    const failure = await failingCancel(shipment);

    expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
    expect(failure.message).toContain('let the parcel be returned');
    expect(await control.ledger(reference)).toMatchObject({ labelsSold: 1, cancelled: 0 });
  });

  it('without a route is not sold', async () => {
    const nowhere = await failing(draftOf({ recipient: buildParty({ city: 'Inesistente' }) }));
    const never = await failing(draftOf({ options: ['FEDEX_TOMORROW'] }));

    expect(nowhere.message).toContain("correct the recipient's postcode and city");
    expect(never.message).toContain('choose another service');
    expect(await control.ledger(reference)).toBeUndefined();
    expect(await find(draftOf())).toBeNull();
  });

  it.each([
    ['a secret key', { secretKey: 'wrong' }],
    ['a secret key of tracking', { trackSecretKey: 'wrong' }],
    ['keys of the other project', { trackSecretKey: 'sandbox' }],
    ['an account number', { accountNumber: '000000000' }],
  ])('that is to come has an account with %s that is wrong refused', async (_what, overrides) => {
    expect(await callerWith(overrides).fail(verify)).toMatchObject({ kind: 'permanent', code: 'credentials-refused' });
  });

  it('that is to come has a good account proven', () => caller.call(verify));

  it('is not found under the reference of another, nor with the account of another, who cannot cancel it', async () => {
    const draft = draftOf();
    const shipment = await create(draft);
    const other = callerWith({ accountNumber: '111111111' });

    expect(await find(draftOf({ reference: `${reference}9` }))).toBeNull();
    expect(await other.call(async (carrier, context) => carrier.findByReference?.(context, draft))).toBeNull();
    expect(await failingCancel(shipment, other)).toMatchObject({ code: 'credentials-refused' });
  });

  it('booked twice is two shipments, which are found and taken back together', async () => {
    const draft = draftOf();
    const first = await create(draft);
    const second = await create(draft);

    const found = await find(draft);
    if (found) await cancel(found);

    expect(found).toMatchObject({ trackingNumber: first.trackingNumber, parcelCount: 2, canBeTakenBack: true });
    expect(found?.warnings[1]).toBe(`FedEx also has ${second.trackingNumber} under this reference`);
    expect(await find(draft)).toBeNull();
    expect(await control.ledger(reference)).toMatchObject({ labelsSold: 0, cancelled: 2 });
  });

  it('has prices of its route', async () => {
    const pricesOf = (draft: ShipmentDraft) => caller.call(async (carrier, context) => carrier.rates?.(context, draft));

    expect(await pricesOf(draftOf())).toMatchObject([{ serviceCode: 'FEDEX_PRIORITY', amountCents: 680 }]);
    expect((await pricesOf(exported()))?.map(({ serviceCode }) => serviceCode)).toEqual([
      'FEDEX_REGIONAL_ECONOMY',
      'FEDEX_INTERNATIONAL_PRIORITY',
    ]);
  });
});

describe('a bad day of the pretend FedEx', () => {
  /** What reconciliation does with a shipment whose label is gone. */
  const bookAgain = async (draft: ShipmentDraft): Promise<BookedShipment> => {
    const found = await find(draft);
    if (found) await cancel(found);
    return create(draft);
  };

  it.each(['accept-then-500', 'malformed', 'wrong-encoding', 'empty'] as const)(
    'with %s is an unknown outcome, and ends with one label that we have',
    async (fault) => {
      const draft = draftOf({ parcels: [parcel, parcel] });
      await control.fault('ship', fault);

      const failure = await failing(draft);
      const found = await find(draft);
      const shipment = await bookAgain(draft);

      expect(failure.kind).toBe('unknown-outcome');
      expect(found).toMatchObject({ parcelCount: 2, labels: [], canBeTakenBack: true });
      expect(shipment.labels).toHaveLength(2);
      expect(await control.ledger(reference)).toMatchObject({
        labelsSold: 2,
        cancelled: 1,
        liveNumbers: [shipment.trackingNumber],
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
    const draft = draftOf();
    await control.fault(operation, fault);

    expect(await failing(draft)).toMatchObject({ kind });
    expect(await find(draft)).toBeNull();
    expect(await control.ledger(reference)).toBeUndefined();
  });

  it('with accept-twice sells two, and ends with one label once both were taken back', async () => {
    const draft = draftOf();
    await control.fault('ship', 'accept-twice');

    await create(draft);
    const found = await find(draft);
    const shipment = await bookAgain(draft);

    expect(found).toMatchObject({ parcelCount: 2, canBeTakenBack: true });
    expect(await control.ledger(reference)).toMatchObject({
      labelsSold: 1,
      cancelled: 2,
      liveNumbers: [shipment.trackingNumber],
    });
  });

  it('cancels although the answer was lost', async () => {
    const shipment = await create(draftOf());
    await control.fault('cancel', 'accept-then-500');

    const failure = await failingCancel(shipment);
    await cancel(shipment);

    expect(failure.kind).toBe('unknown-outcome');
    expect(await control.ledger(reference)).toMatchObject({ labelsSold: 0, cancelled: 1 });
  });

  it.each([
    ['POST', '/ship/v1/shipments', 'Bearer shipping.1', 401, 'NOT.AUTHORIZED.ERROR'],
    ['POST', '/ship/v1/shipments', 'Bearer tracking.9999999999999', 403, 'FORBIDDEN.ERROR'],
    ['POST', '/ship/v1/shipments', 'Bearer shipping.9999999999999', 400, 'INVALID.INPUT.EXCEPTION'],
    ['PUT', '/ship/v1/shipments/cancel', 'Bearer shipping.9999999999999', 400, 'INVALID.INPUT.EXCEPTION'],
    ['POST', '/track/v1/referencenumbers', 'Bearer tracking.9999999999999', 400, 'INVALID.INPUT.EXCEPTION'],
    ['POST', '/oauth/token', '', 400, 'BAD.REQUEST.ERROR'],
  ])('refuses %s %s with %s as FedEx words it', async (method, path, authorization, status, code) => {
    const answer = await fetch(`${world.url()}${path}`, {
      method,
      headers: { authorization, 'x-customer-transaction-id': 'AnyCo' },
      body: '{}',
    });

    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ customerTransactionId: 'AnyCo', errors: [{ code }] });
  });
});
