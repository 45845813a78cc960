import { describe, expect, it } from 'vitest';
import type { ReleaseRequest } from '../../../src/carriers/adapter.ts';
import { glsIt } from '../../../src/carriers/gls-it/index.ts';
import { HELD_ACTIONS } from '../../../src/domain/held-actions.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import {
  against,
  closed,
  closedWithList,
  deleted,
  handle,
  leaves,
  list,
  PDF,
  parcelsOf,
  wholeCallError,
  xml,
} from './replies.ts';

describe('checking a draft for GLS Italy', () => {
  const problemsOf = (overrides: Parameters<typeof buildDraft>[0]) => glsIt.check?.(buildDraft(overrides), {}) ?? [];

  it('finds nothing wrong with a usual draft', () => {
    expect(problemsOf({ cod: { amountCents: 1000, paymentType: 'cash' }, insuredCents: 100, options: ['07'] })).toEqual(
      [],
    );
  });

  it.each([
    ['no parcel', { parcels: [] }, /1 to 99 parcels/],
    [
      'a weight of zero',
      { parcels: [{ weightGrams: 0, lengthMm: 1, widthMm: 1, heightMm: 1 }] },
      /Parcel 1 needs a weight/,
    ],
    [
      'a weight above 2000 kg',
      { parcels: [{ weightGrams: 2_000_001, lengthMm: 1, widthMm: 1, heightMm: 1 }] },
      /2000 kg/,
    ],
    ['a foreign country', { recipient: buildParty({ countryCode: 'FR' }) }, /Italy only/],
    ['a short postcode', { recipient: buildParty({ zip: '2012' }) }, /five digits/],
    ['no province', { recipient: buildParty({ province: '' }) }, /province/],
    ['a long street', { recipient: buildParty({ address: 'Via Generale Carlo Alberto Dalla Chiesa 125/A' }) }, /46/],
    ['a long second line', { recipient: buildParty({ address2: 'X'.repeat(41) }) }, /40 characters/],
    ['a long city', { recipient: buildParty({ city: 'X'.repeat(31) }) }, /30 characters/],
    ['a name GLS cannot write', { recipient: buildParty({ name: '张伟' }) }, /Latin letters/],
    ['an unknown payment type', { cod: { amountCents: 1, paymentType: 'BITCOIN' } }, /cannot collect by "BITCOIN"/],
    ['no amount to collect', { cod: { amountCents: 0, paymentType: '' } }, /above zero/],
    ['an unknown service', { options: ['99'] }, /no service "99"/],
    ['seven services', { options: ['01', '02', '03', '05', '06', '07', '08'] }, /at most 6/],
    ['a serial of eight digits', { serial: 10_000_000 }, /serial/],
    ['a long reference', { reference: 'SM0000000042' }, /reference/],
  ] as const)('names %s', (_what, overrides, words) => {
    expect(problemsOf(overrides).join('\n')).toMatch(words);
  });
});

describe('closing with GLS Italy', () => {
  const other = { reference: 'SM0000043', trackingNumber: 'YA610000002', carrierReference: '610000002' };
  const third = { reference: 'SM0000044', trackingNumber: 'YA610000003', carrierReference: '610000003' };
  const GONE = 'Spedizione inesistente o precedentemente cancellata';

  it('sends bare numbers without other tags, keeps each outcome and looks up the doubtful ones', () =>
    against(
      [
        closed(['610000001', 'OK'], ['610000002', GONE], ['610000003', GONE]),
        list({ NumSpedizione: '610000002', StatoSpedizione: 'CHIUSA.' }, { NumSpedizione: '610000003' }),
      ],
      async ({ call }, server) => {
        const results = await call(async (gls, context) => gls.transmitShipments?.(context, [handle, other, third]));

        expect(results).toEqual([
          { reference: 'SM0000042', outcome: 'succeeded', message: '' },
          { reference: 'SM0000043', outcome: 'succeeded', message: '' },
          { reference: 'SM0000044', outcome: 'failed', message: GONE },
        ]);
        expect(parcelsOf(server, '_xmlRequest')[0]).toBe(
          '<NumeroDiSpedizioneGLSDaConfermare>610000001</NumeroDiSpedizioneGLSDaConfermare></Parcel>',
        );
        expect(server.requests[0]?.body).not.toMatch(/Bda|Assicurazione/);
      },
    ));

  it('keeps the list of the depot for what was closed with it, and for nothing else', () =>
    against([closedWithList(PDF, ['610000001', 'OK'], ['610000002', GONE]), list()], async ({ call }, server) => {
      const results = await call(async (gls, context) => gls.transmitShipments?.(context, [handle, other]));

      expect(results).toMatchObject([
        { manifest: { contentType: 'application/pdf', bytes: PDF } },
        { outcome: 'failed' },
      ]);
      expect(results?.[1]).not.toHaveProperty('manifest');
      const sent = new URLSearchParams(server.requests[0]?.body).get('_xmlRequest');
      // Right after the password, or it is not seen.
      expect(sent).toMatch(/<\/PasswordClienteGls><CloseWorkDayResult>S<\/CloseWorkDayResult><Parcel>/);
    }));

  it('looks up what was closed when the answer has the list and no outcomes', () =>
    against(
      [closedWithList(PDF), list({ NumSpedizione: '610000001', StatoSpedizione: 'CHIUSA.' })],
      async ({ call }) => {
        const results = await call(async (gls, context) => gls.transmitShipments?.(context, [handle, other]));

        expect(results).toMatchObject([{ outcome: 'succeeded', manifest: { bytes: PDF } }, { outcome: 'unknown' }]);
      },
    ));

  it('keeps no list that is not a PDF', () =>
    against([closedWithList(Buffer.from('no list'), ['610000001', 'OK'])], async ({ call }) => {
      const results = await call(async (gls, context) => gls.transmitShipments?.(context, [handle]));

      expect(results).toEqual([{ reference: 'SM0000042', outcome: 'succeeded', message: '' }]);
    }));

  it('asks no list when everything was closed', () =>
    against([closed(['610000001', 'OK'])], async ({ call }) => {
      const results = await call(async (gls, context) => gls.transmitShipments?.(context, [handle]));

      expect(results).toMatchObject([{ outcome: 'succeeded' }]);
    }));

  it('calls an answer without outcomes unknown', () =>
    against([closed()], async ({ fail }) => {
      const failure = await fail(async (gls, context) => gls.transmitShipments?.(context, [handle]));

      expect(failure.kind).toBe('unknown-outcome');
    }));
});

