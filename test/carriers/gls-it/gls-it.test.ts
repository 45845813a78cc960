import { describe, expect, it } from 'vitest';
import { glsIt } from '../../../src/carriers/gls-it/index.ts';
import { TRACKING_CODES } from '../../../src/carriers/gls-it/tracking-codes.ts';
import { buildDraft } from '../../support/build-draft.ts';
import { testCarrier } from '../conformance.ts';
import {
  account,
  against,
  closed,
  deleted,
  escaped,
  infoLabel,
  kept,
  list,
  PDF,
  parcelsOf,
  refusedParcel,
  shipmentWith,
  soldParcel,
  tracked,
  wholeCallError,
  xml,
} from './replies.ts';

const draft = buildDraft();
const created = { replies: [infoLabel(soldParcel())], trackingNumber: 'YA610000001', carrierReference: '610000001' };
const REFERENCE_USED = 'La Bda specificata è già stata utilizzata in precedenza.';

testCarrier({
  carrier: glsIt,
  account,
  invalidAccount: { ...account('http://127.0.0.1'), codiceContrattoGls: 'Segreta9!' },
  secrets: ['Segreta9!', encodeURIComponent('Segreta9!')],
  draft,
  created,
  rejected: {
    reply: infoLabel(refusedParcel('Il peso deve essere maggiore di zero.')),
    words: 'Il peso deve essere maggiore di zero.',
  },
  unreadable: [
    { body: '<InfoLabel><Parcel>' },
    { body: '' },
    { body: '<html><body><p>Manutenzione</p></body></html>' },
    infoLabel(),
    infoLabel('<Parcel><NoteSpedizione></NoteSpedizione></Parcel>'),
  ],
  find: {
    found: [list({ NumSpedizione: '610000009', Ddt: 'SM0000009', RiferimentiCliente: 'SM0000009' }, {}), kept(PDF)],
    absent: [list({ Ddt: 'SM00000421', RiferimentiCliente: 'SM00000421' }), kept(null)],
  },
  cancel: {
    first: [deleted('Eliminazione della spedizione 610000001 avvenuta.')],
    again: [deleted('Spedizione 610000001 non presente.')],
  },
  writes: {
    createShipment: { refused: [infoLabel(refusedParcel('Il peso deve essere maggiore di zero.'))] },
    cancelShipment: { refused: [deleted('Spedizione già partita.')] },
    transmitShipments: { refused: [closed(['610000001', 'Spedizione non confermabile.']), list()] },
    releaseHeld: {
      refused: [xml('<Parcel><Numero>YA610000001</Numero><Svincolo>KO - Pacco non in giacenza</Svincolo></Parcel>')],
    },
  },
  track: { codes: TRACKING_CODES, unknownCode: '998', replies: (Codice) => [tracked(shipmentWith([{ Codice }]))] },
});

