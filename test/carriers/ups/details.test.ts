import { describe, expect, it } from 'vitest';
import { ups } from '../../../src/carriers/ups/index.ts';
import { REFUSALS } from '../../../src/carriers/ups/refusals.ts';
import { buildDraft } from '../../support/build-draft.ts';
import { against, event, json, NUMBER, recovered, refused, SECOND, token, tracked, voided } from './replies.ts';

const handle = { reference: 'SM0000042', trackingNumber: NUMBER, carrierReference: NUMBER };
type Carrier = typeof ups;
type Context = Parameters<Carrier['createShipment']>[0];

describe('refusals of UPS', () => {
  const failed = async (reply: Parameters<typeof json>[0], status: number) => {
    let failure: unknown;
    await against([token, json(reply, status)], async ({ fail }) => {
      failure = await fail(async (carrier, context) => carrier.rates?.(context, buildDraft()));
    });
    return failure;
  };
  const open = ['partner-broken', 'throttled'];

  it.each(Object.entries(REFUSALS))('%s ends as documented, with words and advice', async (code, meaning) => {
    const reply = { response: { errors: [{ code, message: 'Said so.' }] } };

    expect(await failed(reply, 400)).toMatchObject({
      kind: open.includes(meaning.code) ? 'retryable' : 'permanent',
      code: meaning.code,
      message: `UPS refused: Said so [${code}] (${meaning.advice})`,
    });
  });

  it.each([
    ['one', { PrimaryErrorCode: { Code: '120100', Description: 'Missing or invalid shipper number' } }],
    ['a list', [{ PrimaryErrorCode: { Code: 120_100, Description: 'Missing or invalid shipper number' } }]],
  ])('are read in their older shape, with %s', async (_what, ErrorDetail) => {
    expect(await failed({ Fault: { detail: { Errors: { ErrorDetail } } } }, 400)).toMatchObject({
      kind: 'permanent',
      code: 'credentials-refused',
      message: 'UPS refused: Missing or invalid shipper number [120100] (correct shipperNumber)',
    });
  });

  it.each([
    [403, [{ code: '1', message: 'Blocked Merchant' }], 'credentials-refused'],
    [404, [{ code: '1', message: 'Nothing here' }], 'not-found-at-partner'],
    [400, [{ code: '1', message: 'A' }, { message: 'B.' }], 'refused'],
  ])('%i with %o is final', async (status, errors, code) => {
    expect(await failed({ response: { errors } }, status)).toMatchObject({ kind: 'permanent', code });
  });

  it.each(['10429', '20001'])('%s on a write is an unknown outcome', (code) =>
    against([token, refused(code, 'Not now')], async ({ fail }) => {
      expect(await fail((carrier, context) => carrier.createShipment(context, buildDraft()))).toMatchObject({
        kind: 'unknown-outcome',
      });
    }),
  );

  it('wait as long as UPS asks, for a token too', () =>
    against([{ status: 429, headers: { 'retry-after': '9' }, body: '' }], async ({ fail }) => {
      expect(await fail((carrier, context) => carrier.createShipment(context, buildDraft()))).toMatchObject({
        kind: 'retryable',
        code: 'throttled',
        retryAfterMs: 9000,
      });
    }));
});

describe('cancelling with UPS', () => {
  const cancel = (carrierReference: string) => async (carrier: Carrier, context: Context) =>
    carrier.cancelShipment?.(context, { ...handle, carrierReference });

  it('reads codes through the carriage returns of the test environment', () =>
    against(
      [
        token,
        voided({
          Response: { ResponseStatus: { Code: '\r\n1\r\n' } },
          SummaryResult: { Status: { Code: '&#xD;\n1&#xD;', Description: 'Voided' } },
          PackageLevelResults: { TrackingNumber: NUMBER, Status: { Code: '1&#13;' } },
        }),
      ],
      async ({ call }) => {
        await call(cancel(NUMBER));
      },
    ));

  it('takes every shipment back that was found under a reference', () =>
    against(
      [
        token,
        { ...voided(), to: `DELETE /api/shipments/v2409/void/cancel/${NUMBER}` },
        { ...voided(), to: `DELETE /api/shipments/v2409/void/cancel/${SECOND}` },
      ],
      async ({ call }) => {
        await call(cancel(`${NUMBER},${SECOND}`));
      },
    ));

  it.each([
    [
      'the summary says no',
      { SummaryResult: { Status: { Code: '0', Description: 'Not Voided' } } },
      'UPS refused: Not Voided',
    ],
    [
      'a package stays',
      {
        PackageLevelResults: [
          { TrackingNumber: NUMBER, Status: { Code: '1' } },
          { TrackingNumber: SECOND, Status: { Code: '0' } },
        ],
      },
      SECOND,
    ],
  ])('fails when %s', (_what, overrides, words) =>
    against([token, voided(overrides)], async ({ fail }) => {
      const failure = await fail(cancel(NUMBER));

      expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
      expect(failure.message).toContain(words);
    }),
  );

  it('believes label recovery where the answer is none of UPS', () =>
    against(
      [
        token,
        json({ VoidShipmentResponse: {} }),
        refused('300033', 'The shipment has been voided.'),
        token,
        json({ VoidShipmentResponse: {} }),
        recovered(),
      ],
      async ({ call, fail }) => {
        await call(cancel(NUMBER));
        expect(await fail(cancel(NUMBER))).toMatchObject({ kind: 'unknown-outcome', code: 'answer-unreadable' });
      },
    ));

  it('settles nothing with a package that stays beside one that went', () =>
    against(
      [
        token,
        voided({
          SummaryResult: { Status: { Code: '0', Description: 'Not Voided' } },
          PackageLevelResults: [
            { TrackingNumber: NUMBER, Status: { Code: '1' } },
            { TrackingNumber: SECOND, Status: { Code: '0' } },
          ],
        }),
        token,
        voided({ SummaryResult: { Status: { Code: '0', Description: 'Not Voided' } } }),
      ],
      async ({ fail }) => {
        expect(await fail(cancel(NUMBER))).toMatchObject({ kind: 'permanent', isAuthoritative: false });
        expect(await fail(cancel(NUMBER))).toMatchObject({ kind: 'permanent', isAuthoritative: true });
      },
    ));

  it('does not take another refusal for done', () =>
    against([token, refused('190102', 'No shipment found within the allowed void period')], async ({ fail }) => {
      expect(await fail(cancel(NUMBER))).toMatchObject({ kind: 'permanent', code: 'refused' });
    }));
});

