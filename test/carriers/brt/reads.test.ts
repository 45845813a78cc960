import { describe, expect, it } from 'vitest';
import { brt } from '../../../src/carriers/brt/index.ts';
import { callerOf, listeningLog } from '../../support/call-carrier.ts';
import { type Reply, startFakeServer } from '../../support/fake-server.ts';
import {
  account,
  against,
  bodyOf,
  EMPTY,
  event,
  handle,
  json,
  message,
  parcel,
  routed,
  shipment,
  soapEvent,
} from './replies.ts';

describe('checking an address with BRT', () => {
  const question = { province: 'mi', city: 'Milano', address: 'Via Roma 12', zip: '20121' };
  const milano = {
    arrivalDepot: '061',
    deliveryZone: 12,
    consigneeZIPCode: '20122',
    consigneeCity: 'MILANO',
    consigneeProvinceAbbreviation: 'MI',
  };

  it.each([
    ['ok', message(0, '', 'OK'), 1],
    ['ok', message(4, 'ZIP CHANGED'), 1],
    ['not_found', message(-63, 'NO ROUTE'), 0],
  ] as const)('answers %s to %o', (status, said, count) =>
    against([routed(said, milano)], async ({ call, exchanges }) => {
      const result = await call(async (one, context) => one.checkAddress?.(context, question));

      expect(result).toMatchObject({ status, message: said.message || said.codeDesc });
      expect(result?.addresses).toHaveLength(count);
      expect(exchanges[0]?.effect).toBe('read');
    }),
  );

  it('fills what BRT says, and leaves the other fields empty', () =>
    against([routed(message(0), milano)], async ({ call }, server) => {
      const result = await call(async (one, context) => one.checkAddress?.(context, question));

      const [address] = result?.addresses ?? [];
      expect(Object.keys(address ?? {})).toHaveLength(20);
      expect(Object.fromEntries(Object.entries(address ?? {}).filter(([, value]) => value !== ''))).toEqual({
        Cap: '20122',
        Comune: 'MILANO',
        SiglaProvincia: 'MI',
        Sede: '061',
        Zona: '12',
      });
      expect(bodyOf(server).routingData).toMatchObject({
        consigneeAddress: 'Via Roma 12',
        consigneeProvinceAbbreviation: 'MI',
        numberOfParcels: 1,
      });
    }));

  it('proves an account, and takes a missing route for a proof too', async () => {
    for (const said of [message(0), message(-63)]) {
      await against([routed(said)], async ({ call }) => {
        await call(async (one, context) => one.verifyAccount?.(context));
      });
    }
    await against([routed(message(-67))], async ({ fail }) => {
      const failure = await fail(async (one, context) => one.verifyAccount?.(context));

      expect(failure).toMatchObject({ kind: 'permanent', code: 'credentials-refused' });
    });
  });
});

