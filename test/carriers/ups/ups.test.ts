import { ups } from '../../../src/carriers/ups/index.ts';
import { TRACKING_CODES } from '../../../src/carriers/ups/tracking-codes.ts';
import { buildDraft } from '../../support/build-draft.ts';
import { testCarrier } from '../conformance.ts';
import {
  account,
  event,
  json,
  NUMBER,
  recovered,
  refused,
  sold,
  token,
  tracked,
  unrecoverable,
  untracked,
  voided,
} from './replies.ts';

const draft = buildDraft();
const UNSERVED = 'The requested service is unavailable between the selected locations.';

testCarrier({
  carrier: ups,
  account,
  invalidAccount: { ...account('http://127.0.0.1'), shipperNumber: 'AB' },
  secrets: ['Segretissimo9!', Buffer.from('clientOne:Segretissimo9!').toString('base64'), 'tokenOne'],
  draft,
  prelude: [token],
  created: {
    replies: [
      { ...sold(), to: 'POST /api/shipments/v2409/ship' },
      { ...recovered(), to: 'POST /api/labels/v1/recovery' },
    ],
    trackingNumber: NUMBER,
    carrierReference: NUMBER,
  },
  rejected: { reply: refused('121210', UNSERVED), words: 'The requested service is unavailable' },
  unreadable: [
    { body: '' },
    { body: '<html><body>Manutenzione</body></html>' },
    { body: '{}' },
    sold({ results: { ShipmentIdentificationNumber: ' ' } }),
    json({ ShipmentResponse: { Response: { ResponseStatus: { Code: '0' } } } }),
    { status: 400, body: '<html><body>Bad gateway</body></html>' },
    { status: 404, body: '{}' },
  ],
  find: {
    found: [{ ...tracked({}), to: 'GET /api/track/v1/reference/details/SM0000042' }, recovered()],
    absent: [untracked, { ...unrecoverable, to: 'POST /api/labels/v1/recovery' }],
  },
  cancel: {
    first: [{ ...voided(), to: `DELETE /api/shipments/v2409/void/cancel/${NUMBER}` }],
    again: [token, refused('190117', 'The Shipment has already been voided')],
  },
  writes: {
    createShipment: { refused: [refused('121210', UNSERVED)] },
    cancelShipment: { refused: [refused('190102', 'No shipment found within the allowed void period')] },
    bookPickup: { refused: [refused('9500525', 'The pickup date is not a business day')] },
    cancelPickup: { refused: [refused('190103', 'The Pickup Request has already been completed')] },
  },
  track: {
    codes: TRACKING_CODES,
    unknownCode: '27',
    replies: (code) => [
      tracked({
        activity: [
          /^\d/.test(code) ? event(code) : event('', { status: { type: code, statusCode: '', description: 'x' } }),
        ],
      }),
    ],
  },
});
