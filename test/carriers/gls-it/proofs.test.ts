import { describe, expect, it } from 'vitest';
import type { CarrierContext, ReleaseRequest } from '../../../src/carriers/adapter.ts';
import { glsIt } from '../../../src/carriers/gls-it/index.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import { callerOf, listeningLog } from '../../support/call-carrier.ts';
import { startFakeServer } from '../../support/fake-server.ts';
import {
  account,
  against,
  closed,
  deleted,
  handle,
  infoLabel,
  kept,
  list,
  PDF,
  refusedParcel,
  shipmentWith,
  soldParcel,
  tracked,
  wholeCallError,
  xml,
} from './replies.ts';

type Context = CarrierContext<unknown>;
type Gls = typeof glsIt;
const OUTAGE = 'Impossibile connettersi al web server centrale.';
const NOT_ENABLED = 'Funzionalità non abilitata. Contattare la sede GLS di riferimento.';
const GONE = 'Spedizione inesistente o precedentemente cancellata';

const creating = async (gls: Gls, context: Context) => gls.createShipment(context, buildDraft());
const finding = async (gls: Gls, context: Context) => gls.findByReference?.(context, buildDraft());
const cancelling = async (gls: Gls, context: Context) => gls.cancelShipment?.(context, handle);
const closing = async (gls: Gls, context: Context) => gls.transmitShipments?.(context, [handle]);
const release: ReleaseRequest = {
  shipment: handle,
  action: 'REDISPATCH_NEW_ADDRESS',
  recipientPhone: '+39 333 1234567',
  newAddress: buildParty(),
  pickupPointId: '',
  note: '',
  redeliveryDate: '2026-11-24',
};
const releasing =
  (overrides: Partial<ReleaseRequest> = {}) =>
  async (gls: Gls, context: Context) =>
    gls.releaseHeld?.(context, { ...release, ...overrides });
const released = (words: string, number = 'YA610000001') =>
  xml(`<Risultati><Spedizione Numero="${number}"><Svincolo>${words}</Svincolo></Spedizione></Risultati>`);

describe('an outage inside GLS', () => {
  it.each([
    ['creating', creating, wholeCallError(OUTAGE), 'unknown-outcome'],
    ['creating, in the note of a parcel', creating, infoLabel(refusedParcel(OUTAGE)), 'unknown-outcome'],
    ['cancelling', cancelling, deleted(OUTAGE), 'unknown-outcome'],
    ['releasing', releasing(), released(OUTAGE), 'unknown-outcome'],
    ['looking up', finding, wholeCallError(OUTAGE), 'retryable'],
  ] as const)('settles nothing while %s', (_what, run, reply, kind) =>
    against([reply], async ({ fail }) => {
      expect(await fail(run)).toMatchObject({ kind, code: 'partner-broken', isAuthoritative: false });
    }),
  );

  it('leaves the outcome of closing unknown', () =>
    against([closed(['610000001', OUTAGE]), list()], async ({ call }) => {
      expect(await call(closing)).toMatchObject([{ outcome: 'unknown', message: OUTAGE }]);
    }));
});

describe('a no of GLS that is not about the shipment', () => {
  it.each([
    [NOT_ENABLED, 'credentials-refused'],
    ['Funzione non abilitata.', 'credentials-refused'],
    ['Codice contratto errato.', 'refused'],
    ['XML non compatibile.', 'refused'],
  ])('"%s" settles no earlier try', (words, code) =>
    against([wholeCallError(words), deleted(words)], async ({ fail }) => {
      for (const run of [creating, cancelling]) {
        expect(await fail(run)).toMatchObject({ kind: 'permanent', code, isAuthoritative: false });
      }
    }),
  );
});

it('a Bda that was used and is not shown may be that of a lost booking', () =>
  against(
    [infoLabel(refusedParcel('La Bda specificata è già stata utilizzata in precedenza.')), list(), kept(null)],
    async ({ fail }) => {
      expect(await fail(creating)).toMatchObject({ kind: 'unknown-outcome', code: 'shipment-unlisted' });
    },
  ));

describe('a deletion by GLS', () => {
  it.each([
    ['was not carried out', 'Eliminazione della spedizione 610000001 non avvenuta.', 'permanent'],
    ['was of another shipment', 'Eliminazione della spedizione 610000002 avvenuta.', 'unknown-outcome'],
    ['found another shipment missing', 'Spedizione 610000002 non presente.', 'unknown-outcome'],
  ])('is not believed when it %s', (_what, words, kind) =>
    against([deleted(words)], async ({ fail }) => {
      expect(await fail(cancelling)).toMatchObject({ kind });
    }),
  );

  it('is not believed in words of another document', () =>
    against([xml('<fault><reason>Operazione avvenuta</reason></fault>')], async ({ fail }) => {
      expect(await fail(cancelling)).toMatchObject({ kind: 'unknown-outcome' });
    }));

  it('is believed only with status 200', () =>
    against([{ ...deleted('Eliminazione della spedizione 610000001 avvenuta.'), status: 202 }], async ({ fail }) => {
      expect(await fail(cancelling)).toMatchObject({ kind: 'unknown-outcome' });
    }));
});

