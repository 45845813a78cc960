import type { HeldReason } from '../../domain/held-reasons.ts';
import type { EventStatus } from '../../domain/tracking-status.ts';

export interface CodeMeaning {
  status: Exclude<EventStatus, 'unrecognised'>;
  /** BRT says that it will be late. */
  delayed?: true;
  heldReason?: HeldReason;
  announcesHeld?: { inDays: number | null };
}

const late: CodeMeaning = { status: 'in_transit', delayed: true };
const on = (status: CodeMeaning['status'], heldReason?: HeldReason): CodeMeaning => ({
  status,
  ...(heldReason ? { heldReason } : {}),
});
/** Nothing can be decided yet, and without help a giacenza follows. */
const soon = (heldReason: HeldReason): CodeMeaning => ({
  ...on('attempt_failed', heldReason),
  announcesHeld: { inDays: null },
});
/** BRT says in how many days it opens. */
const inDays = (days: number): CodeMeaning => ({ status: 'attempt_failed', announcesHeld: { inDays: days } });

/**
 * BRT code to our status, from the service's own legend (GetLegendaEventi) as kept by a public client, read on 2026-11-21. The
 * legend is a dump and need not be complete. BRT opens a giacenza only with G or GEN. Refusals, wrong addresses and the
 * waiting codes G02 to G09 are failed attempts that announce one: nothing can be decided yet.
 */
export const TRACKING_CODES: Readonly<Record<string, CodeMeaning>> = {
  // life of the parcel
  '700': on('awaiting_pickup'), // data transmitted to BRT
  '701': on('picked_up'),
  '702': on('in_transit'), // departed
  '703': on('in_transit'), // at a depot
  '027': on('in_transit'),
  '707': on('in_transit'), // forwarded to another depot
  DIR: on('in_transit'), // the same
  N: on('in_transit'), // to be delivered
  MIC: on('out_for_delivery'),
  '704': on('delivered'),
  P: on('in_transit'), // partially delivered: the rest still travels
  // pick-up points
  SIP: on('in_transit'), // redirected to a fermopoint
  '722': on('available_for_pickup'),
  DPU: on('available_for_pickup'),
  '724': on('delivered'), // collected
  DPP: on('exception', 'not_collected'), // not collected
  '052': soon('not_collected'), // term for collecting expired
  '032': soon('not_collected'), // fermo deposito, not collected
  // absent or closed
  AVV: on('attempt_failed', 'absent'),
  AV2: on('attempt_failed', 'absent'),
  AV3: on('attempt_failed', 'absent'),
  AV5: on('attempt_failed', 'absent'),
  AV7: on('attempt_failed', 'absent'),
  AV9: on('attempt_failed', 'absent'),
  RIC: on('attempt_failed', 'absent'),
  '017': soon('absent'), // absent after the notice
  A16: on('attempt_failed', 'postponed'), // postponed by the recipient
  '016': on('attempt_failed', 'postponed'),
  '100': on('attempt_failed', 'postponed'),
  '101': on('attempt_failed', 'postponed'),
  A23: on('attempt_failed', 'closed'), // closed
  '023': on('attempt_failed', 'closed'),
  T: on('attempt_failed', 'closed'), // closed on its weekly shift
  '024': soon('closed'), // closed for holidays
  '026': soon('other_address'), // another address asked for
  // refused
  '001': soon('refused'), // no reason given
  '002': soon('refused'), // not ordered
  '003': soon('refused'), // shipped late
  '004': soon('refused'), // already received
  '005': soon('refused'), // shipped early
  '006': soon('refused'), // unauthorised return
  '007': on('exception'), // damaged parcel
  '008': soon('cod_unpaid'), // cash on delivery not paid
  '009': soon('refused'), // wants to inspect
  '012': soon('charges_unpaid'), // transport not paid
  '037': soon('postponed'), // fixed date refused
  '050': soon('refused'), // by the fermopoint
  '051': soon('refused'), // by the recipient
  // cannot be delivered as it is
  '019': soon('ceased'), // activity ceased
  '028': soon('ceased'), // business not active
  '021': soon('recipient_unknown'), // recipient unknown
  '022': soon('address_wrong'), // address does not exist
  '035': soon('documents'), // documents incomplete
  '044': on('attempt_failed', 'pin'), // PIN wrong or missing
  '045': on('exception'), // invoice data missing
  // giacenza
  G02: inDays(2),
  G03: inDays(3),
  G05: inDays(5),
  G09: inDays(9),
  G: on('held'),
  GEN: on('held'),
  // trouble
  IDD: on('exception'), // contact the depot
  MAN: on('exception'), // parcels missing
  '709': on('exception'), // settlement proposed
  '710': on('exception'), // damage noted
  '708': on('returned'),
  // customs
  DDB: on('in_transit'), // documents missing
  DDC: on('in_transit'), // seized or destroyed: which of the two is not said
  DDR: on('in_transit'), // duties refused
  DDS: on('in_transit'), // under control
  // late
  '034': late, // force majeure
  '055': late, // locker broken
  '056': late, // locker full
  PAT: late, // patron saint
  ZFR: late, // regional holiday
  ZSF: late, // half holiday
  ZAC: late, // high water
  ZAL: late, // flood
  ZBC: late, // traffic block
  ZBS: late, // road block
  ZDM: late, // unrest
  ZEE: late, // power cut
  ZFM: late, // force majeure
  ZMM: late, // rough sea
  ZMP: late, // public event
  ZMS: late, // sport event
  ZNV: late, // snow
  ZRO: late, // operational slowdown
  ZSC: late, // strike
  ZTR: late, // earthquake
};

/** Not one of BRT's codes: what a delivery date without an event is kept as. */
export const DELIVERY_DATE = 'data_consegna_merce';

/** Returns the code without blanks, and with the zeros that a JSON number loses. */
export function meaningOf(code: string): CodeMeaning | undefined {
  const bare = code.trim().toUpperCase();
  const padded = /^\d{1,2}$/.test(bare) ? bare.padStart(3, '0') : bare;
  return Object.hasOwn(TRACKING_CODES, padded) ? TRACKING_CODES[padded] : undefined;
}
