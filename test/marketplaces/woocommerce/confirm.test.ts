import { describe, expect, test } from 'vitest';
import { failureOf } from '../call-marketplace.ts';
import { confirmationOf, type ShopName, useShops } from './shop.ts';

const { shop } = useShops();

const SHOPS: [ShopName, string, string[]][] = [
  ['core', 'core', ['fulfillments.create']],
  ['tracking', 'shipment-tracking', ['shipment-trackings.create', 'orders.update']],
  ['ast', 'ast', ['shipment-trackings.create', 'orders.update']],
  ['note', 'note', ['notes.create', 'orders.update']],
];

describe.each(SHOPS)('the %s shop', (name, mechanism, writes) => {
  test('is recognised by what it offers', async () => {
    expect(await shop(name).caller().detect()).toMatchObject({ mechanism });
  });

  test('learns of a shipment once, however often it is confirmed', async () => {
    const order = await shop(name).place();
    const caller = shop(name).caller();
    const detected = await caller.detect();

    const first = await caller.confirm(confirmationOf(order), detected);
    const second = await caller.confirm(confirmationOf(order), detected);

    expect(caller.writes()).toEqual(writes);
    expect(first).toMatchObject({
      alreadySent: false,
      trackingNumber: 'RM512345678',
      trackingCarrier: name === 'core' ? 'gls' : 'GLS Italy',
      status: name === 'core' ? 'processing' : 'completed',
    });
    expect(first.trackingUrl).toContain('RM512345678');
    expect(second).toEqual({ ...first, alreadySent: true });
    expect(await shop(name).ledger(order.externalId)).toMatchObject({ confirmed: 1, trackingNumbers: ['RM512345678'] });
  });

  test('prints the tracking in every mail to the customer', async () => {
    const order = await shop(name).place();

    await shop(name).caller().confirm(confirmationOf(order));

    const mails = await shop(name).mails(order.externalId);
    expect(mails.length).toBeGreaterThan(0);
    for (const mail of mails) expect(mail.trackingNumbers).toEqual(['RM512345678']);
  });

  test('that hears of a split order at once shows the customer every number, once', async () => {
    const order = await shop(name).place();
    const caller = shop(name).caller();
    const [line] = confirmationOf(order).lines;
    const { externalOrderId: _, ...parcel } = confirmationOf(order);
    const [first, second] = [1, 1].map((quantity, at) => {
      const lines = line ? [{ ...line, quantity }] : [];
      return { ...parcel, lines, trackingNumber: `RM51234567${at}` };
    });
    const parts = [first ?? parcel, second ?? parcel];
    const confirmation = confirmationOf(order, { trackingNumber: 'RM512345671', parts });

    const confirmed = await caller.confirm(confirmation);
    const again = await caller.confirm(confirmation);

    expect([confirmed.alreadySent, again.alreadySent]).toEqual([false, true]);
    const mails = await shop(name).mails(order.externalId);
    expect(mails.at(-1)?.trackingNumbers).toEqual(expect.arrayContaining(['RM512345670', 'RM512345671']));
    expect((await shop(name).ledger(order.externalId))?.trackingNumbers).toHaveLength(2);
  });

  test.each(['pending', 'on-hold', 'cancelled', 'refunded', 'failed', 'trash'])(
    'is told nothing about an order that is "%s"',
    async (status) => {
      const order = await shop(name).place();
      await shop(name).api('PUT', `wc/v3/orders/${order.externalId}`, { status });
      const caller = shop(name).caller();

      const error = await failureOf(caller.confirm(confirmationOf(order)));

      expect(error).toMatchObject({ kind: 'permanent', code: 'order_not_shippable' });
      expect(caller.writes()).toEqual([]);
    },
  );

  test('is told nothing about a line that the order does not have', async () => {
    const order = await shop(name).place();
    const caller = shop(name).caller();

    const error = await failureOf(
      caller.confirm(confirmationOf(order, { lines: [{ externalLineId: '999999', quantity: 1 }] })),
    );

    expect(error).toMatchObject({ kind: 'permanent', code: 'line_not_found' });
    expect(caller.writes()).toEqual([]);
  });

  test('is told nothing without a tracking number', async () => {
    const order = await shop(name).place();

    const error = await failureOf(
      shop(name)
        .caller()
        .confirm(confirmationOf(order, { trackingNumber: '' })),
    );

    expect(error).toMatchObject({ kind: 'permanent', code: 'tracking_invalid' });
  });

  test.each(['987654', 'not-a-number'])('has no order %s', async (externalOrderId) => {
    const order = await shop(name).place();

    const error = await failureOf(shop(name).caller().confirm(confirmationOf(order, { externalOrderId })));

    expect(error).toMatchObject({ kind: 'permanent', code: 'order_not_found' });
  });

  test('that loses its answer after booking is found to have booked', async () => {
    const order = await shop(name).place();
    await shop(name).fault(String(writes[0]), 'accept-then-500');

    const error = await failureOf(shop(name).caller().confirm(confirmationOf(order)));
    const again = shop(name).caller();
    await again.confirm(confirmationOf(order));

    expect(error.kind).toBe('unknown-outcome');
    expect(again.writes()).toEqual(writes.slice(1));
    expect(await shop(name).ledger(order.externalId)).toMatchObject({ confirmed: 1 });
  });
});

