import { describe, expect, test } from 'vitest';
import type { ImportedOrder } from '../../../src/marketplaces/adapter.ts';
import { kaufland } from '../../../src/marketplaces/kaufland/index.ts';
import { startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import { CUP, confirmationOf, PLATE, useKaufland } from './world.ts';

const world = useKaufland();

const idsOf = (order: ImportedOrder) => order.lines.map(({ externalLineId }) => externalLineId);
const only = (...ids: (string | undefined)[]) => ({
  lines: ids.map((id) => ({ externalLineId: id ?? '', quantity: 1 })),
});
const statusesOf = async (order: ImportedOrder) => {
  const { json } = await world.api('GET', `/orders/${order.externalId}`);
  return (json as { data: { order_units: { status: string }[] } }).data.order_units.map(({ status }) => status);
};

describe('a shipment', () => {
  test('leaves another number to a person, since Kaufland shows none and changes none', async () => {
    const order = await world.place();
    await world.caller().confirm(confirmationOf(order));
    const caller = world.caller();

    const error = await failureOf(
      caller.confirm(confirmationOf(order, { trackingNumber: 'RM599999999', replacedNumbers: ['RM512345678'] })),
    );

    expect(error).toMatchObject({ kind: 'permanent', code: 'told_another_number', isAuthoritative: false });
    expect(caller.writes()).toEqual([]);
  });

  test('is confirmed unit by unit, and once only', async () => {
    const order = await world.place();
    const caller = world.caller();

    const first = await caller.confirm(confirmationOf(order));
    const second = await caller.confirm(confirmationOf(order));

    expect(first).toEqual({
      alreadySent: false,
      transactionId: order.externalId,
      trackingCarrier: 'GLS',
      trackingNumber: 'RM512345678',
      trackingUrl: '',
      status: 'sent',
    });
    expect(second).toEqual({ ...first, alreadySent: true });
    expect(caller.writes()).toEqual(['SendOrderUnit', 'SendOrderUnit', 'SendOrderUnit']);
    expect(JSON.parse(caller.exchanges.find(({ effect }) => effect === 'write')?.requestBody ?? '')).toEqual({
      tracking_numbers: 'RM512345678',
      carrier_code: 'GLS',
    });
    expect(await statusesOf(order)).toEqual(['sent', 'sent', 'sent']);
  });

  test('needs no lines when it holds everything', async () => {
    const order = await world.place();

    await world.caller().confirm(confirmationOf(order, { lines: [] }));

    expect(await statusesOf(order)).toEqual(['sent', 'sent', 'sent']);
  });

  test('leaves the other units to another number', async () => {
    const order = await world.place();
    const [first, second, third] = idsOf(order);
    const caller = world.caller();

    await caller.confirm(confirmationOf(order, only(first, third)));
    const inBetween = await statusesOf(order);
    const rest = await caller.confirm(confirmationOf(order, { ...only(second), trackingNumber: 'RM599' }));

    expect(inBetween).toEqual(['sent', 'need_to_be_sent', 'sent']);
    expect(rest).toMatchObject({ alreadySent: false, trackingNumber: 'RM599' });
    expect(await world.ledger(order.externalId)).toMatchObject({
      confirmed: 2,
      trackingNumbers: ['RM512345678', 'RM599'],
    });
  });

  test('skips the units that are sent, by whomever', async () => {
    const order = await world.place();
    await world.send(idsOf(order)[1] ?? '', 'BY-HAND');
    const caller = world.caller();

    const confirmed = await caller.confirm(confirmationOf(order));

    expect(confirmed).toMatchObject({ alreadySent: false, status: 'sent' });
    expect(caller.writes()).toHaveLength(2);
  });

  test.each(['sent', 'sent_and_autopaid', 'received', 'returned', 'returned_paid'])(
    'of units that are %s writes nothing and tells their status',
    async (status) => {
      const order = await world.place({ order_units: [{ ...CUP, status }] });
      const caller = world.caller();

      expect(await caller.confirm(confirmationOf(order))).toMatchObject({ alreadySent: true, status });
      expect(caller.writes()).toEqual([]);
    },
  );

  test('is tried with new units: Kaufland decides whether they may be sent', async () => {
    const order = await world.place({ order_units: [{ ...CUP, status: 'open' }] });

    expect(await world.caller().confirm(confirmationOf(order))).toMatchObject({ alreadySent: false, status: 'sent' });
  });

  test('does not wait for a unit that was cancelled on the way', async () => {
    const order = await world.place({ order_units: [{ ...CUP, status: 'cancelled' }, PLATE] });
    const caller = world.caller();

    const confirmed = await caller.confirm(confirmationOf(order, { lines: [] }));

    expect(confirmed).toMatchObject({ alreadySent: false, status: 'cancelled, sent' });
    expect(caller.logged()).toContain('cancelled units are not confirmed');
    expect(await statusesOf(order)).toEqual(['cancelled', 'sent']);
  });

  test.each<[string, Record<string, unknown>, (order: ImportedOrder) => object, string]>([
    ['cancelled units', { order_units: [{ ...CUP, status: 'cancelled' }] }, () => ({}), 'order_not_shippable'],
    ['another order', {}, () => ({ externalOrderId: 'NOWHERE' }), 'order_not_found'],
    ['a unit it does not have', {}, () => only('1'), 'line_not_found'],
    [
      'two pieces of one unit',
      {},
      (order) => ({ lines: [{ externalLineId: idsOf(order)[0], quantity: 2 }] }),
      'quantity_exceeded',
    ],
    ['one unit twice', {}, (order) => only(idsOf(order)[0], idsOf(order)[0]), 'quantity_exceeded'],
    ['no pieces', {}, (order) => ({ lines: [{ externalLineId: idsOf(order)[0], quantity: 0 }] }), 'validation'],
    ['no units', { order_units: [] }, () => ({ lines: [] }), 'validation'],
    ['units of which one is not readable', { order_units: [CUP, null] }, () => ({ lines: [] }), 'validation'],
    ['no number', {}, () => ({ trackingNumber: ' ' }), 'tracking_invalid'],
    ['what would be two numbers', {}, () => ({ trackingNumber: 'RM1,RM2' }), 'tracking_invalid'],
  ])('with %s is refused before anything is written', async (_name, changes, moreOf, code) => {
    const order = await world.place(changes);
    const caller = world.caller();

    const error = await failureOf(caller.confirm(confirmationOf(order, moreOf(order))));

    expect(error).toMatchObject({ kind: 'permanent', code });
    expect(caller.writes()).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    ['a carrier that it does not list', {}, { carrierNames: { 'gls-it': 'Pony Express' } }, 'carrier_invalid'],
    ['a key that only reads', {}, { clientKey: 'sandbox-readonly' }, 'permission_missing'],
    ['an order that it ships itself', { fulfillment_type: 'fulfilled_by_kaufland' }, {}, 'order_not_shippable'],
    ['a status that it does not allow', { order_units: [{ ...CUP, status: 'lost' }] }, {}, 'order_not_shippable'],
  ])('with %s is refused by Kaufland, in its words', async (_name, changes, account, code) => {
    const order = await world.place(changes);

    const error = await failureOf(world.caller(account).confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code });
    expect(error.message).toContain('/problems/');
  });

  test('has its number without blanks', async () => {
    const order = await world.place();

    const confirmed = await world.caller().confirm(confirmationOf(order, { trackingNumber: ' RM5 1234\t5678 ' }));

    expect(confirmed.trackingNumber).toBe('RM512345678');
    expect(await world.ledger(order.externalId)).toMatchObject({ trackingNumbers: ['RM512345678'] });
  });
});

