import { describe, expect, it } from 'vitest';
import type { CarrierEvent } from '../../../src/carriers/adapter.ts';
import { posteIt } from '../../../src/carriers/poste-it/index.ts';
import { together } from '../../../src/carriers/poste-it/tracking.ts';
import { TRACKING_CODES, TRACKING_PHASES } from '../../../src/carriers/poste-it/tracking-codes.ts';
import { buildDraft } from '../../support/build-draft.ts';
import { callerOf } from '../../support/call-carrier.ts';
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
  SECOND,
  sent,
  session,
  sold,
  TOKEN,
  traced,
} from './replies.ts';

type Poste = typeof posteIt;

describe('tracking with Poste', () => {
  const track = async (replies: readonly Reply[], shipment = handle) => {
    let report: Awaited<ReturnType<NonNullable<Poste['track']>>> | undefined;
    let question: unknown;
    await against(replies, async ({ call }, server) => {
      report = await call(async (poste, context) => poste.track?.(context, shipment));
      question = sent(server);
    });
    return { report, question };
  };

  it('asks for all waybills at once, and reports their events together on the clock of Italy', async () => {
    const { report, question } = await track(
      [traced([CODE, [event('PCP')]], [SECOND, [event('QQQ', { data: '2026-07-01 09:00', phase: 'IN TRANSITO ' })]])],
      bothParcels,
    );

    expect(question).toEqual({
      arg0: {
        shipmentsData: [
          { waybillNumber: CODE, lastTracingState: 'N' },
          { waybillNumber: SECOND, lastTracingState: 'N' },
        ],
        statusDescription: 'E',
        customerType: 'DQ',
      },
    });
    expect(report).toMatchObject({
      found: true,
      related: [],
      events: [
        {
          code: 'PCP',
          text: 'In transito presso il Centro Operativo Postale',
          at: new Date('2026-11-20T17:30:15Z'),
          location: 'Genova (GE)',
          note: `FASE DI PROVA, ${CODE}`,
          status: 'in_transit',
        },
        { code: 'QQQ', at: new Date('2026-07-01T07:00:00Z'), note: `IN TRANSITO, ${SECOND}`, status: 'in_transit' },
      ],
    });
  });

  it.each(Object.entries(TRACKING_PHASES))('knows the phase %s whatever the code', async (phase, { status }) => {
    const { report } = await track([traced([CODE, [event('QQQ', { phase: phase.toLowerCase() })]])]);

    expect(report?.events).toMatchObject([{ code: 'QQQ', status }]);
  });

  it.each([
    ['QQQ', 'RESO'],
    ['', ''],
    ['toString', 'constructor'],
  ])('guesses nothing of code "%s" in phase "%s"', async (code, phase) => {
    const { report } = await track([traced([CODE, [event(code, { phase })]])]);

    expect(report?.events).toMatchObject([{ code, status: 'unrecognised' }]);
  });

  it('takes a fresh waybill, which has a message and no events, for not found yet', async () => {
    expect((await track([traced([CODE, []])])).report).toEqual({ found: false, events: [], related: [] });
  });

  it('ends a shipment of several parcels with the last of them', () => {
    const at = new Date();
    const one = (status: CarrierEvent['status']): CarrierEvent => ({
      code: 'x',
      text: '',
      at,
      location: '',
      note: '',
      status,
    });
    const statuses = (...parcels: CarrierEvent[][]) => together(parcels).map(({ status }) => status);

    expect(statuses([one('in_transit'), one('delivered')], [one('held')])).toEqual([
      'in_transit',
      'in_transit',
      'held',
    ]);
    expect(statuses([one('delivered')], [])).toEqual(['in_transit']);
    expect(statuses([one('delivered')], [one('returned')])).toEqual(['delivered', 'returned']);
  });

  it.each([
    [
      { outcome: 'KO', code: 101, messages: [{ messages: [{ message: 'Formato errato' }] }] },
      'permanent',
      '101 Formato errato',
    ],
    [{ outcome: 'KO', code: '204' }, 'permanent', '204'],
    [{ outcome: 'KO', code: 999 }, 'retryable', '999'],
    [{ outcome: 'KO', code: 0 }, 'retryable', '0'],
    [
      { outcome: 'OK', code: 0, shipment: [{ waybillNumber: 'ALTRA', tracking: [] }] },
      'retryable',
      'could not be read',
    ],
  ])('%o is %s', (said, kind, words) =>
    against([json({ return: said })], async ({ fail }) => {
      const failure = await fail(async (poste, context) => poste.track?.(context, handle));

      expect(failure.kind).toBe(kind);
      expect(failure.message).toContain(words);
    }),
  );

  it('has one meaning for every code and phase', () => {
    for (const name of [...Object.keys(TRACKING_CODES), ...Object.keys(TRACKING_PHASES)]) {
      expect(name).toBe(name.trim().toUpperCase());
    }
  });
});

describe('the login of Poste', () => {
  const create = (poste: Poste, context: Context) => poste.createShipment(context, buildDraft());

  it.each([
    ['', TOKEN],
    ['Bearer ', `Bearer ${TOKEN}`],
  ])('writes the token after "%s"', (tokenPrefix, authorization) =>
    against(
      [sold()],
      async (caller, server) => {
        await caller.call(create);

        const [login, order] = server.requests;
        expect(JSON.parse(login?.body ?? '')).toEqual({
          clientId: 'cliente-di-prova',
          secretId: 'Segreta9!',
          scope: 'api://prova/.default',
          grantType: 'client_credentials',
        });
        expect(login?.headers).not.toHaveProperty('authorization');
        expect(order?.headers).toMatchObject({ poste_clientid: 'cliente-di-prova', authorization });
        expect(caller.exchanges.map(({ operation, effect }) => [operation, effect])).toEqual([
          ['sessions', 'read'],
          ['waybill', 'write'],
        ]);
      },
      { tokenPrefix },
    ),
  );

  const refusedToken = json({ statusCode: 401, message: 'Access token is invalid' }, 401);

  it('is renewed once when the token is refused before its time', () =>
    against([refusedToken, session, sold()], async (caller) => {
      expect(await caller.call(create)).toMatchObject({ trackingNumber: CODE });
    }));

  it('that stays refused is a fault of the account, in the words of the refusal', () =>
    against([refusedToken, session, refusedToken], async ({ fail }) => {
      expect(await fail(create)).toMatchObject({
        kind: 'permanent',
        code: 'credentials-refused',
        message: 'Poste Italiane answered 401 to waybill: Access token is invalid',
      });
    }));

  it('that breaks while the token is renewed has written nothing', () =>
    against([refusedToken, { status: 503 }], async ({ fail }) => {
      expect(await fail(create)).toMatchObject({
        kind: 'retryable',
      });
    }));

  it.each([
    [200, { error: 'unauthorized_client', error_description: 'Chi sei?' }, 'unauthorized_client: Chi sei?'],
    [401, { error: 'invalid_client', error_codes: [7] }, 'invalid_client'],
  ])('refused with status %i says why', async (status, body, words) => {
    const server = await startFakeServer([json(body, status)]);

    const failure = await callerOf(posteIt, account(server.url)).fail(create);
    await server.close();

    expect(failure).toMatchObject({
      kind: 'permanent',
      code: 'credentials-refused',
      message: `Poste Italiane refused the login: ${words} (correct clientId, secretId and scope)`,
    });
  });
});
