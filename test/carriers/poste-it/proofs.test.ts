import { describe, expect, it } from 'vitest';
import type { ReleaseRequest, ShipmentHandle } from '../../../src/carriers/adapter.ts';
import { posteIt } from '../../../src/carriers/poste-it/index.ts';
import { buildDraft } from '../../support/build-draft.ts';
import { callerOf, listeningLog } from '../../support/call-carrier.ts';
import { type Reply, startFakeServer } from '../../support/fake-server.ts';
import {
  account,
  against,
  bothParcels,
  CODE,
  type Context,
  event,
  handle,
  json,
  pickedUp,
  releasedWith,
  SECOND,
  session,
  sold,
  traced,
  waybill,
} from './replies.ts';

type Poste = typeof posteIt;

const creating = async (poste: Poste, context: Context) => poste.createShipment(context, buildDraft());
const tracking = async (poste: Poste, context: Context) => poste.track?.(context, handle);

describe('a no of Poste to a waybill', () => {
  const refusedWaybill = (errorDescription: string) => sold([waybill({ code: '', errorCode: 12, errorDescription })]);

  it.each<[string, Reply, string, boolean]>([
    ['of that waybill', refusedWaybill('Servizio sconosciuto'), 'permanent', true],
    ['of the whole request', sold([], { errorCode: 9, errorDescription: 'Contratto scaduto' }), 'permanent', false],
    ['of a fault', refusedWaybill('Errore interno, riprovare'), 'unknown-outcome', false],
    ['of an outage', refusedWaybill('Servizio momentaneamente non disponibile'), 'unknown-outcome', false],
    ['of a known reference', refusedWaybill('Riferimento gia presente'), 'unknown-outcome', false],
    ['by a proxy', json({ message: 'Forbidden' }, 403), 'permanent', false],
  ])('in words %s settles an earlier try only when it is about it: %#', (_what, reply, kind, isAuthoritative) =>
    against([reply], async ({ fail }) => {
      expect(await fail(creating)).toMatchObject({ kind, isAuthoritative });
    }),
  );

  it('is not heard, nor a yes, with another status than 200', () =>
    against([{ ...sold(), status: 202 }], async ({ fail }) => {
      expect(await fail(creating)).toMatchObject({ kind: 'unknown-outcome' });
    }));

  it('is not made of an odd field beside a number', () =>
    against([sold([waybill({ downloadURL: { odd: true }, errorDescription: ['x'] })])], async ({ call }) => {
      expect(await call(creating)).toMatchObject({ trackingNumber: CODE });
    }));
});

it('a pickup that exists already may be the one whose answer was lost', () =>
  against([pickedUp('KO', 'E0016', 'Esiste'), session, pickedUp('KO', 'E0038', 'Data')], async ({ fail }) => {
    const booking = async (poste: Poste, context: Context) =>
      poste.bookPickup?.(context, {
        reference: 'PSM0000042',
        date: '2026-11-24',
        from: '09:00',
        to: '17:00',
        place: buildDraft().sender,
        parcels: buildDraft().parcels,
        shipments: [handle],
        note: '',
      });

    expect(await fail(booking)).toMatchObject({ kind: 'permanent', isAuthoritative: false });
    expect(await fail(booking)).toMatchObject({ kind: 'permanent', isAuthoritative: true });
  }));

describe('a release by Poste', () => {
  const releasing = (shipment: ShipmentHandle = handle) => {
    const request: ReleaseRequest = {
      shipment,
      action: 'RETURN_TO_SENDER',
      recipientPhone: '',
      newAddress: null,
      pickupPointId: '',
      note: '',
      redeliveryDate: '',
    };
    return async (poste: Poste, context: Context) => poste.releaseHeld?.(context, request);
  };
  const done = (barcode: string) => ({ barcode, result: 'OK' });
  const refused = (barcode: string, errorCode = '') => ({ barcode, result: 'KO', errorCode, errorDescription: 'No' });

  it.each([
    ['another waybill was', releasedWith(done(SECOND)), handle],
    ['one of two was refused and the other is not named', releasedWith(refused(CODE)), bothParcels],
    ['the result is neither OK nor KO', releasedWith({ barcode: CODE, result: 'FORSE' }), handle],
  ])('is unknown when %s', (_what, reply, shipment) =>
    against([reply], async ({ fail }) => {
      expect(await fail(releasing(shipment))).toMatchObject({ kind: 'unknown-outcome' });
    }),
  );

  it('settles nothing when the contract is refused', () =>
    against([releasedWith(refused(CODE, 'E0001'))], async ({ fail }) => {
      expect(await fail(releasing())).toMatchObject({ code: 'credentials-refused', isAuthoritative: false });
    }));

  it('counts for one of two, and names the other', () =>
    against([releasedWith(done(CODE))], async ({ call }) => {
      expect(await call(releasing(bothParcels))).toMatchObject({ ok: true, message: `Fatto; ${SECOND}: no answer` });
    }));
});