describe('the carrier of a shipment', () => {
  test.each<[string, string, string[], string]>([
    ['gls-it', 'GLS', ['Other', 'GLS', 'GLS Italy'], 'GLS Italy'],
    ['gls-it', 'GLS', ['Other', 'gls'], 'gls'],
    ['brt', 'BRT', ['Bartolini', 'Other'], 'Bartolini'],
    ['poste-it', 'Poste', ['Poste Italiane'], 'Poste Italiane'],
    ['dhl-express', 'DHL', ['DHL', 'DHL Express'], 'DHL Express'],
    ['ups', 'UPS', ['UPS'], 'UPS'],
    ['fedex', 'FedEx', ['Fedex'], 'Fedex'],
    ['inpost-it', 'InPost', ['InPost'], 'InPost'],
    ['a-new-one', 'Cargo International', ['Cargo International'], 'Cargo International'],
    ['inpost-it', 'InPost Italia', ['GLS', 'Other'], 'Other'],
    ['a-new-one', 'Nobody', [], 'Other'],
  ])('%s (%s) is found among %j as %s', async (carrierId, carrierName, listed, code) => {
    const server = await startScriptedServer();
    const unit = { id_order_unit: 7, ts_updated_iso: '2026-11-20T10:30:00Z', status: 'need_to_be_sent' };
    const data = { id_order: 'A', ts_created_iso: '2026-11-20T09:00:00Z', order_units: [unit] };
    const carriers = listed.map((name) => ({ name, isHauler: false }));
    server.script(
      { method: 'GET', path: '/orders/A', body: { data } },
      { method: 'GET', path: '/carriers', body: { data: { carriers } } },
      { method: 'PATCH', path: '/order-units/7/send', status: 204 },
    );
    const account = { clientKey: 'client', secretKey: 'private', baseUrl: server.url };
    const confirmation = { externalOrderId: 'A', lines: [], trackingNumber: 'RM5', trackingUrl: '', shippedOn: '' };

    const confirmed = await callerOf(kaufland, { account }).confirm({ ...confirmation, carrierId, carrierName });
    await server.close();

    expect(confirmed.trackingCarrier).toBe(code);
    expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toEqual({ tracking_numbers: 'RM5', carrier_code: code });
  });

  test('is the one that the account gives, without looking', async () => {
    const order = await world.place();
    const caller = world.caller({ carrierNames: { 'gls-it': 'DHL' } });

    const confirmed = await caller.confirm(confirmationOf(order));

    expect(confirmed.trackingCarrier).toBe('DHL');
    expect(caller.exchanges.map(({ operation }) => operation)).not.toContain('GetCarriers');
  });
});