describe('tracking with UPS', () => {
  const track = async (...activity: Record<string, unknown>[]) => {
    let report: Awaited<ReturnType<NonNullable<Carrier['track']>>> | undefined;
    await against([token, tracked({ activity })], async ({ call }, server) => {
      report = await call(async (carrier, context) => carrier.track?.(context, handle));
      expect(server.requests[1]?.path).toBe(`/api/track/v1/details/${NUMBER}`);
      expect(server.requests[1]?.query.get('locale')).toBe('it_IT');
    });
    return report?.events ?? [];
  };

  it('reads the time of the place by its offset, else by its country, else that of Italy', async () => {
    const events = await track(
      event('011', { time: '090630', gmtOffset: '-05:00' }),
      event('6', { gmtOffset: '', time: '74700' }),
      event('003', { location: null }),
      event('003', { location: { address: { country: 'IT' } } }),
    );

    expect(events[0]).toEqual({
      code: '011',
      text: 'x',
      at: new Date('2026-11-20T14:06:30Z'),
      location: 'Milano, IT',
      note: '',
      status: 'delivered',
    });
    expect(events[1]).toMatchObject({ at: new Date('2026-11-20T06:47:00Z'), status: 'out_for_delivery' });
    expect(events.slice(2).map(({ location }) => location)).toEqual(['', 'IT']);
    const at = async (countryCode: string) => {
      const location = { address: { city: 'X', countryCode } };
      const [read] = await track(event('6', { gmtOffset: '', time: '120000', location }));
      return read?.at.toISOString();
    };
    expect(await at('US')).toBe('2026-11-20T17:00:00.000Z');
    expect(await at('GB')).toBe('2026-11-20T12:00:00.000Z');
    expect(await at('JP')).toBe('2026-11-20T03:00:00.000Z');
    expect(await at('Nowhere')).toBe('2026-11-20T11:00:00.000Z');
  });

  it('keeps the events that can be read beside one that cannot', async () => {
    const events = await track(
      event('011'),
      event('6', { time: {} }),
      event('6', { date: '20261399' }),
      event('6', { date: '20261399', gmtOffset: '' }),
      event('038', { time: 90_000 }),
    );

    expect(events.map(({ code }) => code)).toEqual(['011', '038']);
  });

  it('falls back to the type of the activity for a code that UPS added later', async () => {
    const activityOf = (type: string, statusCode: string) =>
      event('', { status: { type, statusCode, description: 'x' } });

    expect(
      await track(
        ...[
          ['D', '204'],
          ['X', 'new'],
          ['U', '205'],
          ['I', '27'],
          ['', '206'],
        ].map(([type = '', code = '']) => activityOf(type, code)),
      ),
    ).toMatchObject([
      { code: '204', status: 'delivered', note: 'UPS type D' },
      { code: 'new', status: 'exception' },
      { code: '205', status: 'unrecognised' },
      { code: '27', status: 'unrecognised', note: '' },
      { code: '206', status: 'unrecognised', note: '' },
    ]);
  });

  it('knows a delay, and guesses nothing about voiding and changes of service', async () => {
    expect(
      await track(event('48'), event('68'), ...['7', '43', '114', '27', '0', '163'].map((code) => event(code))),
    ).toMatchObject([
      { status: 'in_transit', delayed: true },
      { status: 'exception' },
      ...Array.from({ length: 6 }, () => ({ status: 'unrecognised' })),
    ]);
  });

  it.each([
    ['a warning', json({ trackResponse: { shipment: [{ warnings: [{ code: 'TW0001', message: 'Not Found' }] }] } })],
    ['404', refused('TV1002', 'Invalid inquiry number', 404)],
  ])('calls a parcel that UPS does not know yet, by %s, not found', (_what, reply) =>
    against([token, reply], async ({ call }) => {
      expect(await call(async (carrier, context) => carrier.track?.(context, handle))).toEqual({
        found: false,
        events: [],
        related: [],
      });
    }),
  );

  it('names the public page of a number', () => {
    expect(ups.trackingUrl?.('1Z 1', {})).toBe('https://www.ups.com/track?loc=it_IT&tracknum=1Z%201');
  });

  it('is not fobbed off with another parcel', () =>
    against([token, tracked({ trackingNumber: SECOND })], async ({ fail }) => {
      expect(await fail(async (carrier, context) => carrier.track?.(context, handle))).toMatchObject({
        kind: 'retryable',
      });
    }));
});
