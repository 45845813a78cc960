import { describe, expect, it } from 'vitest';
import type { ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { streetOf } from '../../../src/carriers/poste-it/text.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import type { CarrierCaller } from '../../support/call-carrier.ts';
import { type Reply, startFakeServer } from '../../support/fake-server.ts';
import { against, CODE, PDF, SECOND, sent, sold, waybill, ZPL } from './replies.ts';

const parcel = { weightGrams: 1500, lengthMm: 301, widthMm: 200, heightMm: 5 };
const create = ({ call }: CarrierCaller, draft: ShipmentDraft = buildDraft()) =>
  call((poste, context) => poste.createShipment(context, draft));

/** The body that a draft becomes. */
async function bodyOf(draft: ShipmentDraft, overrides: Record<string, unknown> = {}) {
  let body: ReturnType<typeof sent>;
  const run = async (caller: CarrierCaller, server: Parameters<typeof sent>[0]) => {
    await create(caller, draft);
    body = sent(server);
  };
  await against([sold()], run, overrides);
  return body;
}

describe('a waybill for Poste', () => {
  it('says who, what and whose reference, with numbers as text', async () => {
    expect(await bodyOf(buildDraft({ note: 'Citofono rotto, chiamare prima' }))).toEqual({
      costCenterCode: 'CDC-00000001',
      paperless: 'false',
      shipmentDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000$/),
      waybills: [
        {
          clientReferenceId: 'SM0000042',
          printFormat: '1011',
          product: 'APT000902',
          data: {
            declared: [{ weight: '1200', height: '10', length: '30', width: '20' }],
            content: 'Abbigliamento',
            services: {},
            sender: expect.objectContaining({
              nameSurname: 'Bottega Srl',
              contactName: '',
              note1: 'Citofono rotto,',
              note2: 'chiamare prima',
            }),
            receiver: {
              nameSurname: 'Anna Bianchi',
              contactName: '',
              address: 'Via Roma',
              streetNumber: '12',
              zipCode: '20121',
              city: 'Milano',
              province: 'MI',
              country: 'ITA1',
              countryName: 'Italia',
              email: 'anna@example.com',
              phone: '',
              cellphone: '+393331234567',
              addressId: '',
              note1: '',
              note2: '',
            },
          },
        },
      ],
    });
  });

  it.each([
    ['Via Roma 12', '', 'Via Roma', '12'],
    ['Via Roma, 12/A', '', 'Via Roma', '12/A'],
    ['Piazza 4 Novembre snc', '', 'Piazza 4 Novembre', 'snc'],
    ['Via Roma 1234/B', '', 'Via Roma 1234/B', ''],
    ['Via Roma 12', 'Scala C', 'Via Roma 12, Scala C', ''],
    ['Via XX Settembre', '', 'Via XX Settembre', ''],
    ['Viale Libertà 3', '', "Viale Liberta'", '3'],
  ])('writes %s %s as street "%s" and number "%s"', (address, address2, street, number) => {
    expect(streetOf({ address, address2 }, 4)).toEqual({ street, number });
  });

  it.each([
    ['pdf-a6', '1011'],
    ['pdf-a4', 'A4'],
    ['zpl', 'ZPL'],
  ] as const)('asks for the label %s as %s', async (labelFormat, printFormat) => {
    expect((await bodyOf(buildDraft({ labelFormat }))).waybills[0].printFormat).toBe(printFormat);
  });

  it.each([
    ['the product of the account', {}, { product: 'APT000901' }, 'APT000901'],
    ['the product of the order', { options: ['APT000902'] }, { product: 'APT000901' }, 'APT000902'],
  ])('takes %s', async (_title, draft, overrides, product) => {
    expect((await bodyOf(buildDraft(draft), overrides)).waybills[0].product).toBe(product);
  });

  it.each<[string, Partial<ShipmentDraft>, object]>([
    ['options', { options: ['APT000910', 'APT000901'] }, { APT000910: {} }],
    ['cash', { cod: { amountCents: 2505, paymentType: '' } }, { APT000918: { amount: '25.05', paymentMode: 'CON' } }],
    [
      'a cheque',
      { cod: { amountCents: 5, paymentType: 'acm' } },
      { APT000918: { amount: '0.05', paymentMode: 'ACM' } },
    ],
    ['insurance', { insuredCents: 100000 }, { APT000919: { amount: '1000.00' } }],
    ['several parcels', { parcels: [parcel, parcel] }, { APT000945: {} }],
  ])('orders %s', async (_title, overrides, services) => {
    const { data } = (await bodyOf(buildDraft(overrides))).waybills[0];

    expect(data.services).toEqual(services);
    if (overrides.parcels) expect(data.declared[1]).toEqual({ weight: '1500', height: '1', length: '31', width: '20' });
  });

  it('puts the person behind the company, and a number that is no mobile into the other field', async () => {
    const recipient = buildParty({ company: 'Ditta Neri', name: 'Ugo Neri', phone: '06 1234567' });

    expect((await bodyOf(buildDraft({ recipient }))).waybills[0].data.receiver).toMatchObject({
      nameSurname: 'Ditta Neri',
      contactName: 'Ugo Neri',
      phone: '061234567',
      cellphone: '',
    });
  });

  it('is told in the warnings when contents or note were too long', () =>
    against([sold()], async (caller) => {
      const draft = buildDraft({
        contents: 'Tazza in ceramica, piattino in ceramica',
        note: 'Lasciare in portineria dopo le ore diciotto',
      });

      expect((await create(caller, draft)).warnings).toEqual([
        'The contents were shortened for Poste to "Tazza in ceramica, piattino in"',
        'The note was shortened for Poste to "Lasciare in portineria dopo le"',
        `Poste Italiane sold waybill ${CODE}, and its label could not be fetched: print it from the portal of Poste`,
      ]);
    }));
});

