import { describe, expect, it } from 'vitest';
import type { glsIt } from '../../../src/carriers/gls-it/index.ts';
import { against, handle, shipmentWith, tracked } from './replies.ts';

describe('tracking with GLS Italy', () => {
  const track = (inside: string) => {
    let report: Awaited<ReturnType<NonNullable<typeof glsIt.track>>> | undefined;
    return against([tracked(inside)], async ({ call }, server) => {
      report = await call(async (gls, context) => gls.track?.(context, handle));
      expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({
        locpartenza: 'YA',
        NumSped: '610000001',
        CodCli: '0001',
      });
    }).then(() => report);
  };

  it('reads flat events, Latin-1 text, both time formats and a missing time', async () => {
    const report = await track(
      shipmentWith([
        { Codice: '905', Data: '17/07/26', Ora: '' },
        { Codice: ' 908 ', Data: '17/07/26', Ora: '08.05', Note: 'Località chiusa' },
        { Codice: '909', Data: '15/01/26', Ora: '', Luogo: '' },
      ]),
    );

    expect(report?.found).toBe(true);
    expect(report?.events).toEqual([
      {
        code: '909',
        text: 'x',
        at: new Date('2026-01-14T23:00:00Z'),
        location: '',
        note: '',
        status: 'awaiting_pickup',
      },
      {
        code: '908',
        text: 'x',
        at: new Date('2026-07-17T06:05:00Z'),
        location: 'MILANO',
        note: 'Località chiusa',
        status: 'in_transit',
        delayed: true,
      },
      {
        code: '905',
        text: 'x',
        at: new Date('2026-07-17T06:05:00Z'),
        location: 'MILANO',
        note: '',
        status: 'out_for_delivery',
      },
    ]);
  });

  it.each([
    ['no declaration, in Latin-1', '', 'latin1'],
    ['a declaration of UTF-8', '<?xml version="1.0" encoding="UTF-8"?>', 'utf8'],
  ] as const)('reads a document with %s', (_what, declaration, encoding) => {
    const markup = `${declaration}<ELENCO>${shipmentWith([{ Codice: '903', Luogo: 'FORLÌ' }])}</ELENCO>`;
    return against([{ body: Buffer.from(markup, encoding) }], async ({ call }) => {
      const report = await call(async (gls, context) => gls.track?.(context, handle));

      expect(report?.events[0]?.location).toBe('FORLÌ');
    });
  });

  it('takes the end of a return as returned, never as delivered', async () => {
    const back =
      '<SPEDIZIONEDIRIENTRO><NumSped>610000777</NumSped><SedePartenza>MI</SedePartenza><DataPartenza>20/11/26</DataPartenza>' +
      '<TRACKING><Data>22/11/26</Data><Ora>09:00</Ora><Codice>906</Codice><Data>20/11/26</Data><Ora>09:00</Ora><Codice>902</Codice>' +
      '</TRACKING></SPEDIZIONEDIRIENTRO>';

    const report = await track(shipmentWith([{ Codice: '29' }], back));

    expect(report?.events.map((event) => event.status)).toEqual(['returning', 'returning', 'returned']);
    expect(report?.related).toEqual([
      { type: 'return', trackingNumber: 'MI610000777', date: new Date('2026-11-19T23:00:00Z') },
    ]);
  });

  it('goes on with the events of a forwarding', async () => {
    const forward =
      '<SPEDIZIONEDINOLTRO><NumSped>RM610000778</NumSped><TRACKING><Data>22/11/26</Data><Ora>09:00</Ora><Codice>906</Codice></TRACKING></SPEDIZIONEDINOLTRO>';

    const report = await track(shipmentWith([{ Codice: '16' }], forward));

    expect(report?.events.map((event) => event.status)).toEqual(['in_transit', 'delivered']);
    expect(report?.related).toEqual([{ type: 'forward', trackingNumber: 'RM610000778', date: null }]);
  });

  it('calls a shipment that GLS does not know not found', async () => {
    expect(await track('<TESTOERRORE>Nessuna spedizione</TESTOERRORE>')).toEqual({
      events: [],
      related: [],
      found: false,
    });
  });
});
