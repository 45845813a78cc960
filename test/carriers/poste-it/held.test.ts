import { describe, expect, it } from 'vitest';
import type { ReleaseRequest } from '../../../src/carriers/adapter.ts';
import type { posteIt } from '../../../src/carriers/poste-it/index.ts';
import { HELD_ACTIONS } from '../../../src/domain/held-actions.ts';
import { buildParty } from '../../support/build-draft.ts';
import {
  against,
  bothParcels,
  CODE,
  type Context,
  handle,
  json,
  releasedWith as released,
  SECOND,
  sent,
} from './replies.ts';

type Poste = typeof posteIt;

describe('parcels that Poste holds', () => {
  const deposit = (overrides: Record<string, unknown> = {}) => ({
    shipmentId: CODE,
    customerShipmentId: 'SM0000042',
    depositStatus: 'INGIACENZA',
    motivationId: 'DESTASS',
    motivationDescription: '',
    releasable: 'Y',
    startDate: '2026-11-18',
    endDate: '2026-12-02',
    cdc: 'CDC-00000001',
    ...overrides,
  });
  const held = (...item: unknown[]) => json({ result: 'OK', errorCode: '', errorDescription: '', deposits: { item } });
  const ko = (errorCode: string, errorDescription = 'x') => json({ result: 'KO', errorCode, errorDescription });
  const none = ko('E0003');
  const listed = async (poste: Poste, context: Context) => poste.listHeld?.(context);

  it('are asked for in windows of ten days, without gap or overlap', () =>
    against([none, held(deposit()), held(), json({ result: 'OK' })], async ({ call, exchanges }, server) => {
      expect(await call(listed)).toEqual([
        {
          trackingNumber: CODE,
          reference: 'SM0000042',
          reason: 'Destinatario assente',
          cause: 'absent',
          since: new Date('2026-11-17T23:00:00Z'),
          deadline: new Date('2026-12-01T23:00:00Z'),
          isReleasable: true,
        },
      ]);
      expect(exchanges.every(({ effect }) => effect === 'read')).toBe(true);
      const windows = server.requests.slice(1).map(({ body }) => JSON.parse(body));
      const day = (text: string) => Date.parse(text.replace(/(....)(..)(..)/, '$1-$2-$3')) / 86_400_000;
      windows.forEach(({ dateFrom, dateTo, status, depositReason }, index) => {
        expect(day(dateTo) - day(dateFrom)).toBe(9);
        expect([status, depositReason]).toEqual(['', '']);
        if (index > 0) expect(day(windows[index - 1].dateFrom) - day(dateTo)).toBe(1);
      });
    }));

  it.each(['SVINCOLATA', 'RELEASED', 'SCADUTA', 'EXPIRED', 'RICHIESTO', 'REQUESTED', 'SVINCOLOPR'])(
    'stop waiting when they are %s',
    (depositStatus) =>
      against([held(deposit({ depositStatus })), none, none, none], async ({ call }) => {
        expect(await call(listed)).toEqual([]);
      }),
  );

  it('are those of our cost centre, in whatever words, and with whatever is missing', () =>
    against(
      [
        held(
          deposit({ cdc: 'CDC-99999999' }),
          deposit({ depositStatus: 'IN STORAGE', motivationId: 'RECIPREF', releasable: 'N' }),
          deposit({ depositStatus: 'NUOVO', motivationDescription: 'Zona isolata', cdc: '' }),
          deposit({ motivationId: 'NUOVO', startDate: '', endDate: '0000' }),
        ),
        none,
        none,
        none,
      ],
      async ({ call }) => {
        expect(await call(listed)).toMatchObject([
          { reason: 'Rifiutata dal destinatario', isReleasable: false },
          { reason: 'Zona isolata', isReleasable: true },
          { reason: 'NUOVO', since: null, deadline: null },
        ]);
      },
    ));

  it('are asked for in smaller pieces when they are too many', () =>
    against([ko('E0018'), held(deposit()), none, none, none, none], async ({ call }, server) => {
      expect(await call(listed)).toHaveLength(1);
      const [, whole, later, earlier] = server.requests.map(({ body }) => JSON.parse(body));
      expect(later.dateTo).toBe(whole.dateTo);
      expect(earlier.dateFrom).toBe(whole.dateFrom);
      expect(Number(earlier.dateTo)).toBeLessThan(Number(later.dateFrom));
    }));

  it.each([
    ['E0001', 'permanent', 'credentials-refused'],
    ['E0018', 'permanent', 'refused'],
    ['E0999', 'retryable', 'partner-broken'],
  ])('%s proves an account wrong or Poste broken: %s', (errorCode, kind, code) =>
    against([ko(errorCode)], async ({ fail }) => {
      expect(await fail(async (poste, context) => poste.verifyAccount?.(context))).toMatchObject({ kind, code });
    }),
  );

  it('that are none prove an account right', () =>
    against([none], async ({ call, exchanges }) => {
      await call(async (poste, context) => poste.verifyAccount?.(context));

      expect(exchanges.map(({ effect }) => effect)).toEqual(['read', 'read']);
    }));

  const release = (overrides: Partial<ReleaseRequest> = {}) => {
    const request: ReleaseRequest = {
      shipment: handle,
      action: 'RETURN_TO_SENDER',
      recipientPhone: '',
      newAddress: null,
      pickupPointId: '',
      note: '',
      redeliveryDate: '2026-11-24',
      ...overrides,
    };
    return async (poste: Poste, context: Context) => poste.releaseHeld?.(context, request);
  };
  const done = (barcode: string) => ({ barcode, result: 'OK', errorCode: '', errorDescription: '' });
  const refused = (barcode: string) => ({ barcode, result: 'KO', errorCode: 'X00001', errorDescription: 'Scaduta' });

  it.each([
    ['REDISPATCH_SAME_ADDRESS', 'AZ0001'],
    ['REDISPATCH_NEW_ADDRESS', 'AZ0002'],
    ['RETURN_TO_SENDER', 'AZ0005'],
    ['DESTROY', 'AZ0003'],
    ['PICKUP_AT_DEPOT', 'AZ0006'],
  ] as const)('are released with %s as %s', (action, releaseAction) =>
    against([released(done(CODE))], async ({ call, exchanges }, server) => {
      const newAddress = buildParty({ company: 'Ditta Neri', address: 'Via Po 1234/B' });

      expect(await call(release({ action, newAddress }))).toMatchObject({ ok: true, message: 'Fatto' });
      expect(HELD_ACTIONS).toContain(action);
      expect(exchanges.at(-1)).toMatchObject({ effect: 'write' });
      expect(sent(server)).toMatchObject({
        releaseAct: { shipmentId: CODE, releaseAction },
        shipmentId: { item: [{ barcode: CODE }] },
        address: {
          item:
            action === 'REDISPATCH_NEW_ADDRESS'
              ? [{ givenName: 'Ditta Neri Anna Bianchi', streetName: 'Via Po', streetNumber: '1234/B', country: 'IT' }]
              : [],
        },
      });
    }),
  );

  it.each([
    ['PICKUP_AT_OFFICE', '55123', 'AZ0004', '55123'],
    ['PICKUP_AT_LOCKER', 'APT-20121-L1', 'AZ0007', 'L1'],
    ['PICKUP_AT_SHOP', 'RTZ-20121-S1', 'AZ0008', 'S1'],
  ] as const)('are released with %s at %s as %s', (action, pickupPointId, releaseAction, officeId) =>
    against([released(done(CODE))], async ({ call }, server) => {
      expect(await call(release({ action, pickupPointId }))).toMatchObject({ ok: true });
      expect(sent(server)).toMatchObject({ releaseAct: { releaseAction }, officeId });
    }),
  );

  it.each([
    [[done(CODE), refused(SECOND)], true, `Fatto; ${SECOND}: X00001 Scaduta`],
    [[refused(CODE), refused(SECOND)], false, `Fatto; ${CODE}: X00001 Scaduta; ${SECOND}: X00001 Scaduta`],
  ])('of several waybills are released one by one: %#', (item, ok, message) =>
    against([released(...item)], async ({ call }, server) => {
      expect(await call(release({ shipment: bothParcels }))).toMatchObject({ ok, message });
      expect(sent(server).shipmentId.item).toEqual([{ barcode: CODE }, { barcode: SECOND }]);
    }),
  );

  it.each([
    ['no results', released()],
    ['a generic error', released({ barcode: CODE, result: 'KO', errorCode: 'E0999', errorDescription: 'Errore' })],
    ['KO without a reason', released({ barcode: CODE, result: 'KO' })],
  ])('are in an unknown state after %s', (_title, reply) =>
    against([reply], async ({ fail }) => {
      expect(await fail(release())).toMatchObject({ kind: 'unknown-outcome' });
    }),
  );
});