describe.each(SHOPS.slice(1))('completing an order in the %s shop', (name) => {
  test('is made up for alone when only the tracking was written', async () => {
    const order = await shop(name).place();
    await shop(name).fault('orders.update', 'status-503');
    const error = await failureOf(shop(name).caller().confirm(confirmationOf(order)));
    const again = shop(name).caller();

    const confirmed = await again.confirm(confirmationOf(order));

    expect(error.kind).toBe('unknown-outcome');
    expect(again.writes()).toEqual(['orders.update']);
    expect(confirmed).toMatchObject({ alreadySent: false, status: 'completed' });
  });

  test('is left out when the shop owner did it already', async () => {
    const order = await shop(name).place({ status: 'completed' });
    const caller = shop(name).caller();

    const confirmed = await caller.confirm(confirmationOf(order));

    expect(caller.writes()).toHaveLength(1);
    expect(confirmed).toMatchObject({ alreadySent: false, status: 'completed' });
  });
});

describe('core fulfilments', () => {
  test('name pieces by integers and quantities, and the carrier by its key', async () => {
    const order = await shop('core').place();

    await shop('core')
      .caller({ carrierNames: { 'gls-it': 'gls-key' } })
      .confirm(confirmationOf(order));

    const { json } = await shop('core').api('GET', `wc/v3/orders/${order.externalId}/fulfillments`);
    const [{ meta_data }] = json as [{ meta_data: { key: string; value: unknown }[] }];
    const meta = Object.fromEntries(meta_data.map(({ key, value }) => [key, value]));
    const items = order.lines.map((line) => ({ item_id: Number(line.externalLineId), qty: line.quantity }));
    expect(meta).toMatchObject({ _items: items, _tracking_number: 'RM512345678', _shipment_provider: 'gls-key' });
  });

  test('leave the other lines to a second shipment', async () => {
    const order = await shop('core').place();
    const [cups, plate] = confirmationOf(order).lines;
    const caller = shop('core').caller();

    await caller.confirm(confirmationOf(order, { lines: [cups as never], trackingNumber: 'PART1' }));
    await caller.confirm(confirmationOf(order, { lines: [plate as never], trackingNumber: 'PART2' }));

    expect(await shop('core').ledger(order.externalId)).toMatchObject({ trackingNumbers: ['PART1', 'PART2'] });
  });

  test('under the same tracking number are filled up with the missing lines only', async () => {
    const order = await shop('core').place();
    const [cups] = confirmationOf(order).lines;
    const caller = shop('core').caller();
    await caller.confirm(confirmationOf(order, { lines: [cups as never] }));

    await caller.confirm(confirmationOf(order));

    const { json } = await shop('core').api('GET', `wc/v3/orders/${order.externalId}/fulfillments`);
    const items = (json as { meta_data: { key: string; value: unknown }[] }[]).map(
      ({ meta_data }) => meta_data.find(({ key }) => key === '_items')?.value,
    );
    expect(items[1]).toEqual([{ item_id: Number(order.lines[1]?.externalLineId), qty: 1 }]);
  });

  test('are not written for pieces that another tracking number shipped', async () => {
    const order = await shop('core').place();
    await shop('core').caller().confirm(confirmationOf(order));

    const error = await failureOf(
      shop('core')
        .caller()
        .confirm(confirmationOf(order, { trackingNumber: 'OTHER1' })),
    );

    expect(error).toMatchObject({ kind: 'permanent', code: 'already_shipped' });
  });

  test('are not written for more pieces than were ordered', async () => {
    const order = await shop('core').place();
    const lines = order.lines.map(({ externalLineId }) => ({ externalLineId, quantity: 3 }));

    const error = await failureOf(shop('core').caller().confirm(confirmationOf(order, { lines })));

    expect(error).toMatchObject({ kind: 'permanent', code: 'quantity_exceeded' });
  });

  test('that a person prepared as a draft are fulfilled instead of doubled', async () => {
    const order = await shop('core').place();
    const items = order.lines.map((line) => ({ item_id: Number(line.externalLineId), qty: line.quantity }));
    const meta_data = [
      { key: '_items', value: items },
      { key: '_tracking_number', value: 'RM512345678' },
      { key: '_note', value: 'fragile' },
    ];
    await shop('core').api('POST', `wc/v3/orders/${order.externalId}/fulfillments`, {
      status: 'unfulfilled',
      is_fulfilled: false,
      meta_data,
    });
    const caller = shop('core').caller();

    await caller.confirm(confirmationOf(order));

    const { json } = await shop('core').api('GET', `wc/v3/orders/${order.externalId}/fulfillments`);
    expect(caller.writes()).toEqual(['fulfillments.update']);
    expect(json).toMatchObject([
      {
        is_fulfilled: '1',
        meta_data: expect.arrayContaining(meta_data.map((meta) => expect.objectContaining(meta))),
      },
    ]);
  });

  test('name every one of our carriers by its key, with a link', async () => {
    const keys: Record<string, string> = {};
    for (const carrierId of ['brt', 'dhl-express', 'fedex', 'gls-it', 'inpost-it', 'poste-it', 'ups', 'nonno']) {
      const order = await shop('core').place();
      const sent = await shop('core').caller().confirm(confirmationOf(order, { carrierId }));
      const { json } = await shop('core').api('GET', `wc/v3/orders/${order.externalId}/fulfillments`);
      const [{ meta_data }] = json as [{ meta_data: { key: string; value: unknown }[] }];
      keys[carrierId] = String(meta_data.find(({ key }) => key === '_shipment_provider')?.value);
      expect(sent.trackingUrl).toBe('https://track.example/gls/RM512345678');
    }

    expect(keys).toEqual({
      brt: 'bartolini-brt',
      'dhl-express': 'dhl',
      fedex: 'fedex',
      'gls-it': 'gls',
      'inpost-it': 'inpost',
      'poste-it': 'poste-italiane',
      ups: 'ups',
      nonno: 'other',
    });
  });

  test('are asked for with the order at hand when the shop had none to ask with', async () => {
    const order = await shop('core').place();
    const caller = shop('core').caller();

    await caller.confirm(confirmationOf(order), { mechanism: 'undecided', plugin: 'note' });

    expect(caller.writes()).toEqual(['fulfillments.create']);
  });
});

