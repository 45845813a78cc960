import type { HeldReason } from '../../domain/held-reasons.ts';
import type { EventStatus } from '../../domain/tracking-status.ts';

export interface CodeMeaning {
  status: Exclude<EventStatus, 'unrecognised'>;
  /** GLS says that it will be late. */
  delayed?: true;
  heldReason?: HeldReason;
  announcesHeld?: { inDays: number | null };
}

const late: CodeMeaning = { status: 'in_transit', delayed: true };
const on = (status: CodeMeaning['status'], heldReason?: HeldReason): CodeMeaning => ({
  status,
  ...(heldReason ? { heldReason } : {}),
});
/** Without help a giacenza follows, on that day or at the next attempt. */
const announcing = (meaning: CodeMeaning, inDays: number | null): CodeMeaning => ({
  ...meaning,
  announcesHeld: { inDays },
});

/**
 * GLS Italy code to our status, from the public national and international code lists as read on 2026-11-21. Codes that
 * open a giacenza or wait for the sender are `held`. Where GLS gives a first and a later meaning, the first one stands.
 * 91 to 99 are the short forms of 901 to 910; "99" is both 909 and 910, which mean the same to us.
 */
export const TRACKING_CODES: Readonly<Record<string, CodeMeaning>> = {
  // life of the parcel
  '901': on('awaiting_pickup'), // created, not departed
  '909': on('awaiting_pickup'), // data transmitted
  '910': on('awaiting_pickup'), // data incomplete
  '902': on('in_transit'), // departed
  '903': on('in_transit'), // in transit
  '904': on('in_transit'), // at the destination depot
  '905': on('out_for_delivery'),
  '906': on('delivered'),
  '907': on('available_for_pickup'), // fermo deposito
  '908': late, // delivery on the next working day
  '91': on('awaiting_pickup'),
  '92': on('in_transit'),
  '93': on('in_transit'),
  '94': on('in_transit'),
  '95': on('out_for_delivery'),
  '96': on('delivered'),
  '97': on('available_for_pickup'),
  '98': late,
  '99': on('awaiting_pickup'),
  // attempts
  '1': on('attempt_failed', 'absent'), // absent, first time
  '5': on('attempt_failed', 'cod_unpaid'), // cash on delivery not ready, first time
  '8': on('attempt_failed', 'closed'), // closed on its weekly day
  '72': announcing(on('attempt_failed', 'exchange'), null), // exchange not possible; giacenza the second time
  // giacenza
  '3': on('held', 'other_address'), // moved
  '4': on('held', 'refused'), // refused
  '6': on('held', 'closed'), // closed for holidays
  '7': on('held', 'absent'), // absent, second time
  '15': on('held', 'oversize'), // oversize
  '24': on('held'), // damaged, and waits for instructions
  '49': on('held', 'documents'), // customs documents missing
  '59': on('held', 'ceased'), // business ceased
  '66': on('held'), // waiting for instructions
  '68': on('held', 'address_wrong'), // wrong address
  '69': on('held', 'recipient_unknown'), // recipient unknown
  '70': on('held', 'documents'), // document return refused
  '71': on('held', 'documents'), // document return missing
  '73': on('held', 'cod_unpaid'), // cash on delivery not ready, second time
  '76': on('held', 'pin'), // PIN wrong three times
  '82': on('held', 'not_collected'), // not fetched from the shop in time
  // waiting for the recipient
  '10': announcing(on('available_for_pickup', 'not_collected'), 3), // not collected at the depot; giacenza on the third day
  '12': on('available_for_pickup'), // recipient asked to collect
  '78': on('available_for_pickup'), // handed to a parcel shop
  '80': on('available_for_pickup'), // ready at a parcel shop
  '81': on('available_for_pickup'), // parcel shop asked for
  // on its way
  '13': on('in_transit'), // misrouted
  '14': on('in_transit'), // delivery agreed
  '16': on('in_transit'), // forwarded, or released from stock
  '32': on('in_transit'), // parcels swapped
  '35': on('in_transit'), // given to a local partner
  '40': on('in_transit'), // misrouted
  '41': on('in_transit'), // wrong driver
  '42': on('in_transit'), // wrong destination
  '47': on('in_transit'), // read at destination
  '48': on('out_for_delivery'), // out today
  '61': on('in_transit'), // in transit abroad
  '74': on('in_transit'), // delivery booked
  // late
  '17': late, // line delay
  '19': late, // distribution problem
  '22': late, // 48 hour zone
  '23': late, // 72 hour zone
  '28': late, // not out today
  '34': late, // deferred
  '45': late, // no space
  '67': late, // business closed
  '77': late, // not delivered
  // customs
  '50': on('in_transit'), // awaiting customs
  '51': on('in_transit'), // recipient not reachable for customs
  '52': on('in_transit'), // duties unpaid
  '53': on('in_transit'), // released by customs
  '55': on('in_transit'), // customs authorisation missing
  '56': on('in_transit'), // stopped for inspection
  // trouble
  '25': on('exception'), // parcel missing, first notice
  '26': on('exception'), // parcel missing, second notice
  '31': on('exception'), // accident
  '33': on('exception'), // wrong postcode
  '44': on('exception'), // damaged but deliverable
  '64': on('exception'), // not located
  '65': on('exception'), // damaged abroad
  '75': announcing(on('exception', 'booking'), 2), // booking missing; giacenza on the second day
  // ends
  '27': on('lost'), // missing confirmed
  '29': on('returning'), // on its way back to the sender
  '30': on('lost'), // stolen
  '39': on('destroyed'), // destroyed by instruction
};

/** Returns the meaning of a code, which GLS may pad with blanks or zeros. */
export function meaningOf(code: string): CodeMeaning | undefined {
  const bare = code.trim().replace(/^0+(?=\d)/, '');
  return Object.hasOwn(TRACKING_CODES, bare) ? TRACKING_CODES[bare] : undefined;
}
