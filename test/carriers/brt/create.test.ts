import { describe, expect, it } from 'vitest';
import type { brt } from '../../../src/carriers/brt/index.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import { against, bodyOf, created, label, message, NUMERIC, PDF, ZPL } from './replies.ts';

describe('creating with BRT', () => {
  const create = (
    replies: Parameters<typeof against>[0],
    overrides: Parameters<typeof buildDraft>[0] = {},
    more = {},
  ) => {
    let booked: Awaited<ReturnType<typeof brt.createShipment>> | undefined;
    let body: ReturnType<typeof bodyOf> = {};
    return against(
      replies,
      async ({ call }, server) => {
        booked = await call((one, context) => one.createShipment(context, buildDraft(overrides)));
        body = bodyOf(server);
      },
      more,
    ).then(() => ({ booked, body }));
  };

  it('sends everything a draft has, and nothing that is empty', async () => {
    const party = buildParty({
      company: 'Perù & Figli',
      name: 'Zoë Łącka',
      address: 'Via Città 5',
      city: 'Forlì',
      address2: 'Scala B',
    });

    const { body } = await create([created()], {
      recipient: party,
      parcels: [
        { weightGrams: 1550, lengthMm: 300, widthMm: 200, heightMm: 100 },
        { weightGrams: 700, lengthMm: 300, widthMm: 200, heightMm: 100 },
      ],
      cod: { amountCents: 12345, paymentType: 'bm' },
      insuredCents: 5000,
      note: 'Suonare',
      contents: 'Tazze in ceramica',
      options: ['E', 'P', 'A'],
    });

    expect(body).toEqual({
      account: { userID: '1020304', password: 'Segreta9!' },
      createData: {
        departureDepot: 61,
        senderCustomerCode: 1020304,
        deliveryFreightTypeCode: 'DAP',
        consigneeCompanyName: "Peru' & Figli",
        consigneeAddress: "Via Citta' 5",
        consigneeZIPCode: '20121',
        consigneeCity: "Forli'",
        consigneeProvinceAbbreviation: 'MI',
        consigneeCountryAbbreviationISOAlpha2: 'IT',
        consigneeContactName: 'Zoe Lacka',
        consigneeTelephone: '+393331234567',
        consigneeMobilePhoneNumber: '+393331234567',
        consigneeEMail: 'anna@example.com',
        isAlertRequired: '0',
        pricingConditionCode: 30,
        serviceType: 'E',
        insuranceAmount: 50,
        insuranceAmountCurrency: 'EUR',
        cashOnDelivery: 123.45,
        isCODMandatory: '1',
        codPaymentType: 'BM',
        codCurrency: 'EUR',
        senderParcelType: 'Tazze in cerami',
        numberOfParcels: 2,
        weightKG: 2.3,
        volumeM3: 0.012,
        numericSenderReference: Number(NUMERIC),
        alphanumericSenderReference: expect.stringMatching(/^SM0000042[0-9A-Z]{4}$/),
        genericReference: 'SM0000042 2026-0007',
        notes: 'Scala B - Suonare',
        particularDelivery1: 'A',
        particularDelivery2: 'P',
      },
      isLabelRequired: '1',
      labelParameters: {
        outputType: 'PDF',
        offsetX: 0,
        offsetY: 0,
        isBorderRequired: '0',
        isLogoRequired: '0',
        isBarcodeControlRowRequired: '0',
        labelFormat: '',
      },
    });
  });

  it('sends what the account wants on every shipment, and its tariff for the kind of delivery', async () => {
    const more = {
      network: 'D',
      deliveryFreightTypeCode: 'EXW',
      isAlertRequired: true,
      parcelsHandlingCode: '2',
      particularitiesDeliveryManagementCode: 'AB',
      particularitiesHoldOnStockManagementCode: 'CD',
      variousParticularitiesManagementCode: 'EF',
      pricingConditionCodePudo: '031',
      pricingConditionCodeAbroad: '032',
      longAddresses: true,
      isBorderRequired: true,
      zplFormat: 'DP5',
    };
    const abroad = buildParty({
      countryCode: 'FR',
      zip: '75001',
      province: 'Paris',
      phone: '+33 6 12345678',
      address: 'A'.repeat(105),
    });
    const zpl = created({ labels: { label: [label(1, ZPL)] } });

    const home = await create([created()], {}, more);
    const toPoint = await create([created()], { pickupPointId: 'IT10001' }, more);
    const toFrance = await create([zpl], { recipient: abroad, labelFormat: 'zpl' }, more);

    expect(home.body.createData).toMatchObject({
      network: 'D',
      deliveryFreightTypeCode: 'EXW',
      isAlertRequired: '1',
      parcelsHandlingCode: '2',
      particularitiesDeliveryManagementCode: 'AB',
      particularitiesHoldOnStockManagementCode: 'CD',
      variousParticularitiesManagementCode: 'EF',
      pricingConditionCode: 30,
    });
    expect(toPoint.body.createData).toMatchObject({ pudoId: 'IT10001', pricingConditionCode: 31 });
    expect(toFrance.body.createData).toMatchObject({ pricingConditionCode: 32, consigneeTelephone: '+33612345678' });
    expect(toFrance.body.createData).not.toHaveProperty('consigneeProvinceAbbreviation');
    expect(toFrance.body.createData).not.toHaveProperty('consigneeMobilePhoneNumber');
    expect(toFrance.body.labelParameters).toMatchObject({
      outputType: 'ZPL',
      labelFormat: 'DP5',
      isBorderRequired: '1',
    });
    expect(toFrance.booked?.labels).toEqual([{ contentType: 'application/zpl', bytes: ZPL }]);
  });

  it('marks every call, so that two bookings of one shipment can be told apart', async () => {
    const marks = new Set<unknown>();
    for (let round = 0; round < 3; round++) {
      const { body } = await create([created()]);
      marks.add(body.createData?.alphanumericSenderReference);
    }

    expect(marks.size).toBe(3);
  });

  it('takes the references it sent when BRT does not repeat them', async () => {
    const { booked, body } = await create([created({ alphanumericSenderReference: null })]);

    expect(booked?.carrierReference).toBe(body.createData?.alphanumericSenderReference);
  });

  it('returns a label per parcel in their order', async () => {
    const two = buildDraft().parcels.flatMap((one) => [one, one]);
    const answer = created({ numberOfParcels: 2, labels: { label: [label(1), label(2)] } });

    const { booked } = await create([answer], { parcels: two });

    expect(booked).toMatchObject({ parcelCount: 2, warnings: [], trackingNumber: '061011000001000' });
    expect(booked?.labels).toEqual([
      { contentType: 'application/pdf', bytes: PDF },
      { contentType: 'application/pdf', bytes: PDF },
    ]);
  });

  it.each([
    [
      'an address that was changed',
      { executionMessage: message(4, 'ZIP CODE CHANGED') },
      'BRT: ZIP CODE CHANGED (now 20121 MILANO MI)',
    ],
    ['a pick-up point elsewhere', { executionMessage: message(5, 'REPLACED', 'PUDO') }, 'BRT: PUDO: REPLACED'],
    ['a replaced recipient', { executionMessage: message(6, '', 'RETURN DEPOT') }, 'BRT: RETURN DEPOT'],
    ['a missing QR code', { executionMessage: message(7) }, 'BRT: warning 7'],
    ['messages in an array', { executionMessage: [message(0), message(5, 'REPLACED')] }, 'BRT: REPLACED'],
    ['a single label without an array', { labels: { label: label() }, executionMessage: message(7, 'QR') }, 'BRT: QR'],
    ['more parcels than sent', { numberOfParcels: '2' }, 'BRT counts 2 parcels in this shipment, 1 were sent'],
    ['a label that is none', { labels: { label: [{ ...label(), stream: 'xx' }] } }, 'BRT returned 0 of 1 labels'],
    ['a label of another format', { labels: { label: [label(1, ZPL)] } }, 'BRT returned 0 of 1 labels'],
  ])('keeps the shipment and warns of %s', async (_what, answer, warning) => {
    const { booked } = await create([created(answer)]);

    expect(booked?.trackingNumber).toBe('061011000001000');
    expect(booked?.warnings).toContain(warning);
  });

  it('tells what did not travel along whole', async () => {
    const recipient = buildParty({ email: `${'a'.repeat(60)}@example.com`, phone: '+39 02 12345678901234' });

    const { booked, body } = await create([created()], {
      recipient,
      note: 'x'.repeat(71),
      contents: 'Tazze in ceramica',
      orderNumber: 'Y'.repeat(26),
    });

    expect(booked?.warnings).toEqual([
      'The note was cut at 70 characters',
      'The contents were shortened for BRT to "Tazze in cerami"',
      'Reference and order number together were cut at 35 characters',
      'The phone number has more than 16 characters and was left out',
      'The e-mail address has more than 70 characters and was left out',
    ]);
    expect(body.createData?.notes).toHaveLength(70);
    expect(body.createData).not.toHaveProperty('consigneeTelephone');
    expect(body.createData).not.toHaveProperty('consigneeEMail');
  });
});