describe.each(SHOPS)('a number that no longer holds in the %s shop', (name) => {
  const replaced = { trackingNumber: 'RM599999999', replacedNumbers: ['RM512345678'] };

  test('gives way to the live one, once', async () => {
    const order = await shop(name).place();
    const caller = shop(name).caller();
    await caller.confirm(confirmationOf(order));
    const before = caller.writes().length;

    const corrected = await caller.confirm(confirmationOf(order, replaced));
    const writes = caller.writes().slice(before);
    const again = await caller.confirm(confirmationOf(order, replaced));

    expect(corrected).toMatchObject({ alreadySent: false, trackingNumber: 'RM599999999' });
    expect(writes).toEqual(
      {
        core: ['fulfillments.update'],
        tracking: ['shipment-trackings.create', 'shipment-trackings.delete'],
        ast: ['shipment-trackings.create', 'shipment-trackings.delete'],
        note: ['notes.create'],
      }[name],
    );
    expect(again).toMatchObject({ alreadySent: true, transactionId: corrected.transactionId });
    expect(caller.writes()).toHaveLength(before + writes.length);
    const told = (await shop(name).ledger(order.externalId))?.trackingNumbers;
    // A note cannot be taken back.
    expect(told).toEqual(name === 'note' ? ['RM512345678', 'RM599999999'] : ['RM599999999']);
  });

  test('is told to the customer in the correction', async () => {
    const order = await shop(name).place();
    await shop(name).caller().confirm(confirmationOf(order));

    await shop(name).caller().confirm(confirmationOf(order, replaced));

    const last = (await shop(name).mails(order.externalId)).at(-1);
    if (name === 'core' || name === 'note') expect(last?.trackingNumbers).toContain('RM599999999');
  });
});