describe('tracking with Poste', () => {
  it('takes 003 for a giacenza in whatever phase, also as a number', () =>
    against(
      [traced([CODE, [event('003', { phase: 'IN CONSEGNA' }), { ...event(''), status: 3, phase: 'IN TRANSITO' }]])],
      async ({ call }) => {
        expect((await call(tracking))?.events.map(({ status }) => status)).toEqual(['held', 'held']);
      },
    ));

  it.each([
    ['PRESA IN CARICO', 'picked_up'],
    ['IN TRANSITO', 'in_transit'],
    ['IN CONSEGNA', 'out_for_delivery'],
    ['CONSEGNATA', 'delivered'],
    ['RESO AL MITTENTE', 'returned'],
  ])('reads the phase %s as %s, also from what was kept', (phase, status) =>
    against([traced([CODE, [event('QQQ', { phase })]])], async ({ call }) => {
      const [read] = (await call(tracking))?.events ?? [];

      expect(read?.status).toBe(status);
      expect(posteIt.trackingCodes?.read({ code: 'QQQ', text: '', note: read?.note ?? '' }).status).toBe(status);
    }),
  );

  it('keeps the words of a message that is plain text', () =>
    against([json({ return: { outcome: 'KO', code: 101, messages: ['Formato errato'] } })], async ({ fail }) => {
      expect((await fail(tracking)).message).toContain('101 Formato errato');
    }));

  it('keeps the events beside a message that is plain text', () => {
    const answer = { outcome: 'OK', code: 0, messages: [{ messages: ['nessun esito'] }, 'x'] };
    const shipment = [{ waybillNumber: CODE, tracking: [event('PCP')] }];
    return against([json({ return: { ...answer, shipment } })], async ({ call }) => {
      expect(await call(tracking)).toMatchObject({ found: true, events: [{ code: 'PCP' }] });
    });
  });
});

describe('lists of Poste', () => {
  const listening = async <Result>(
    replies: readonly Reply[],
    run: (poste: Poste, context: Context) => Promise<Result>,
  ): Promise<{ result: Result; written: string }> => {
    const server = await startFakeServer([session, ...replies]);
    const { log, written } = listeningLog();
    const result = await callerOf(posteIt, account(server.url), { log }).call(run);
    await server.close();
    return { result, written: written() };
  };

  it('keep the other events beside one without a date', async () => {
    const odd = [event('AAA', { data: null }), event('BBB', { data: '2026-02-31 10:00' }), event('CCC', { phase: {} })];

    const { result, written } = await listening([traced([CODE, [...odd, event('PCP')]])], tracking);

    expect(result?.events.map(({ code }) => code)).toEqual(['PCP']);
    expect(written).toContain('"list":"tracking events","count":3,"fields":["data","phase"]');
  });

  it('keep the other held parcels beside an odd one', async () => {
    const parcel = { shipmentId: CODE, depositStatus: 'INGIACENZA', endDate: '2026-99-99' };
    const none = json({ result: 'KO', errorCode: 'E0003' });
    const item = [{ shipmentId: null, customerShipmentId: 'Anna' }, parcel];

    const { result, written } = await listening(
      [json({ result: 'OK', deposits: { item } }), none, none, none],
      async (poste, context) => poste.listHeld?.(context),
    );

    expect(result).toMatchObject([{ trackingNumber: CODE, deadline: null }]);
    expect(written).toContain('"list":"held parcels","count":1,"fields":["shipmentId"]');
    expect(written).not.toContain('Anna');
  });

  const points = (...deliveryPoint: unknown[]) => json({ return: { outcome: 'OK', code: 0, deliveryPoint } });
  const locker = { officeCode: 'L1', officeDescription: 'Locker' };

  it('keep the other points beside an odd one', async () => {
    const { result, written } = await listening(
      [points({ officeCode: null }, locker), points()],
      async (poste, context) => poste.findPickupPoints?.(context, { zip: '20121', city: 'Milano', countryCode: 'IT' }),
    );

    expect(result?.map(({ id }) => id)).toEqual(['APT-20121-L1']);
    expect(written).toContain('"list":"pickup points","count":1,"fields":["officeCode"]');
  });

  it('do not call a chosen point gone while an element cannot be read', () =>
    against([points({ officeCode: null })], async ({ fail }) => {
      const draft = buildDraft({ pickupPointId: 'APT-20121-L1' });

      expect(await fail((poste, context) => poste.createShipment(context, draft))).toMatchObject({ kind: 'retryable' });
    }));
});
