import { fedex } from '../../../src/carriers/fedex/index.ts';
import { TRACKING_CODES } from '../../../src/carriers/fedex/tracking-codes.ts';
import { buildDraft } from '../../support/build-draft.ts';
import { testCarrier } from '../conformance.ts';
import { account, cancelled, event, json, missing, NUMBER, refused, sold, token, tracked } from './replies.ts';

testCarrier({
  carrier: fedex,
  account,
  invalidAccount: { ...account('http://127.0.0.1'), accountNumber: '12' },
  secrets: ['Segretissimo9', 'Riservatissimo8', 'tokenOne'],
  draft: buildDraft(),
  prelude: [token],
  created: {
    replies: [{ ...sold(), to: 'POST /ship/v1/shipments' }],
    trackingNumber: NUMBER,
    carrierReference: NUMBER,
  },
  rejected: {
    reply: refused('SERVICETYPE.NOT.ALLOWED', 'The service is not allowed.'),
    words: 'The service is not allowed [SERVICETYPE.NOT.ALLOWED]',
  },
  unreadable: [
    { body: '' },
    { body: '<html><body>Manutenzione</body></html>' },
    { body: '{}' },
    json({ output: { jobId: 'abc123456' } }),
    json({ output: { transactionShipments: [] } }),
    sold({ shipment: { masterTrackingNumber: ' ' } }),
    { status: 400, body: '<html><body>Bad gateway</body></html>' },
    { status: 404, body: '{}' },
  ],
  find: {
    found: [{ ...tracked({}), to: 'POST /track/v1/referencenumbers' }],
    absent: [missing('TRACKING.REFERENCENUMBER.NOTFOUND')],
  },
  cancel: {
    first: [{ ...cancelled(), to: 'PUT /ship/v1/shipments/cancel' }],
    again: [token, refused('CANCELSHIPMENT.TRACKINGNUMBER.DELETED', 'Deleted already')],
  },
  writes: {
    createShipment: { refused: [refused('SERVICETYPE.NOT.ALLOWED', 'The service is not allowed.')] },
    cancelShipment: { refused: [refused('TRACKINGIDS.TRACKINGNUMBER.CLOSED', 'The shipment is closed.')] },
  },
  track: {
    codes: TRACKING_CODES,
    unknownCode: 'CA',
    replies: (code) => [{ ...tracked({ scanEvents: [event(code)] }), to: 'POST /track/v1/trackingnumbers' }],
  },
});
