import { afterAll, expect, it } from 'vitest';
import { posteIt } from '../../../src/carriers/poste-it/index.ts';
import { TRACKING_CODES } from '../../../src/carriers/poste-it/tracking-codes.ts';
import { buildDraft } from '../../support/build-draft.ts';
import { startFakeServer } from '../../support/fake-server.ts';
import { testCarrier } from '../conformance.ts';
import {
  account,
  CODE,
  event,
  json,
  PDF,
  pickedUp,
  releasedWith,
  session,
  sold,
  TOKEN,
  traced,
  waybill,
} from './replies.ts';

/** Labels are on another host than the services. */
const labels = await startFakeServer([{ to: 'GET /ldv.pdf', body: PDF }]);
afterAll(() => labels.close());

testCarrier({
  carrier: posteIt,
  account,
  invalidAccount: { ...account('http://127.0.0.1'), costCenterCode: '' },
  secrets: ['Segreta9!', TOKEN],
  draft: buildDraft(),
  prelude: [session],
  created: {
    replies: [
      {
        ...sold([waybill({ downloadURL: `${labels.url}/ldv.pdf?sig=chiave` })]),
        to: 'POST /postalandlogistics/parcel/waybill',
      },
    ],
    trackingNumber: CODE,
    carrierReference: CODE,
  },
  rejected: {
    reply: sold([waybill({ code: '', errorCode: 12, errorDescription: 'Servizio accessorio sconosciuto' })]),
    words: 'Servizio accessorio sconosciuto',
  },
  unreadable: [
    { body: '' },
    { body: '<html><body>Manutenzione</body></html>' },
    json({}),
    sold([]),
    sold([waybill({ code: ' ' })]),
    sold([], { errorCode: 7, errorDescription: '' }),
    sold([], { errorCode: 999, errorDescription: 'Errore generico' }),
  ],
  writes: {
    createShipment: {
      refused: [sold([waybill({ code: '', errorCode: 12, errorDescription: 'Servizio accessorio sconosciuto' })])],
    },
    releaseHeld: { refused: [releasedWith({ barcode: CODE, result: 'KO', errorDescription: 'Non svincolabile' })] },
    bookPickup: { refused: [pickedUp('KO', 'E0038', 'Data errata')] },
  },
  track: {
    codes: TRACKING_CODES,
    unknownCode: 'QQQ',
    replies: (code) => [{ ...traced([CODE, [event(code)]]), to: 'POST /postalandlogistics/parcel/tracking' }],
  },
});

it('tells the host of the labels no login', () => {
  const [request] = labels.requests;

  expect(request?.query.get('sig')).toBe('chiave');
  expect(request?.headers).not.toHaveProperty('authorization');
  expect(request?.headers).not.toHaveProperty('poste_clientid');
});
