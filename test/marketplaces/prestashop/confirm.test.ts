import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prestashop } from '../../../src/marketplaces/prestashop/index.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import { confirmationOf, KEYS, ORDER, usePrestashop } from './shop.ts';

const shop = usePrestashop();

describe('a confirmation', () => {
  test('writes the number, then the state, and each mails the customer', async () => {
    const order = await shop.place();
    const caller = shop.caller();

    const confirmed = await caller.confirm(confirmationOf(order), await caller.detect());

    expect(confirmed).toMatchObject({
      alreadySent: false,
      trackingCarrier: 'Corriere espresso',
      trackingUrl: 'https://track.example/?n=RM512345678',
      status: 'Shipped',
    });
    expect(caller.writes()).toEqual(['order_carriers.patch', 'order_histories.create']);
    expect(await shop.mails(order.externalId)).toMatchObject([
      { kind: 'in_transit', trackingNumbers: ['RM512345678'] },
      { kind: 'shipped', trackingNumbers: ['RM512345678'] },
    ]);
    expect((await shop.caller().read(order.externalId))?.state).toBe('shipped');
  });

  test('that is repeated writes nothing', async () => {
    const order = await shop.place();
    await shop.caller().confirm(confirmationOf(order));
    const again = shop.caller();

    const confirmed = await again.confirm(confirmationOf(order, { trackingNumber: ' RM512345678 ' }));

    expect(confirmed).toMatchObject({ alreadySent: true, trackingNumber: 'RM512345678', status: 'Shipped' });
    expect(again.writes()).toEqual([]);
  });

  test('makes up for a missing state, and for a missing number', async () => {
    const numbered = await shop.place({ order_carriers: [{ tracking_number: 'RM512345678' }] });
    const shipped = await shop.place({ current_state: '5' });
    const [one, two] = [shop.caller(), shop.caller()];

    const state = await one.confirm(confirmationOf(numbered));
    const number = await two.confirm(confirmationOf(shipped));

    expect([state.alreadySent, one.writes()]).toEqual([false, ['order_histories.create']]);
    expect([number.status, two.writes()]).toEqual(['Delivered', ['order_carriers.patch']]);
  });

  test('keeps the numbers of all parts in one row, and corrects one of them', async () => {
    const order = await shop.place();
    const { externalOrderId: _, ...parcel } = confirmationOf(order);
    const parts = (...numbers: string[]) => numbers.map((trackingNumber) => ({ ...parcel, trackingNumber }));
    await shop.caller().confirm(confirmationOf(order, { parts: parts('RM512345670', 'RM512345678') }));
    const caller = shop.caller();
    const corrected = confirmationOf(order, {
      parts: parts('RM512345679', 'RM512345678'),
      replacedNumbers: ['RM512345670'],
    });

    const confirmed = await caller.confirm(corrected);
    const again = await caller.confirm(corrected);

    expect([confirmed.alreadySent, again.alreadySent, caller.writes()]).toEqual([
      false,
      true,
      ['order_carriers.patch'],
    ]);
    expect((await shop.ledger(order))?.trackingNumbers).toEqual(['RM512345679, RM512345678']);
  });

  test('corrects the number that no longer holds, once', async () => {
    const order = await shop.place();
    await shop.caller().confirm(confirmationOf(order));
    const caller = shop.caller();
    const replaced = confirmationOf(order, { trackingNumber: 'RM599999999', replacedNumbers: ['RM512345678'] });

    const corrected = await caller.confirm(replaced);
    const again = await caller.confirm(replaced);

    expect([corrected.alreadySent, again.alreadySent]).toEqual([false, true]);
    expect(caller.writes()).toEqual(['order_carriers.patch']);
    expect(await shop.ledger(order)).toMatchObject({ trackingNumbers: ['RM599999999'] });
    expect((await shop.mails(order.externalId)).at(-1)).toMatchObject({ trackingNumbers: ['RM599999999'] });
  });

  test('takes the dead number off a second row without telling the customer', async () => {
    const order = await shop.place({
      current_state: '4',
      order_carriers: [{ tracking_number: 'RM512345678' }, { tracking_number: 'DEAD1' }],
    });
    const caller = shop.caller();

    await caller.confirm(confirmationOf(order, { replacedNumbers: ['DEAD1'] }));

    expect(caller.writes()).toEqual(['order_carriers.patch']);
    expect(await shop.ledger(order)).toMatchObject({ trackingNumbers: ['RM512345678'] });
    expect(await shop.mails(order.externalId)).toEqual([]);
  });

  test('reads the states again when the kept ones lack that of the order', async () => {
    const order = await shop.place();
    const caller = shop.caller();

    const confirmed = await caller.confirm(confirmationOf(order), { states: [] });

    expect(confirmed.status).toBe('Shipped');
    expect(caller.exchanges.map(({ operation }) => operation)).toContain('order_states.list');
  });

  test('does not read the states that were kept', async () => {
    const order = await shop.place();
    const detected = await shop.caller().detect();
    const caller = shop.caller();

    await caller.confirm(confirmationOf(order), detected);

    expect(caller.exchanges.map(({ operation }) => operation)).not.toContain('order_states.list');
  });

  test('ships the whole order for a part, since the shop knows no lines in a shipment', async () => {
    const order = await shop.place();
    const lines = [{ externalLineId: order.lines[0]?.externalLineId ?? '', quantity: 1 }];

    const confirmed = await shop.caller().confirm(confirmationOf(order, { lines }));

    expect(confirmed.status).toBe('Shipped');
  });

  test('takes the carrier row that has no number yet', async () => {
    const order = await shop.place({ order_carriers: [{ tracking_number: 'RM500000001' }, {}] });

    await shop.caller().confirm(confirmationOf(order));

    expect(await shop.ledger(order)).toMatchObject({ trackingNumbers: ['RM500000001', 'RM512345678'] });
  });

  test('names our carrier and our link where the shop has none', async () => {
    const order = await shop.place({ order_carriers: [{ id_carrier: '99' }] });

    const confirmed = await shop.caller().confirm(confirmationOf(order));

    expect(confirmed).toMatchObject({
      trackingCarrier: 'GLS Italy',
      trackingUrl: 'https://track.example/gls/RM512345678',
    });
  });

  test('puts the order into the state that the account names', async () => {
    const order = await shop.place();

    const confirmed = await shop.caller({ shippedState: 5 }).confirm(confirmationOf(order));

    expect(confirmed.status).toBe('Delivered');
  });

  test.each<[string, Record<string, unknown>, object, string]>([
    ['without a number', {}, { trackingNumber: ' ' }, 'tracking_invalid'],
    ['with a number of 65 characters', {}, { trackingNumber: 'A'.repeat(65) }, 'tracking_invalid'],
    ['with a number that the shop refuses', {}, { trackingNumber: 'RM*5' }, 'validation'],
    ['of an order that is not there', {}, { externalOrderId: '999999' }, 'order_not_found'],
    ['of an order whose id is none', {}, { externalOrderId: 'XKBKNABJK' }, 'order_not_found'],
    ['of an unpaid order', { current_state: '1' }, {}, 'order_not_shippable'],
    ['of a cancelled order', { current_state: '6' }, {}, 'order_not_shippable'],
    ['of an order in a state that nobody knows', { current_state: '77' }, {}, 'order_not_shippable'],
    ['of an order without a carrier', { order_carriers: [] }, {}, 'order_not_shippable'],
    ['of a line that is gone', {}, { lines: [{ externalLineId: '1', quantity: 1 }] }, 'line_not_found'],
    ['beside another shipment', { order_carriers: [{ tracking_number: 'X1' }] }, {}, 'already_shipped'],
  ])('%s is refused, and nothing changes', async (_name, changes, more, code) => {
    const order = await shop.place(changes);

    const error = await failureOf(shop.caller().confirm(confirmationOf(order, more)));

    expect(error).toMatchObject({ kind: 'permanent', code });
    expect(await shop.rows('order_histories', `filter[id_order]=[${order.externalId}]`)).toEqual([]);
    expect(await shop.mails(order.externalId)).toEqual([]);
  });

  test('is refused for more pieces than were ordered', async () => {
    const order = await shop.place();
    const lines = order.lines.map(({ externalLineId }) => ({ externalLineId, quantity: 3 }));

    expect(await failureOf(shop.caller().confirm(confirmationOf(order, { lines })))).toMatchObject({
      kind: 'permanent',
      code: 'quantity_exceeded',
    });
  });

  test('with a key that may only read is refused by its name', async () => {
    const order = await shop.place();

    const error = await failureOf(shop.caller({ key: KEYS.readOnly }).confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code: 'permission_missing' });
  });
});