describe('a close that GLS did not carry out', () => {
  it.each([
    ['failed', 'of a listed shipment', '610000001', [{}]],
    ['unknown', 'of one without a route, which the list leaves out', '800000001', [{}]],
    ['unknown', 'while an item of the list cannot be read', '610000009', [{ NumSpedizione: 'x' }]],
  ] as const)('is %s %s', (outcome, _what, number, items) =>
    against([closed([number, GONE]), list(...items)], async ({ call }) => {
      const results = await call(async (gls, context) =>
        gls.transmitShipments?.(context, [{ ...handle, carrierReference: number }]),
      );

      expect(results).toMatchObject([{ outcome, message: GONE }]);
    }),
  );
});

describe('a release by GLS', () => {
  it('travels under the name of its parameter', () =>
    against([released('Ok')], async ({ call }, server) => {
      await call(releasing());

      expect([...new URLSearchParams(server.requests[0]?.body).keys()]).toEqual(['XMLInfoReleaseShipmentStock']);
    }));

  it.each([
    ['an empty outcome', released('')],
    ['the outcome of another parcel', released('Ok', 'YA610000002')],
  ])('is not believed with %s', (_what, reply) =>
    against([reply], async ({ fail }) => {
      expect(await fail(releasing())).toMatchObject({ kind: 'unknown-outcome' });
    }),
  );

  it.each([{ address: 'Via Generale Carlo Alberto Dalla Chiesa 125' }, { city: 'X'.repeat(31) }])(
    'is not sent to a place that does not fit: %o',
    (odd) =>
      against([], async ({ fail }) => {
        const failure = await fail(releasing({ newAddress: buildParty(odd) }));

        expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
        expect(failure.message).toContain('GLS takes 30 of each');
      }),
  );

  it('tells what was cut, and carries the second address line in the note', () =>
    against([released('Ok')], async ({ call }, server) => {
      const newAddress = buildParty({ name: 'Massimiliano Bartolomei', address2: 'Scala B' });

      const result = await call(releasing({ newAddress, note: 'n'.repeat(60) }));

      expect(result).toMatchObject({
        ok: true,
        message: 'Ok; the name was shortened for GLS to "Massimiliano Bartolo"; the note was cut at 65 characters',
      });
      expect(new URLSearchParams(server.requests[0]?.body).get('XMLInfoReleaseShipmentStock')).toContain(
        '<Note>Scala B nnn',
      );
    }));
});

describe('lists of GLS', () => {
  it('keep the other events beside one with an odd date, and carry minutes over', async () => {
    const server = await startFakeServer([
      tracked(
        shipmentWith([
          { Codice: '906', Data: 'Anna Bianchi' },
          { Codice: '905', Data: '31/02/26' },
          { Codice: '904', Data: '16/11/26', Ora: '06:63' },
        ]),
      ),
    ]);
    const { log, written } = listeningLog();

    const report = await callerOf(glsIt, account(server.url), { log }).call(async (gls, context) =>
      gls.track?.(context, handle),
    );
    await server.close();

    expect(report?.events.map(({ code, at }) => [code, at.toISOString()])).toEqual([
      ['904', '2026-11-16T06:03:00.000Z'],
    ]);
    expect(written()).toContain('"list":"tracking events","count":2,"fields":["Data"]');
    expect(written()).not.toContain('Anna');
  });

  it('find ours beside an odd shipment of another reference', () =>
    against([list({ NumSpedizione: 'x', Ddt: 'OTHER', RiferimentiCliente: '' }, {}), kept(PDF)], async ({ call }) => {
      expect(await call(finding)).toMatchObject({ carrierReference: '610000001' });
    }));

  it.each([
    ['carries our reference', { NumSpedizione: 'x' }],
    ['shows no reference', { NumSpedizione: 'x', Ddt: '', RiferimentiCliente: '' }],
  ])('show no absence while an item that cannot be read %s', (_what, item) =>
    against([list(item)], async ({ fail }) => {
      expect(await fail(finding)).toMatchObject({ kind: 'retryable', code: 'answer-unreadable' });
    }),
  );

  it('show no absence while an item has a reference and no number', () =>
    against([xml('<ListParcel><Parcel><Ddt>SM0000042</Ddt></Parcel></ListParcel>')], async ({ fail }) => {
      expect(await fail(finding)).toMatchObject({ kind: 'retryable', code: 'answer-unreadable' });
    }));
});

it('a booking with GLS tells what was cut', () =>
  against([infoLabel(soldParcel())], async ({ call }) => {
    const recipient = buildParty({
      company: 'Società Cooperativa Agricola dei Produttori',
      name: 'Anna',
      email: `${'a'.repeat(60)}@example.com`,
      phone: '+39 02 1234567890123456789',
    });

    const { warnings } = await call((gls, context) =>
      gls.createShipment(
        context,
        buildDraft({ recipient, note: 'n'.repeat(41), contents: 'Tazze in ceramica smaltate a mano' }),
      ),
    );

    expect(warnings).toEqual([
      'Shortened for GLS: recipient "Societa\' Cooperativa Agricola dei P"',
      'Shortened for GLS: contents "Tazze in ceramica smaltate a m"',
      `Shortened for GLS: note "${'n'.repeat(40)}"`,
      'The e-mail address has more than 70 characters and was left out',
      'The phone number has more than 20 characters and was left out',
    ]);
  }));

it('a damaged parcel waits for instructions', () => {
  expect(glsIt.trackingCodes?.read({ code: '24', text: '', note: '' })).toMatchObject({ status: 'held' });
});