describe('a dead number in core fulfilments', () => {
  test('keeps what a person added to the fulfilment', async () => {
    const order = await shop('core').place();
    const path = `wc/v3/orders/${order.externalId}/fulfillments`;
    const items = order.lines.map((line) => ({ item_id: Number(line.externalLineId), qty: line.quantity }));
    await shop('core').api('POST', path, {
      status: 'fulfilled',
      is_fulfilled: true,
      meta_data: [
        { key: '_items', value: items },
        { key: '_tracking_number', value: 'DEAD1' },
        { key: 'note', value: 'fragile' },
      ],
    });

    await shop('core')
      .caller()
      .confirm(confirmationOf(order, { replacedNumbers: ['DEAD1'] }));

    const { json } = await shop('core').api('GET', path);
    const [{ meta_data }, ...others] = json as [{ meta_data: { key: string; value: unknown }[] }];
    expect(others).toEqual([]);
    expect(Object.fromEntries(meta_data.map(({ key, value }) => [key, value]))).toMatchObject({
      _items: items,
      _tracking_number: 'RM512345678',
      _shipment_provider: 'gls',
      note: 'fragile',
    });
  });

  test('is deleted when the live one is there beside it', async () => {
    const order = await shop('core').place();
    const path = `wc/v3/orders/${order.externalId}/fulfillments`;
    const [line] = order.lines;
    const dead = {
      status: 'fulfilled',
      is_fulfilled: true,
      meta_data: [
        { key: '_items', value: [{ item_id: Number(line?.externalLineId), qty: 1 }] },
        { key: '_tracking_number', value: 'DEAD1' },
      ],
    };
    const live = {
      ...dead,
      meta_data: [
        { key: '_items', value: [{ item_id: Number(line?.externalLineId), qty: 1 }] },
        { key: '_tracking_number', value: 'RM512345678' },
      ],
    };
    await shop('core').api('POST', path, dead);
    await shop('core').api('POST', path, live);
    const caller = shop('core').caller();

    await caller.confirm(
      confirmationOf(order, {
        lines: [{ externalLineId: line?.externalLineId ?? '', quantity: 1 }],
        replacedNumbers: ['DEAD1'],
      }),
    );

    expect(caller.writes()).toEqual(['fulfillments.delete']);
    expect((await shop('core').ledger(order.externalId))?.trackingNumbers).toEqual(['RM512345678']);
  });
});