describe('tracking with BRT', () => {
  const track = (replies: Reply[], trackingNumber = handle.trackingNumber) => {
    let report: Awaited<ReturnType<NonNullable<typeof brt.track>>> | undefined;
    return against(replies, async ({ call }, server) => {
      report = await call(async (one, context) => one.track?.(context, { ...handle, trackingNumber }));
      if (trackingNumber.length === 15) {
        expect(server.requests[0]?.headers).toMatchObject({ userid: '1020304', password: 'Segreta9!' });
      }
    }).then(() => report);
  };

  it('reads newest first, skips the padding, and places an event without a time after its predecessor', async () => {
    const report = await track([
      parcel([
        event('MIC', { data: '17.07.2026', ora: '' }),
        event(' 703 ', { data: '17.07.2026', ora: '08.05', filiale: 'FORLÌ' }),
        event('702', { data: '15.01.2026', ora: '' }),
        EMPTY,
        { evento: null },
        {},
      ]),
    ]);

    expect(report?.found).toBe(true);
    expect(report?.events.map(({ code, at, status }) => [code, at.toISOString(), status])).toEqual([
      ['702', '2026-01-14T23:00:00.000Z', 'in_transit'],
      ['703', '2026-07-17T06:05:00.000Z', 'in_transit'],
      ['MIC', '2026-07-17T06:05:00.000Z', 'out_for_delivery'],
    ]);
    expect(report?.events[1]).toMatchObject({ location: 'FORLÌ', text: 'x', note: '' });
  });

  it('knows a code that lost its zeros, and flags what is late', async () => {
    const report = await track([parcel([event(27), event('ZSC'), event('G02'), event('G')])]);

    expect(report?.events.map(({ status, delayed }) => [status, delayed])).toEqual([
      ['held', undefined],
      ['attempt_failed', undefined],
      ['in_transit', true],
      ['in_transit', undefined],
    ]);
  });

  it.each([
    ['no event at all', [EMPTY], ['delivered']],
    ['an unknown last event', [event('XYZ')], ['unrecognised', 'delivered']],
    ['an event that says so', [event('704')], ['delivered']],
    ['a return', [event('708')], ['returned']],
  ])('takes a date of delivery for a delivery, beside %s', async (_what, events, statuses) => {
    const bolla = { dati_consegna: { data_consegna_merce: '16.11.2026', ora_consegna_merce: '15.40' } };

    const report = await track([parcel(events, { bolla })]);

    expect(report?.events.map(({ status }) => status)).toEqual(statuses);
  });

  it.each([
    ['status 404', { status: 404, body: 'not here' }],
    ['the code of the message', json({ ttParcelIdResponse: { executionMessage: message(-11) } })],
    ['the outcome', parcel([], { esito: -11 })],
    ['nothing but padding', parcel([EMPTY, EMPTY], { bolla: { dati_spedizione: { spedizione_id: '0' } } })],
  ])('asks again later when BRT says by %s that it has no record', async (_what, reply) => {
    expect(await track([reply])).toEqual({ events: [], related: [], found: false });
  });

  it('is found before its first event', async () => {
    const bolla = { dati_spedizione: { spedizione_id: '061014000001' } };

    expect(await track([parcel([EMPTY], { bolla })])).toEqual({ events: [], related: [], found: true });
  });

  it.each([
    [
      'a missing login',
      json({ ttParcelIdResponse: { executionMessage: message(-57, 'MISSING PARAM') } }),
      'credentials-refused',
    ],
    ['an outcome of its own', parcel([], { esito: -3 }), 'partner-broken'],
  ])('fails on %s', (_what, reply, code) =>
    against([reply], async ({ fail }) => {
      const failure = await fail(async (one, context) => one.track?.(context, handle));

      expect(failure.code).toBe(code);
    }),
  );

  it('keeps the other events beside one with an odd date or none, and carries minutes over', async () => {
    const server = await startFakeServer([
      parcel([
        event('704', { data: 'ieri', filiale: 'Anna Bianchi' }),
        event('MIC', { data: '' }),
        event('703', { data: '31.02.2026' }),
        event('702', { ora: '23.75' }),
        { evento: { ...event('701').evento, filiale: { odd: true } } },
        EMPTY,
      ]),
    ]);
    const { log, written } = listeningLog();

    const report = await callerOf(brt, account(server.url), { log }).call(async (one, context) =>
      one.track?.(context, handle),
    );
    await server.close();

    expect(report?.events.map(({ code, at }) => [code, at.toISOString()])).toEqual([
      ['702', '2026-11-16T23:15:00.000Z'],
    ]);
    expect(written()).toContain('"list":"tracking events","count":4,"fields":["evento.data","evento.filiale"]');
    expect(written()).not.toContain('Anna');
  });

  it('keeps the events when the date of delivery cannot be read', async () => {
    const bolla = { dati_consegna: { data_consegna_merce: '99.99.9999', ora_consegna_merce: '15.40' } };

    const report = await track([parcel([event('MIC')], { bolla })]);

    expect(report?.events.map(({ status }) => status)).toEqual(['out_for_delivery']);
  });

  it('asks by SOAP for a shipment that is known by its twelve digits', () =>
    against([shipment({ events: soapEvent('704') + soapEvent('MIC') })], async ({ call }, server) => {
      const found = { ...handle, trackingNumber: '061014000001' };

      const report = await call(async (one, context) => one.track?.(context, found));

      expect(report?.events.map(({ code, status, location }) => [code, status, location])).toEqual([
        ['MIC', 'out_for_delivery', 'MILANO'],
        ['704', 'delivered', 'MILANO'],
      ]);
      expect(server.requests[0]?.body).toContain(
        '<SPEDIZIONE_ANNO>0</SPEDIZIONE_ANNO><SPEDIZIONE_BRT_ID>061014000001</SPEDIZIONE_BRT_ID>',
      );
    }));

  it('reads one list of SOAP events as well as many', async () => {
    const events = (soapEvent('704') + soapEvent('MIC')).replace('</LISTA_EVENTI><LISTA_EVENTI>', '');

    const report = await track([shipment({ events })], '061014000001');

    expect(report?.events.map(({ code }) => code)).toEqual(['MIC', '704']);
  });

  it('takes an answer in another language than asked for, and asks for last year too', async () => {
    const report = await track(
      [shipment({ esito: -11 }), shipment({ esito: 2, events: soapEvent('703') })],
      '061014000001',
    );

    expect(report?.events).toHaveLength(1);
    expect(await track([shipment({ esito: -11 }), shipment({ esito: -11 })], '061014000001')).toMatchObject({
      found: false,
    });
  });
});