describe('cancelling with GLS Italy', () => {
  it('deletes by the bare number and keeps the words of a refusal', () =>
    against([deleted('Spedizione già partita.')], async ({ fail }, server) => {
      const failure = await fail(async (gls, context) => gls.cancelShipment?.(context, handle));

      expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
      expect(failure.message).toContain('Spedizione già partita.');
      expect(new URLSearchParams(server.requests[0]?.body).get('NumSpedizione')).toBe('610000001');
    }));
});

describe('checking an address with GLS Italy', () => {
  const question = { province: 'MI', city: 'Milano', address: 'Via Roma 12', zip: '20121' };
  const answer = (esito: string, ...addresses: Record<string, string>[]) =>
    xml(
      `<AddressList><Esito>${esito}</Esito>${addresses.map((one) => `<Address>${leaves(one)}</Address>`).join('')}</AddressList>`,
      'POST /wscheckaddress.asmx/CheckAddress',
    );
  const milano = { Comune: 'MILANO', SiglaProvincia: 'MI', ZTL: 'SI', SaturdayExpressEffettuabile: 'Sì' };

  it.each([
    ['ok', 'Destinazione corretta.', [milano]],
    ['ambiguous', 'Destinazione corretta.', [milano, milano]],
    ['ambiguous', 'Indirizzo non identificato. Candidati:', [milano, milano]],
    ['not_found', 'Indirizzo non identificato.', [milano]],
    ['not_found', 'Indirizzo non identificato.', []],
  ] as const)('answers %s to "%s"', (status, esito, addresses) =>
    against([answer(esito, ...addresses)], async ({ call }) => {
      const result = await call(async (gls, context) => gls.checkAddress?.(context, question));

      expect(result).toMatchObject({ status, message: esito });
      expect(result?.addresses).toHaveLength(addresses.length);
    }),
  );

  it('fills all twenty fields, empty where GLS is silent', () =>
    against([answer('Destinazione corretta.', milano)], async ({ call }) => {
      const result = await call(async (gls, context) => gls.checkAddress?.(context, question));

      const [address] = result?.addresses ?? [];
      expect(Object.keys(address ?? {})).toHaveLength(20);
      expect(address).toMatchObject({ ...milano, Frazione: '', Zona: '' });
    }));
});

describe('releasing with GLS Italy', () => {
  const request: ReleaseRequest = {
    shipment: handle,
    action: 'REDISPATCH_SAME_ADDRESS',
    recipientPhone: '+39 333 1234567',
    newAddress: null,
    pickupPointId: '',
    note: '',
    redeliveryDate: '2026-11-24',
  };
  const answer = (words: string) =>
    xml(
      `<Risultati><Spedizione Numero="YA610000001"><Svincolo>${words}</Svincolo></Spedizione></Risultati>`,
      'POST /ilswebservice.asmx/ReleaseShipmentStock',
    );
  const sent = async (overrides: Partial<ReleaseRequest>): Promise<string> => {
    let document = '';
    await against([answer('Ok')], async ({ call }, server) => {
      const result = await call(async (gls, context) => gls.releaseHeld?.(context, { ...request, ...overrides }));
      expect(result).toMatchObject({ ok: true, message: 'Ok', raw: { Svincolo: 'Ok' } });
      document = [...new URLSearchParams(server.requests[0]?.body).values()].join('');
    });
    return document;
  };

  it.each([
    ['REDISPATCH_SAME_ADDRESS', '1'],
    ['REDISPATCH_NEW_ADDRESS', '2'],
    ['RETURN_TO_SENDER', '3'],
    ['DESTROY', '4'],
    ['PICKUP_AT_DEPOT', '7'],
  ] as const)('sends %s as type %s', async (action, type) => {
    expect(HELD_ACTIONS).toContain(action);
    expect(await sent({ action })).toContain(
      `<NumeroSpedizione>YA610000001</NumeroSpedizione><TipoSvincolo>${type}</TipoSvincolo>`,
    );
  });

  it('sends payer, date and the new address', async () => {
    const document = await sent({
      action: 'REDISPATCH_NEW_ADDRESS',
      newAddress: buildParty({ address: 'Corso Italia 5' }),
    });

    expect(document).toContain('<SpeseAdMittente>S</SpeseAdMittente><DataRiconsegna>24/11/26</DataRiconsegna>');
    expect(document).toContain('<NuovoIndirizzo>Corso Italia, 5</NuovoIndirizzo><NuovaLocalita>Milano</NuovaLocalita>');
  });

  it('reports the words of a refused release, and a whole-call error as permanent', () =>
    against([answer('Spedizione non trovata'), wholeCallError('Funzione non abilitata.')], async ({ call, fail }) => {
      expect(await call(async (gls, context) => gls.releaseHeld?.(context, request))).toMatchObject({
        ok: false,
        message: 'Spedizione non trovata',
      });
      expect(await fail(async (gls, context) => gls.releaseHeld?.(context, request))).toMatchObject({
        kind: 'permanent',
      });
    }));
});