describe('a label that Poste sold', () => {
  /** Books against labels that are served, or not, by another host. */
  async function withLabels(labels: readonly Reply[], paths: readonly string[], draft = buildDraft()) {
    const host = await startFakeServer(labels);
    const codes = [CODE, SECOND];
    const answer = sold(paths.map((path, index) => waybill({ code: codes[index], downloadURL: host.url + path })));
    let booked: Awaited<ReturnType<typeof create>> | undefined;
    await against([answer], async (caller) => {
      booked = await create(caller, draft);
      expect(caller.exchanges.filter(({ effect }) => effect === 'write')).toHaveLength(1);
    });
    await host.close();
    return booked;
  }

  it('is one shipment of several waybills, with a label each', async () => {
    const two = buildDraft({ parcels: [parcel, parcel], labelFormat: 'zpl' });

    expect(await withLabels([{ body: ZPL }, { body: ZPL }], ['/1', '/2'], two)).toEqual({
      trackingNumber: CODE,
      carrierReference: `${CODE},${SECOND}`,
      parcelCount: 2,
      labels: [
        { contentType: 'application/zpl', bytes: ZPL },
        { contentType: 'application/zpl', bytes: ZPL },
      ],
      warnings: [],
    });
  });

  it('has its label at the second try', async () => {
    const booked = await withLabels([{ status: 500 }, { to: 'GET /1', body: PDF }], ['/1']);

    expect(booked).toMatchObject({ labels: [{ contentType: 'application/pdf' }], warnings: [] });
  });

  it.each<[string, Reply]>([
    ['is refused', { status: 403, body: 'AuthenticationFailed' }],
    ['is broken', { ending: 'reset' }],
    ['is no label', { body: '<html>' }],
    ['is empty', { body: '' }],
  ])('is kept when its label %s twice', async (_title, reply) => {
    const booked = await withLabels([reply, reply], ['/1?sig=chiave']);

    expect(booked).toMatchObject({ trackingNumber: CODE, parcelCount: 1, labels: [] });
    expect(booked?.warnings.join()).toContain(CODE);
    expect(booked?.warnings.join()).not.toContain('chiave');
  });

  it.each(['', 'file:///etc/passwd', 'ftp://127.0.0.1/1', 'http://'])('asks for no label at "%s"', (downloadURL) =>
    against([sold([waybill({ downloadURL })])], async (caller) => {
      expect(await create(caller)).toMatchObject({ trackingNumber: CODE, labels: [] });
      expect(caller.exchanges.filter(({ status }) => status !== null)).toHaveLength(2);
    }),
  );

  it('is told when it is not what was ordered, and a number is kept whatever else is said', () =>
    against(
      [
        sold([waybill(), waybill({ code: '', errorCode: 12, errorDescription: 'Collo 2 rifiutato' })], {
          errorCode: 5,
          errorDescription: 'Esito parziale',
        }),
      ],
      async (caller) => {
        const { parcelCount, warnings } = await create(caller, buildDraft({ parcels: [parcel, parcel] }));

        expect(parcelCount).toBe(1);
        expect(warnings.slice(0, 3)).toEqual([
          'Poste Italiane sold 1 waybills for 2 parcels: call Poste before handing them over',
          'Poste Italiane: 12 Collo 2 rifiutato',
          'Poste Italiane: 5 Esito parziale',
        ]);
      },
    ));

  it.each([
    'Client reference duplicato',
    'Riferimento gia presente',
    'clientReferenceId già utilizzato',
    'Already exists',
  ])('is not known when Poste says "%s"', (errorDescription) =>
    against([sold([], { errorCode: 9, errorDescription })], async ({ fail }) => {
      expect(await fail((poste, context) => poste.createShipment(context, buildDraft()))).toMatchObject({
        kind: 'unknown-outcome',
        message: `Poste Italiane knows the reference already: 9 ${errorDescription}`,
      });
    }),
  );
});