describe('an old shop', () => {
  test('gets the whole row back instead of a part, and keeps every field', async () => {
    const order = await shop.place();
    const filter = `filter[id_order]=[${order.externalId}]`;
    const [before] = await shop.rows('order_carriers', filter);
    const caller = shop.caller({ key: KEYS.oldShop });

    const confirmed = await caller.confirm(confirmationOf(order));

    const [after] = await shop.rows('order_carriers', filter);
    expect(after).toEqual({ ...before, tracking_number: 'RM512345678' });
    expect(confirmed).toMatchObject({ alreadySent: false, status: 'Shipped' });
    expect(caller.writes()).toEqual(['order_carriers.patch', 'order_carriers.update', 'order_histories.create']);
  });

  test('that says it could not save, and did, is read back', async () => {
    const order = await shop.place();
    const caller = shop.caller({ key: KEYS.oldShop });

    await caller.confirm(confirmationOf(order));

    const failed = caller.exchanges.filter(({ status }) => status === 500).map(({ operation }) => operation);
    expect(failed).toEqual(['order_carriers.update', 'order_histories.create']);
    expect(await shop.rows('order_histories', `filter[id_order]=[${order.externalId}]`)).toHaveLength(1);
  });
});

describe('a write that is answered with an error', () => {
  const KEY = 'K'.repeat(32);
  const get = (resource: string, row: object): ScriptedReply => ({
    method: 'GET',
    path: `/api/${resource}`,
    body: { [resource]: [row] },
  });
  const ROW = get('order_carriers', { id: 91, id_order: '815', id_carrier: '2', tracking_number: '' });
  const READS = [
    get('orders', { id: 815, reference: 'X', current_state: '2' }),
    { method: 'GET', path: '/api/order_states', body: { order_states: [state(2, ''), state(4, 'shipped')] } },
    ROW,
    get('carriers', { id: 2, name: 'Corriere', url: '' }),
  ];
  const refusal = (status: number, code: number): ScriptedReply => ({
    method: 'PATCH',
    path: '/api/order_carriers/91',
    status,
    body: { errors: [{ code, message: 'No & basta' }] },
  });
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());
  const confirm = (trackingNumber = 'A1') =>
    callerOf(prestashop, { account: { url: server.url, key: KEY } }).confirm({
      externalOrderId: '815',
      lines: [],
      trackingNumber,
      carrierId: 'gls-it',
      carrierName: 'GLS Italy',
      trackingUrl: '',
      shippedOn: '2026-11-21',
    });

  test('is not taken for done when it is not there afterwards', async () => {
    server.script(...READS, refusal(500, 46), ROW);

    const error = await failureOf(confirm());

    expect(error).toMatchObject({ kind: 'unknown-outcome', code: 'platform_unavailable' });
    expect(error.message).toContain('No & basta');
  });

  test.each([
    [500, 127, 'permanent', 'configuration'],
    [404, 92, 'permanent', 'order_not_found'],
    [400, 85, 'permanent', 'validation'],
    [500, 8, 'unknown-outcome', 'platform_unavailable'],
    [503, 22, 'permanent', 'feature_disabled'],
  ])('%i with the code %i is called by its name', async (status, code, kind, type) => {
    server.script(...READS, refusal(status, code));

    expect(await failureOf(confirm())).toMatchObject({ kind, code: type });
  });

  test('escapes what it writes', async () => {
    server.script(...READS, refusal(400, 85));

    await failureOf(confirm('A<1>&2'));

    expect(server.requests.at(-1)?.body).toContain('<tracking_number>A&lt;1&gt;&amp;2</tracking_number>');
  });
});

function state(id: number, template: string) {
  return { id, name: template, template, paid: '1', shipped: template ? '1' : '0', deleted: '0' };
}

test('the sample order is an open one', async () => {
  expect(await shop.place(ORDER)).toMatchObject({ state: 'open', problems: [] });
});
