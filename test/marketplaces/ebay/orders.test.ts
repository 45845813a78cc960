import { describe, expect, test } from 'vitest';
import { CONTACT, CUPS, euro, ORDER, PLATE, shipTo, useEbay } from './world.ts';

const world = useEbay();
const without = (field: keyof typeof CONTACT.contactAddress) => ({
  fulfillmentStartInstructions: [
    shipTo({ ...CONTACT, contactAddress: { ...CONTACT.contactAddress, [field]: undefined } }),
  ],
});

describe('an order from eBay', () => {
  test('is imported with everything the contract asks for', async () => {
    const order = await world.place({ lastModifiedDate: '2026-11-20T10:30:00.000Z' });

    expect(order).toMatchObject({
      externalNumber: order.externalId,
      state: 'open',
      currency: 'EUR',
      createdAt: new Date('2026-11-20T09:00:00Z'),
      modifiedAt: new Date('2026-11-20T10:30:00Z'),
      customer: {
        fullName: 'Ilaria Montaldo',
        email: 'ilaria.montaldo@members.example',
        phone: '+39 333 5550177',
      },
      billing: { address: 'Corso Traiano 8', vatNumber: '', taxCode: '' },
      shipping: {
        fullName: 'Ilaria Montaldo',
        address: 'Corso Traiano 8',
        city: 'Roma',
        province: 'RM',
        zip: '00184',
        countryCode: 'IT',
      },
      lines: [
        { sku: 'TAZ', title: 'Tazza', quantity: 2, unitPriceGross: '10.00', totalGross: '20.00', totalNet: '20.00' },
        { sku: 'PIA', title: 'Piatto', quantity: 1, unitPriceGross: '10.00', totalGross: '10.00' },
      ],
      shippingGross: '5.00',
      totalGross: '35.00',
      totalNet: '35.00',
      paymentMethod: 'EBAY',
      cashOnDelivery: false,
      note: 'Al piano terra 🎁',
      problems: [],
    });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['paid', {}, 'open'],
    ['partly shipped', { orderFulfillmentStatus: 'IN_PROGRESS' }, 'open'],
    ['unpaid', { orderPaymentStatus: 'PENDING' }, 'held'],
    ['not to be paid', { orderPaymentStatus: 'FAILED' }, 'held'],
    ['paid back', { orderPaymentStatus: 'FULLY_REFUNDED' }, 'cancelled'],
    ['cancelled', { cancelStatus: { cancelState: 'CANCELED' } }, 'cancelled'],
    [
      'cancelled after it was shipped',
      { cancelStatus: { cancelState: 'CANCELED' }, orderFulfillmentStatus: 'FULFILLED' },
      'cancelled',
    ],
    ['shipped', { orderFulfillmentStatus: 'FULFILLED' }, 'shipped'],
    ['shipped and paid back', { orderFulfillmentStatus: 'FULFILLED', orderPaymentStatus: 'FULLY_REFUNDED' }, 'shipped'],
  ])('that is %s there has its state here', async (_name, changes, state) => {
    expect(await world.place(changes)).toMatchObject({ state, problems: [] });
  });

  test('waits while a request to cancel it is open, and no longer once that was rejected', async () => {
    const cancelStatus = (cancelRequestState: string) => ({
      cancelState: 'IN_PROGRESS',
      cancelRequests: [{ cancelRequestState }],
    });

    const asked = await world.place({ cancelStatus: cancelStatus('REQUESTED') });
    const rejected = await world.place({ cancelStatus: cancelStatus('REJECTED') });

    expect(asked.state).toBe('held');
    expect(asked.problems).toEqual([expect.stringContaining('asked to cancel')]);
    expect(rejected).toMatchObject({ state: 'open', problems: [] });
  });

  test.each<[string, Record<string, unknown>]>([
    ['by its program', { program: { fulfillmentProgram: { fulfilledBy: 'EBAY' } } }],
    [
      'by its instructions',
      { fulfillmentStartInstructions: [{ fulfillmentInstructionsType: 'FULFILLED_BY_EBAY', shippingStep: {} }] },
    ],
  ])('that eBay ships itself is shipped, known %s', async (_name, changes) => {
    const order = await world.place(changes);

    expect(order.state).toBe('shipped');
    expect(order.problems[0]).toContain('eBay ships');
  });

  test('counts promotions, taxes on top and discounts on the delivery as the buyer paid them', async () => {
    const order = await world.place({
      pricingSummary: {
        deliveryCost: euro('8.00'),
        deliveryDiscount: euro('-3.00'),
        tax: euro('2.20'),
        total: euro('27.20'),
      },
      lineItems: [{ ...CUPS, quantity: 3, discountedLineItemCost: euro('18.00'), taxes: [{ amount: euro('2.20') }] }],
    });

    expect(order).toMatchObject({ shippingGross: '5.00', totalGross: '27.20', totalNet: '25.00' });
    expect(order.lines[0]).toMatchObject({ unitPriceGross: '6.7333', totalGross: '20.20', totalNet: '18.00' });
  });

  test.each([
    ['CODICE_FISCALE', { taxCode: 'PRVDAA80A41L219X', vatNumber: '' }],
    ['VATIN', { taxCode: '', vatNumber: 'PRVDAA80A41L219X' }],
    ['DNI', { taxCode: '', vatNumber: '' }],
  ])('has the tax number of the buyer where it belongs: %s', async (taxIdentifierType, billing) => {
    const taxIdentifier = { taxIdentifierType, taxpayerId: 'PRVDAA80A41L219X', issuingCountry: 'IT' };

    expect(await world.place({ buyer: { ...ORDER.buyer, taxIdentifier } })).toMatchObject({ billing });
  });

  test('names its customer after the recipient, and then by the eBay name, where the buyer gave no address', async () => {
    const buyer = { username: 'ilaria_m' };

    const order = await world.place({ buyer });
    const bare = await world.place({ buyer, fulfillmentStartInstructions: [] });

    expect(order.customer).toMatchObject({ fullName: 'Ilaria Montaldo', phone: '+39 333 5550177' });
    expect(bare.customer).toEqual({ fullName: 'ilaria_m', email: '', phone: '' });
  });

  test('goes to the warehouse of the international shipping, with the reference above the street', async () => {
    const order = await world.place({
      fulfillmentStartInstructions: [
        { ...shipTo(CONTACT, { shipToReferenceId: '1234567890123456' }), ebaySupportedFulfillment: true },
      ],
    });

    expect(order.shipping).toMatchObject({ company: 'Reference #1234567890123456', address: 'Corso Traiano 8' });
    expect(order.problems).toEqual([]);
  });

  test('to one address in two steps is one delivery', async () => {
    const order = await world.place({ fulfillmentStartInstructions: [shipTo(CONTACT), shipTo(CONTACT)] });

    expect(order.problems).toEqual([]);
  });

  test('is imported whole with 500 lines', async () => {
    const lineItems = Array.from({ length: 500 }, (_, index) => ({ ...PLATE, title: `Pezzo ${index} 🧩` }));

    const order = await world.place({ lineItems });

    expect(order.lines).toHaveLength(500);
    expect(order.lines[499]).toMatchObject({ title: 'Pezzo 499 🧩', totalGross: '10.00' });
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no lines', { lineItems: [] }, 'no lines'],
    ['lines that are no list', { lineItems: 'none' }, 'could not be read'],
    ['one unreadable line', { lineItems: [null, CUPS] }, 'Line 1'],
    ['a line of no pieces', { lineItems: [{ ...CUPS, quantity: 0 }] }, 'nothing to ship'],
    ['a line without a price', { lineItems: [{ ...CUPS, lineItemCost: undefined }] }, '"Tazza" has no price'],
    [
      'a line in another currency',
      { lineItems: [{ ...CUPS, lineItemCost: { value: '20.00', currency: 'USD' } }] },
      '"Tazza" is priced in USD',
    ],
    [
      'a line that was shipped',
      {
        orderFulfillmentStatus: 'IN_PROGRESS',
        lineItems: [{ ...CUPS, lineItemFulfillmentStatus: 'FULFILLED' }, PLATE],
      },
      'part of "Tazza" was already shipped',
    ],
    ['no total', { pricingSummary: { total: { currency: 'EUR' } } }, 'no total'],
    ['a total in words', { pricingSummary: { total: euro('free') } }, 'no total'],
    ['no amounts at all', { pricingSummary: null }, 'no currency'],
    ['an unknown payment', { orderPaymentStatus: 'BARTERED' }, '"BARTERED" is not known'],
    ['an unknown progress', { orderFulfillmentStatus: 'LOST' }, '"LOST" is not known'],
    ['no address', { fulfillmentStartInstructions: null }, 'no street'],
    ['no name', { fulfillmentStartInstructions: [shipTo({ ...CONTACT, fullName: '' })] }, 'no name'],
    ['no street', without('addressLine1'), 'no street'],
    ['no city', without('city'), 'no city'],
    ['no postal code', without('postalCode'), 'no postal code'],
    ['no country', without('countryCode'), 'no country'],
    [
      'two addresses',
      { fulfillmentStartInstructions: [shipTo(CONTACT), shipTo({ ...CONTACT, fullName: 'Vicina di casa' })] },
      'goes to 2 addresses',
    ],
    [
      'digital goods only',
      { fulfillmentStartInstructions: [{ fulfillmentInstructionsType: 'DIGITAL' }] },
      'digital goods only',
    ],
    [
      'a collection in a store',
      { fulfillmentStartInstructions: [{ fulfillmentInstructionsType: 'PREPARE_FOR_PICKUP', pickupStep: {} }] },
      'collects this order in a store',
    ],
  ])('with %s is imported as it is, with a sentence', async (_name, odd, sentence) => {
    const order = await world.place(odd);

    expect(order.problems.join('\n')).toContain(sentence);
  });

  test('needs no shipping with digital goods, and a refund of money blocks nothing', async () => {
    const digital = await world.place({
      fulfillmentStartInstructions: [{ fulfillmentInstructionsType: 'DIGITAL' }],
    });
    const refunded = await world.place({ orderPaymentStatus: 'PARTIALLY_REFUNDED' });

    expect([digital.needsShipping, refunded.needsShipping]).toEqual([false, undefined]);
    expect(refunded).toMatchObject({ state: 'open', problems: [] });
  });

  test('to a country with an unknown code and in a foreign currency is imported as it is', async () => {
    const dollars = { value: '41.50', currency: 'USD' };
    const contactAddress = { ...CONTACT.contactAddress, countryCode: 'xk' };

    const order = await world.place({
      pricingSummary: { total: dollars },
      lineItems: [{ ...CUPS, lineItemCost: dollars }],
      fulfillmentStartInstructions: [shipTo({ ...CONTACT, contactAddress })],
    });

    expect(order).toMatchObject({
      currency: 'USD',
      totalGross: '41.50',
      shipping: { countryCode: 'XK' },
      problems: [],
    });
  });
});