describe('a shop that works in another way than was detected', () => {
  test('is told by the way that it has now, and is to be detected again', async () => {
    const order = await shop('note').place();
    const caller = shop('note').caller();

    const confirmed = await caller.confirm(confirmationOf(order), { mechanism: 'core', plugin: 'note' });

    expect(confirmed).toMatchObject({ alreadySent: false, status: 'completed', detectAgain: true });
    expect(caller.writes()).toEqual(['notes.create', 'orders.update']);
  });

  test('has lost the plugin whose route it answers with 404', async () => {
    const order = await shop('note').place();

    const confirmed = await shop('note').caller().confirm(confirmationOf(order), { mechanism: 'ast', plugin: 'ast' });

    expect(confirmed).toMatchObject({ alreadySent: false, detectAgain: true });
  });

  test('has fulfilments since one of its orders shows them', async () => {
    const order = await shop('core').place({ meta_data: [{ id: 1, key: '_auto_fulfill_processed', value: '1' }] });
    const caller = shop('core').caller();

    const confirmed = await caller.confirm(confirmationOf(order), { mechanism: 'note', plugin: 'note' });

    expect(confirmed).toMatchObject({ alreadySent: false, detectAgain: true });
    expect(caller.writes()).toEqual(['fulfillments.create']);
  });

  test('is not detected again for an order that only used to have fulfilments', async () => {
    const order = await shop('note').place({ meta_data: [{ id: 1, key: '_fulfillment_status', value: 'fulfilled' }] });

    const confirmed = await shop('note').caller().confirm(confirmationOf(order), { mechanism: 'note', plugin: 'note' });

    expect(confirmed).not.toHaveProperty('detectAgain');
  });
});

describe('carriers of the tracking extension', () => {
  const provider = async (orderId: string) => {
    const { json } = await shop('tracking').api('GET', `wc-shipment-tracking/v3/orders/${orderId}/shipment-trackings`);
    return json as { tracking_provider: string; tracking_link: string; date_shipped: string }[];
  };

  test('are named in its own spelling', async () => {
    const order = await shop('tracking').place();

    await shop('tracking')
      .caller()
      .confirm(confirmationOf(order, { carrierName: 'gls italy' }));

    expect(await provider(order.externalId)).toMatchObject([
      { tracking_provider: 'GLS Italy', date_shipped: '2026-11-21' },
    ]);
  });

  test('that it does not list are custom carriers with our link', async () => {
    const order = await shop('tracking').place();

    await shop('tracking')
      .caller()
      .confirm(confirmationOf(order, { carrierId: 'nonno', carrierName: 'Corriere di Nonno' }));

    const [tracking] = await provider(order.externalId);
    expect(tracking).toMatchObject({
      tracking_provider: 'Corriere di Nonno',
      tracking_link: 'https://track.example/gls/RM512345678',
    });
  });

  test('that the account names wrongly are refused before anything is written', async () => {
    const order = await shop('tracking').place();
    const caller = shop('tracking').caller({ carrierNames: { 'gls-it': 'GLS Atlantis' } });

    const error = await failureOf(caller.confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code: 'carrier_invalid' });
    expect(caller.writes()).toEqual([]);
  });
});

test('a note about a longer number is not taken for the tracking', async () => {
  const order = await shop('note').place();
  await shop('note').api('POST', `wc/v3/orders/${order.externalId}/notes`, {
    note: 'Reso RM5123456789',
    customer_note: false,
  });
  const caller = shop('note').caller();

  await caller.confirm(confirmationOf(order));

  expect(caller.writes()).toEqual(['notes.create', 'orders.update']);
});
