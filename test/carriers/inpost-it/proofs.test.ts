import { describe, expect, it } from 'vitest';
import type { CarrierContext } from '../../../src/carriers/adapter.ts';
import { inpostIt } from '../../../src/carriers/inpost-it/index.ts';
import { callerOf, listeningLog } from '../../support/call-carrier.ts';
import { type Reply, startFakeServer } from '../../support/fake-server.ts';
import {
  account,
  against,
  creating,
  event,
  finding,
  ID,
  json,
  label,
  listed,
  lockerDraft,
  NUMBER,
  refusal,
  shipment,
  sold,
  tracked,
} from './replies.ts';

const draft = lockerDraft();
const handle = { reference: draft.reference, trackingNumber: NUMBER, carrierReference: String(ID) };
type Context = CarrierContext<unknown>;
const cancelling = async (carrier: typeof inpostIt, context: Context) => carrier.cancelShipment?.(context, handle);

describe('a cancelled shipment of InPost', () => {
  it.each([
    ['canceled', json(shipment({ status: 'canceled' }))],
    ['unknown to ShipX', refusal(404, 'resource_not_found')],
  ])('counts after an odd answer when it is then %s', (_what, shown) =>
    against(
      [
        { status: 200, body: '' },
        { ...shown, to: `GET /v1/shipments/${ID}` },
      ],
      async ({ call, exchanges }) => {
        await call(cancelling);

        expect(exchanges.map(({ effect }) => effect)).toEqual(['write', 'read']);
      },
    ),
  );

  it.each([
    ['is still confirmed', json(shipment())],
    ['cannot be read', { status: 502, body: 'bad gateway' }],
    ['may not be read', { status: 401, body: '' }],
  ])('stays unknown after an odd answer when it %s', (_what, shown) =>
    against([{ status: 202, body: '' }, shown], async ({ fail }) => {
      expect(await fail(cancelling)).toMatchObject({ kind: 'unknown-outcome', isAuthoritative: false });
    }),
  );

  it('is refused by InPost itself when it was delivered', () =>
    against([refusal(400, 'invalid_action', { shipment_status: 'delivered' })], async ({ fail }) => {
      expect(await fail(cancelling)).toMatchObject({ kind: 'permanent', isAuthoritative: true });
    }));

  it.each([
    ['a key that is in no list', refusal(400, 'strange_thing')],
    ['a refused token', refusal(401, 'invalid_action')],
    ['an unknown organisation', refusal(404, 'resource_not_found')],
  ])('is not settled by %s', (_what, reply) =>
    against([reply], async ({ fail }) => {
      expect(await fail(creating(draft))).toMatchObject({ kind: 'permanent', isAuthoritative: false });
    }),
  );
});

describe('an order to InPost', () => {
  it.each([
    ['another status than 201', json(shipment(), 200)],
    ['another reference', sold({ reference: 'SM0000043' })],
  ])('is not believed with %s', (_what, reply) =>
    against([reply], async ({ fail }, server) => {
      expect(await fail(creating(draft))).toMatchObject({ kind: 'unknown-outcome' });
      expect(server.requests).toHaveLength(1);
    }),
  );
});

describe('lists of InPost', () => {
  const listening = async <Result>(
    replies: readonly Reply[],
    run: (carrier: typeof inpostIt, context: Context) => Promise<Result>,
  ): Promise<{ result: Result; written: string }> => {
    const server = await startFakeServer(replies);
    const { log, written } = listeningLog();
    const result = await callerOf(inpostIt, account(server.url), { log }).call(run);
    await server.close();
    return { result, written: written() };
  };

  it('keep the other events beside one without an instant, and say so', async () => {
    const odd = event('delivered', { datetime: 'ieri, Anna Bianchi' });

    const { result, written } = await listening([tracked(odd, event('confirmed'))], async (carrier, context) =>
      carrier.track?.(context, handle),
    );

    expect(result?.events.map(({ code }) => code)).toEqual(['confirmed']);
    expect(written).toContain('"list":"tracking events","count":1,"fields":["datetime"]');
    expect(written).not.toContain('Anna');
  });

  it('keep the other points beside an odd one', async () => {
    const point = { name: 'ITMIL1', type: ['parcel_locker'], status: 'Operating' };
    const odd = { ...point, location: { latitude: 'north', longitude: 9 } };

    const { result, written } = await listening([json({ items: [odd, point] })], async (carrier, context) =>
      carrier.findPickupPoints?.(context, { zip: '20121', city: 'Milano', countryCode: 'IT' }),
    );

    expect(result?.map(({ id }) => id)).toEqual(['ITMIL1']);
    expect(written).toContain('location.latitude');
  });

  it('find ours beside an odd shipment of another reference', async () => {
    const odd = shipment({ id: 'x', reference: 'OTHER' });

    const { result, written } = await listening([listed([odd, shipment()]), label()], finding(draft));

    expect(result).toMatchObject({ trackingNumber: NUMBER, parcelCount: 1 });
    expect(written).toContain('"list":"shipments","count":1,"fields":["id"]');
  });

  it.each([
    ['carries our reference', shipment({ id: 'x' })],
    ['shows no reference', { id: 7, status: 'confirmed', tracking_number: NUMBER }],
    ['is no object', 'gone'],
  ])('show no absence while an element that cannot be read %s', (_what, odd) =>
    against([listed([odd as object])], async ({ fail }) => {
      expect(await fail(finding(draft))).toMatchObject({ kind: 'retryable', code: 'answer-unreadable' });
    }),
  );
});

it('proving an account names both hosts of the Italian service when one answers with a server error', () =>
  against([{ status: 502, body: '<html>bad gateway</html>' }], async ({ fail }, server) => {
    const failure = await fail(async (carrier, context) => carrier.verifyAccount?.(context));

    expect(failure).toMatchObject({ kind: 'retryable', code: 'partner-broken' });
    expect(failure.message).toContain(`InPost answered 502 to listShipments at ${server.url}`);
    expect(failure.message).toContain('https://api-shipx-it.easypack24.net (production)');
    expect(failure.message).toContain('https://stage-api-shipx-it.easypack24.net (test)');
  }));