describe('creating with GLS Italy', () => {
  it('sends every parcel in one call, and the cash on delivery on the first parcel only', () =>
    against(
      [infoLabel(soldParcel(), soldParcel({ TotaleColli: 2, ProgressivoCollo: 2 }))],
      async ({ call }, server) => {
        const parcel = { weightGrams: 1550, lengthMm: 1, widthMm: 1, heightMm: 1 };
        const cod = { amountCents: 12345, paymentType: '' };

        const shipment = await call((gls, context) =>
          gls.createShipment(
            context,
            buildDraft({ parcels: [parcel, { ...parcel, weightGrams: 20 }], cod, insuredCents: 5000 }),
          ),
        );

        const [first = '', second = ''] = parcelsOf(server, 'XMLInfoParcel');
        expect(first).toContain(
          '<ImportoContrassegno>123,45</ImportoContrassegno><ModalitaIncasso>CONT</ModalitaIncasso>',
        );
        expect(first).toContain('<PesoReale>1,6</PesoReale>');
        expect(first).toContain('<ContatoreProgressivo>4201</ContatoreProgressivo>');
        expect(second).not.toContain('Contrassegno');
        expect(second).toContain('<PesoReale>0,1</PesoReale>');
        expect(second).toContain('<Assicurazione>50,00</Assicurazione>');
        expect(second).toContain('<ContatoreProgressivo>4202</ContatoreProgressivo>');
        expect(shipment).toMatchObject({ parcelCount: 2, warnings: [] });
        expect(shipment.labels).toHaveLength(2);
      },
    ));

  it('reads an answer that asmx wrapped in a string', () =>
    against(
      [xml(escaped(`<InfoLabel>${soldParcel({ NoteSpedizione: 'Scala A &amp; B' })}</InfoLabel>`))],
      async ({ call }) => {
        const shipment = await call((gls, context) => gls.createShipment(context, draft));

        expect(shipment.trackingNumber).toBe('YA610000001');
      },
    ));

  it('shows by the parcel count that a repeat was merged', () =>
    against([infoLabel(soldParcel({ TotaleColli: 2, ProgressivoCollo: 2 }))], async ({ call }) => {
      const shipment = await call((gls, context) => gls.createShipment(context, draft));

      expect(shipment.parcelCount).toBe(2);
      expect(shipment.warnings).toEqual(['GLS counts 2 parcels in this shipment, 1 were sent']);
    }));

  it('takes "GLS Check" as a sold shipment with a warning', () => {
    const check = {
      NumeroSpedizione: '800000001',
      SiglaSedeDestino: '',
      DescrizioneSedeDestino: 'GLS Check',
      NoteSpedizione: 'CAP errato',
    };
    return against([infoLabel(soldParcel(check))], async ({ call }) => {
      const shipment = await call((gls, context) => gls.createShipment(context, draft));

      expect(shipment.trackingNumber).toBe('YA800000001');
      expect(shipment.warnings).toEqual(['GLS Check: CAP errato']);
    });
  });

  it('takes the number 999999999 as a refusal', () =>
    against(
      [infoLabel(soldParcel({ NumeroSpedizione: '999999999', NoteSpedizione: 'Localita mancante' }))],
      async ({ fail }) => {
        const failure = await fail((gls, context) => gls.createShipment(context, draft));

        expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
        expect(failure.message).toContain('Localita mancante');
      },
    ));

  it('keeps what was sold when GLS refuses only one of the parcels', () =>
    against([infoLabel(soldParcel(), refusedParcel('Peso errato'))], async ({ call }) => {
      const parcel = { weightGrams: 1000, lengthMm: 1, widthMm: 1, heightMm: 1 };

      const shipment = await call((gls, context) =>
        gls.createShipment(context, buildDraft({ parcels: [parcel, parcel] })),
      );

      expect(shipment.parcelCount).toBe(1);
      expect(shipment.warnings).toContain('GLS left a parcel out: Peso errato');
    }));

  it('adopts the shipment when GLS says that its Bda was used before', () =>
    against(
      [infoLabel(refusedParcel(REFERENCE_USED)), list({ StatoSpedizione: 'CHIUSA.' }), kept(PDF)],
      async ({ call }) => {
        const shipment = await call((gls, context) => gls.createShipment(context, draft));

        expect(shipment).toMatchObject({ trackingNumber: 'YA610000001', parcelCount: 1 });
      },
    ));

  it.each([
    ['Login fallito.', 'permanent', 'credentials-refused'],
    ['Codice contratto errato.', 'permanent', 'refused'],
    ['Anomalia interna: ripetere la chiamata.', 'unknown-outcome', 'partner-broken'],
  ])('takes the whole-call error "%s" as %s', (words, kind, code) =>
    against([wholeCallError(words)], async ({ fail }) => {
      const failure = await fail((gls, context) => gls.createShipment(context, draft));

      expect(failure).toMatchObject({ kind, code });
      expect(failure.message).toContain(words);
    }),
  );

  it('asks for ZPL and unwraps it', () =>
    against(
      [infoLabel(soldParcel({ PdfLabel: '', Zpl: Buffer.from('^XA^XZ').toString('base64') }))],
      async ({ call }, server) => {
        const shipment = await call((gls, context) => gls.createShipment(context, buildDraft({ labelFormat: 'zpl' })));

        expect(parcelsOf(server, 'XMLInfoParcel')[0]).toContain('<GeneraPdf>6</GeneraPdf>');
        expect(shipment.labels).toEqual([{ contentType: 'application/zpl', bytes: Buffer.from('^XA^XZ') }]);
      },
    ));

  it('fetches the label by its counter when the answer holds none', () =>
    against([infoLabel(soldParcel({ PdfLabel: '' })), kept(null), kept(PDF, 'GetPdfBySped')], async ({ call }) => {
      const shipment = await call((gls, context) => gls.createShipment(context, draft));

      expect(shipment.labels).toEqual([{ contentType: 'application/pdf', bytes: PDF }]);
    }));
});

describe('finding with GLS Italy', () => {
  it('tells a closed shipment and counts a doubled one', () =>
    against([list({ StatoSpedizione: 'CHIUSA.', TotaleColli: 2 }), kept(PDF)], async ({ call }) => {
      const found = await call(async (gls, context) => gls.findByReference?.(context, draft));

      expect(found).toMatchObject({ canBeTakenBack: false, parcelCount: 2, carrierReference: '610000001' });
      expect(found?.labels).toHaveLength(1);
    }));

  it('finds a shipment that waits at "GLS Check", which the list leaves out', () => {
    const shipment = '<SPEDIZIONE><NumSped>800000001</NumSped><NumeroColli>1</NumeroColli><TRACKING/></SPEDIZIONE>';
    return against([list(), kept(PDF), tracked(shipment), kept(PDF)], async ({ call }, server) => {
      const found = await call(async (gls, context) => gls.findByReference?.(context, draft));

      expect(found).toMatchObject({ trackingNumber: 'YA800000001', canBeTakenBack: true, parcelCount: 1 });
      expect(server.requests[2]?.query.get('bda')).toBe('SM0000042');
    });
  });

  it('calls a label without a number unknown, never absent', () =>
    against([list(), kept(PDF), tracked('<TESTOERRORE>no</TESTOERRORE>')], async ({ fail }) => {
      const failure = await fail(async (gls, context) => gls.findByReference?.(context, draft));

      expect(failure).toMatchObject({ kind: 'unknown-outcome', code: 'shipment-unlisted' });
    }));

  it('does not take an answer of another shape for an empty list', () =>
    against([xml('<Risposta><Messaggio>Servizio in manutenzione</Messaggio></Risposta>')], async ({ fail }) => {
      const failure = await fail(async (gls, context) => gls.findByReference?.(context, draft));

      expect(failure).toMatchObject({ kind: 'retryable', code: 'answer-unreadable' });
    }));

  it('proves an account by reading the list', () =>
    against([wholeCallError('Login fallito.'), list()], async ({ call, fail }) => {
      const verify = async (gls: typeof glsIt, context: Parameters<NonNullable<typeof glsIt.verifyAccount>>[0]) =>
        gls.verifyAccount?.(context);

      expect(await fail(verify)).toMatchObject({ kind: 'permanent', code: 'credentials-refused' });
      await call(verify);
    }));
});
