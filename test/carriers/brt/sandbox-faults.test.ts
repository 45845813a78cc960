import { describe, expect, it, vi } from 'vitest';
import { buildDraft } from '../../support/build-draft.ts';
import { handleOf } from '../world.ts';
import { brtWorld } from './world.ts';

const { control, caller, callerWith, create, find, transmit, cancel } = brtWorld();

describe('two shipments with the same references', () => {
  it('booked by two calls are told apart by their mark, and one of them is cancelled', async () => {
    const draft = buildDraft();
    const first = handleOf(draft, await create(draft));
    const second = handleOf(draft, await create(draft));

    const search = await caller.fail(async (carrier, context) => carrier.findByReference?.(context, draft));
    await cancel(first);
    const confirmed = await transmit(second);

    expect(search).toMatchObject({ kind: 'permanent', code: 'refused' });
    expect(search.message).toMatch(/-22.*several shipments/);
    expect(confirmed).toEqual([{ reference: draft.reference, outcome: 'succeeded', message: '' }]);
    expect(await control.ledger(draft.reference)).toMatchObject({
      labelsSold: 1,
      cancelled: 1,
      confirmed: 1,
      liveNumbers: [second.trackingNumber],
      confirmedNumbers: [second.trackingNumber],
    });
  });

  it('booked by one call that BRT carried out twice are neither confirmed nor cancelled, and a person is told', async () => {
    await control.fault('create', 'accept-twice');
    const draft = buildDraft();
    const handle = handleOf(draft, await create(draft));

    const search = await caller.fail(async (carrier, context) => carrier.findByReference?.(context, draft));
    const confirmed = await transmit(handle);
    const cancelled = await caller.fail(async (carrier, context) => carrier.cancelShipment?.(context, handle));

    expect(search).toMatchObject({ kind: 'permanent', code: 'refused' });
    expect(confirmed).toEqual([
      {
        reference: draft.reference,
        outcome: 'failed',
        message: expect.stringMatching(/-154.*ask the depot/),
        hasSurplus: true,
      },
    ]);
    expect(cancelled).toMatchObject({ kind: 'permanent', code: 'refused' });
    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 2, confirmed: 0, cancelled: 0 });
  });
});

describe('a booking that BRT may have without showing it', () => {
  const withdraw = (draft: ReturnType<typeof buildDraft>) =>
    caller.call(async (carrier, context) => carrier.withdrawByReference?.(context, draft));

  it('is withdrawn by its reference, whatever mark it bears, and withdrawing nothing succeeds', async () => {
    const draft = buildDraft();
    await create(draft);

    await withdraw(draft);
    await withdraw(draft);

    expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 0, cancelled: 1 });
  });
});

describe('a fault while creating with BRT', () => {
  const draft = buildDraft();
  const failCreate = () => caller.fail((carrier, context) => carrier.createShipment(context, draft));

  it.each([
    ['accept-then-500', 'unknown-outcome', true],
    ['malformed', 'unknown-outcome', true],
    ['wrong-encoding', 'unknown-outcome', true],
    ['reset', 'unknown-outcome', false],
    ['status-500', 'unknown-outcome', false],
    ['status-429', 'retryable', false],
    ['status-503', 'retryable', false],
  ] as const)('of the kind %s is %s, and the look-up tells the truth', async (fault, kind, sold) => {
    await control.fault('create', fault);

    const failure = await failCreate();

    expect(failure.kind).toBe(kind);
    expect((await find(draft)) !== null).toBe(sold);
  });

  it.each(['accept-then-500', 'malformed'] as const)(
    '%s ends with one live label after a cancellation and a second booking',
    async (fault) => {
      await control.fault('create', fault);
      await failCreate();

      const lost = await find(draft);
      if (!lost) throw new Error('It was sold, and is not found');
      await cancel(handleOf(draft, lost));
      const gone = await find(draft);
      const shipment = await create(draft);

      expect(lost).toMatchObject({ labels: [], warnings: [expect.stringContaining('a second time')] });
      expect(gone).toBeNull();
      expect(shipment.labels).toHaveLength(1);
      expect(await transmit(handleOf(draft, shipment))).toMatchObject([{ outcome: 'succeeded' }]);
      expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 1, cancelled: 1, confirmed: 1 });
    },
  );

  it('that never answers is unknown, and the shipment is found', async () => {
    await control.fault('create', 'accept-then-hang');
    const controller = new AbortController();
    const patient = callerWith({}, controller.signal);

    const failing = patient.fail((carrier, context) => carrier.createShipment(context, draft));
    await vi.waitFor(async () => expect(await control.ledger(draft.reference)).toMatchObject({ labelsSold: 1 }));
    controller.abort();

    expect((await failing).kind).toBe('unknown-outcome');
    expect(await find(draft)).toMatchObject({ parcelCount: 1, canBeTakenBack: true });
  });

  it('in the look-up itself is never taken for "none"', async () => {
    await create(draft);
    for (const operation of ['GetIdSpedizioneByRMN', 'BRT_TrackingByBRTshipmentID']) {
      for (const fault of ['malformed', 'wrong-encoding', 'status-500', 'reset'] as const) {
        await control.fault(operation, fault);

        const failure = await caller.fail(async (carrier, context) => carrier.findByReference?.(context, draft));

        expect(failure.kind, `${operation} ${fault}`).toBe('retryable');
      }
    }
  });

  it.each([
    ['confirm', 'transmitShipments', { confirmed: 1, labelsSold: 1 }],
    ['delete', 'cancelShipment', { cancelled: 1, labelsSold: 0 }],
  ] as const)('while %s leaves an unknown outcome that the second try settles', async (operation, method, books) => {
    const handle = handleOf(draft, await create(draft));
    await control.fault(operation, 'accept-then-500');
    const once = async () => (method === 'cancelShipment' ? cancel(handle) : void (await transmit(handle)));

    const failure = await once().catch((error: unknown) => error);

    expect(failure).toMatchObject({ kind: 'unknown-outcome' });
    await once();
    expect(await control.ledger(draft.reference)).toMatchObject(books);
  });
});
