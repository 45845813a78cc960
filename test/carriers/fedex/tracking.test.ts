import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fedex } from '../../../src/carriers/fedex/index.ts';
import { dayAfter, wallClock } from '../../../src/lib/clock.ts';
import {
  against,
  event,
  identified,
  json,
  missing,
  NUMBER,
  parcelOf,
  refused,
  SECOND,
  sent,
  token,
  tracked,
} from './replies.ts';

const handle = { reference: 'SM0000042', trackingNumber: NUMBER, carrierReference: NUMBER };

describe('tracking with FedEx', () => {
  const read = async (caller: { call: Parameters<Parameters<typeof against>[1]>[0]['call'] }) =>
    caller.call(async (carrier, context) => carrier.track?.(context, handle));
  const eventsOf = async (...scanEvents: Record<string, unknown>[]) => {
    let report: Awaited<ReturnType<typeof read>>;
    await against([token, tracked({ scanEvents })], async (caller) => {
      report = await read(caller);
    });
    return report?.events ?? [];
  };

  it('asks with the keys of the tracking project', () =>
    against([token, tracked({})], async (caller, server) => {
      await read(caller);

      expect(server.requests[0]?.body).toContain('client_id=keyTwo&client_secret=Riservatissimo8%21');
      expect(sent(server)).toEqual({
        includeDetailedScans: true,
        trackingInfo: [{ trackingNumberInfo: { trackingNumber: NUMBER } }],
      });
    }));

  it('asks with the ship dates of what was booked here, up to the day that FedEx has', () =>
    against([token, tracked({})], async ({ call }, server) => {
      const now = Date.now();
      const daysAgo = (days: number) => new Date(now - days * 86_400_000);
      const memphis = wallClock(new Date(now), 'America/Chicago').date;
      // From the moment of the booking: across a change of the clocks, days before now are not whole days.
      const dayOf = (bookedDaysAgo: number, shift: number) => dayAfter(daysAgo(bookedDaysAgo), shift, 'Europe/Rome');
      const handles = [daysAgo(3), daysAgo(40), daysAgo(0), null].map((bookedAt) => ({ ...handle, bookedAt }));

      await call(async (carrier, context) => carrier.trackMany?.track(context, handles));

      const [fresh, old, today, unknown] = sent(server).trackingInfo;
      expect(fresh).toMatchObject({ shipDateBegin: dayOf(3, -1), shipDateEnd: memphis });
      expect(old).toMatchObject({ shipDateBegin: dayOf(40, -1), shipDateEnd: dayOf(40, 28) });
      expect(today.shipDateEnd).toBe(dayOf(0, 0) > memphis ? undefined : memphis);
      expect(unknown).toEqual({ trackingNumberInfo: { trackingNumber: NUMBER } });
    }));

  it('reads the time of the place, else that of Italy, and says why something went wrong', async () => {
    const events = await eventsOf(
      event('DE', {
        date: '2026-11-20T09:06:30-05:00',
        exceptionCode: '15',
        exceptionDescription: 'Customer not available',
      }),
      event('OD', { date: '2026-11-20T07:47:00', scanLocation: null }),
      event('OC', { date: '2026-11-19', scanLocation: { countryCode: 'IT' } }),
    );

    expect(events[0]).toEqual({
      code: 'DE',
      text: 'x',
      at: new Date('2026-11-20T14:06:30Z'),
      location: 'MILANO, IT',
      note: 'Customer not available [15]',
      status: 'attempt_failed',
    });
    expect(events[1]).toMatchObject({ at: new Date('2026-11-20T06:47:00Z'), location: '' });
    expect(events[2]).toMatchObject({ at: new Date('2026-11-18T23:00:00Z'), location: 'IT', note: '' });
  });

  it('knows delays by code and by detail, takes the derived status where there is no other, and guesses nothing', async () => {
    const odd = ['CA', 'CH', 'RC', 'ow', 'BR', 'toString'];
    expect(await eventsOf(event('AE'), event('AO'))).toMatchObject([
      { status: 'in_transit' },
      { status: 'in_transit' },
    ]);
    expect(
      await eventsOf(
        event('DY'),
        event('IT', { delayDetail: { type: 'WEATHER', status: 'DELAYED' } }),
        event('IT', { delayDetail: { status: 'ON_TIME' } }),
        event('', { derivedStatusCode: 'DL' }),
        ...odd.map((code) => event(code)),
      ),
    ).toMatchObject([
      { status: 'in_transit', delayed: true },
      { status: 'in_transit', delayed: true },
      { code: 'IT', status: 'in_transit' },
      { code: 'DL', status: 'delivered' },
      ...odd.map((code) => ({ code, status: 'unrecognised' })),
    ]);
  });

  it('calls a parcel returned that is delivered after it turned back', async () => {
    const day = (date: number) => ({ date: `2026-11-${date}T10:00:00+01:00` });

    expect(
      await eventsOf(event('DL', day(20)), event('RS', day(18)), event('DL', day(17)), event('OC', day(16))),
    ).toMatchObject([{ status: 'returned' }, { status: 'returning' }, { status: 'delivered' }, {}]);
  });

  it('follows the number of a return', () =>
    against(
      [
        token,
        tracked(
          identified(
            { type: 'RETURNED_TO_SHIPPER_TRACKING_NUMBER', value: SECOND },
            { type: 'REROUTE_TRACKING_NUMBER', values: ['794600000003', NUMBER] },
            { type: 'PURCHASE_ORDER', values: ['2026-0007'] },
          ),
        ),
      ],
      async (caller) => {
        expect((await read(caller))?.related).toEqual([
          { type: 'return', trackingNumber: SECOND, date: null },
          { type: 'forward', trackingNumber: '794600000003', date: null },
        ]);
      },
    ));

  it('calls a parcel that FedEx does not know yet not found', () =>
    against([token, missing('TRACKING.TRACKINGNUMBER.NOTFOUND')], async (caller) => {
      expect(await read(caller)).toEqual({ found: false, events: [], related: [] });
    }));

  it('picks ours where a number was used before', () => {
    const others = identified({ type: 'CUSTOMER_REFERENCE', values: ['another'] });
    const trackResults = [parcelOf({ ...others, scanEvents: [event('DL')] }), parcelOf({ scanEvents: [event('OC')] })];
    return against([token, json({ output: { completeTrackResults: [{ trackResults }] } })], async (caller) => {
      expect((await read(caller))?.events).toMatchObject([{ code: 'OC' }]);
    });
  });

  describe('of a number that was used again', () => {
    const shipped = (day: string) => ({ dateAndTimes: [{ type: 'SHIP', dateTime: `${day}T00:00:00` }] });
    const codesOf = async (...trackResults: object[]) => {
      let codes: string[] | undefined;
      await against([token, json({ output: { completeTrackResults: [{ trackResults }] } })], async (caller) => {
        codes = (await read(caller))?.events.map(({ code }) => code);
      });
      return codes;
    };
    const hidden = { additionalTrackingInfo: null };
    const old = parcelOf({ ...hidden, ...shipped('2024-05-01'), scanEvents: [event('DL')] });
    const fresh = parcelOf({ ...hidden, ...shipped('2026-11-19'), scanEvents: [event('OC')] });
    const foreign = { ...identified({ type: 'CUSTOMER_REFERENCE', values: ['another'] }) };

    it('takes the newer parcel by its ship date, else by its last event', async () => {
      const bare = (date: string) => parcelOf({ ...hidden, scanEvents: [event('PU', { date })] });

      expect(await codesOf(old, fresh)).toEqual(['OC']);
      expect(await codesOf(fresh, old)).toEqual(['OC']);
      expect(await codesOf(old, bare('2026-11-20T10:00:00+01:00'), bare('2024-05-02T10:00:00+02:00'))).toEqual(['PU']);
    });

    it('takes ours before a newer one of another shipper', async () => {
      const ours = parcelOf({ ...shipped('2026-10-01'), scanEvents: [event('OD')] });

      expect(await codesOf(parcelOf({ ...foreign, ...shipped('2026-11-20') }), ours, old)).toEqual(['OD']);
    });

    it('is not fobbed off when one of them cannot be read, or all are of others', () =>
      against(
        [
          token,
          json({ output: { completeTrackResults: [{ trackResults: [old, 'odd'] }] } }),
          token,
          json({ output: { completeTrackResults: [{ trackResults: [parcelOf(foreign), parcelOf(foreign)] }] } }),
        ],
        async ({ fail }) => {
          const track = async (carrier: typeof fedex, context: Parameters<typeof fedex.createShipment>[0]) =>
            carrier.track?.(context, handle);

          expect(await fail(track)).toMatchObject({ kind: 'retryable' });
          expect(await fail(track)).toMatchObject({ kind: 'retryable' });
        },
      ));
  });

  it('keeps the events of a parcel whose other fields are odd', () =>
    against(
      [
        token,
        tracked({
          additionalTrackingInfo: {
            packageIdentifiers: ['odd', { type: 'REROUTE_TRACKING_NUMBER', values: [SECOND] }],
          },
          latestStatusDetail: 'odd',
          packageDetails: 7,
          dateAndTimes: 'odd',
          scanEvents: ['odd', event('OC', { scanLocation: 'MILANO' }), event('DL', { date: 7 })],
        }),
      ],
      async (caller) => {
        expect(await read(caller)).toMatchObject({
          events: [{ code: 'OC', location: '' }],
          related: [{ trackingNumber: SECOND }],
        });
      },
    ));

  it('names the public page of a number', () => {
    expect(fedex.trackingUrl?.('7946 1', {})).toBe('https://www.fedex.com/fedextrack/?trknbr=7946%201');
  });

  it.each([
    ['another parcel', tracked({ trackingNumberInfo: { trackingNumber: SECOND } }), 'retryable'],
    ['an answer with nothing', json({ output: { completeTrackResults: [] } }), 'retryable'],
    ['nothing at the moment', missing('TRACKING.DATA.NOTFOUND'), 'retryable'],
    ['a number that FedEx refuses', missing('TRACKING.TRACKINGNUMBER.INVALID'), 'permanent'],
    ['a refused question', refused('TRACKING.TRACKINGNUMBER.EMPTY', 'Please provide tracking number.'), 'permanent'],
  ])('is not fobbed off with %s', (_what, reply, kind) =>
    against([token, reply], async ({ fail }) => {
      expect(await fail(async (carrier, context) => carrier.track?.(context, handle))).toMatchObject({ kind });
    }),
  );

  it('leaves an event out that cannot be read, and keeps the others', () =>
    against([token, tracked({ scanEvents: [event('OC', { date: 'soon' }), event('DL')] })], async (caller) => {
      expect((await read(caller))?.events.map(({ code }) => code)).toEqual(['DL']);
    }));

  it('asks about many in one question, and one that is refused keeps none from its answer', () => {
    const [unknown, refusedOne] = ['794600000008', '794600000009'];
    const error = (number: string, code: string) => ({
      trackingNumber: number,
      trackResults: [{ trackingNumberInfo: { trackingNumber: number }, error: { code, message: code } }],
    });
    const completeTrackResults = [
      error(refusedOne ?? '', 'TRACKING.TRACKINGNUMBER.INVALID'),
      { trackingNumber: handle.trackingNumber, trackResults: [parcelOf({ scanEvents: [event('OC')] })] },
      error(unknown ?? '', 'TRACKING.TRACKINGNUMBER.NOTFOUND'),
    ];
    const handles = [handle.trackingNumber, unknown, refusedOne, SECOND].map((trackingNumber = '') => ({
      ...handle,
      trackingNumber,
    }));
    return against([token, json({ output: { completeTrackResults } })], async ({ call }, server) => {
      const reports = await call(async (carrier, context) => carrier.trackMany?.track(context, handles));

      expect(reports).toMatchObject([
        { found: true, events: [{ code: 'OC' }] },
        { found: false, events: [] },
        { kind: 'permanent' },
        { kind: 'retryable', code: 'answer-unreadable' },
      ]);
      expect(server.requests.filter(({ path }) => path.includes('/track/'))).toHaveLength(1);
    });
  });

  it('reads a compressed answer to a request that did not accept one', () => {
    const reply = tracked({ scanEvents: [event('OC')] });
    const body = gzipSync(reply.body ?? '');
    return against([token, { ...reply, headers: { 'content-encoding': 'gzip' }, body }], async (caller) => {
      expect((await read(caller))?.events).toHaveLength(1);
    });
  });
});
