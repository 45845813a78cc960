import type { EventStatus } from '../../domain/tracking-status.ts';

export interface CodeMeaning {
  status: Exclude<EventStatus, 'unrecognised'>;
  /** BRT says that it will be late. */
  delayed?: true;
}

const late: CodeMeaning = { status: 'in_transit', delayed: true };
const on = (status: CodeMeaning['status']): CodeMeaning => ({ status });

/**
 * BRT code to our status, from the service's own legend (GetLegendaEventi) as kept by a public client, read on 2026-11-21. The
 * legend is a dump and need not be complete. BRT opens a giacenza only with G or GEN, so refusals, wrong addresses and the
 * waiting codes G02 to G09, which announce one, are failed attempts: nothing can be decided yet.
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
  DPP: on('exception'), // not collected
  '052': on('attempt_failed'), // term for collecting expired
  '032': on('attempt_failed'), // fermo deposito, nobody came
  // absent or closed
  AVV: on('attempt_failed'),
  AV2: on('attempt_failed'),
  AV3: on('attempt_failed'),
  AV5: on('attempt_failed'),
  AV7: on('attempt_failed'),
  AV9: on('attempt_failed'),
  RIC: on('attempt_failed'),
  '017': on('attempt_failed'), // absent after the notice
  A16: on('attempt_failed'), // postponed by the recipient
  '016': on('attempt_failed'),
  '100': on('attempt_failed'),
  '101': on('attempt_failed'),
  A23: on('attempt_failed'), // closed
  '023': on('attempt_failed'),
  T: on('attempt_failed'), // closed on its weekly shift
  '024': on('attempt_failed'), // closed for holidays
  '026': on('attempt_failed'), // another address asked for
  // refused
  '001': on('attempt_failed'), // no reason given
  '002': on('attempt_failed'), // not ordered
  '003': on('attempt_failed'), // shipped late
  '004': on('attempt_failed'), // already received
  '005': on('attempt_failed'), // shipped early
  '006': on('attempt_failed'), // unauthorised return
  '007': on('exception'), // damaged parcel
  '008': on('attempt_failed'), // cash on delivery not paid
  '009': on('attempt_failed'), // wants to inspect
  '012': on('attempt_failed'), // transport not paid
  '037': on('attempt_failed'), // fixed date refused
  '050': on('attempt_failed'), // by the fermopoint
  '051': on('attempt_failed'), // by the recipient
  // cannot be delivered as it is
  '019': on('attempt_failed'), // activity ceased
  '028': on('attempt_failed'), // business not active
  '021': on('attempt_failed'), // recipient unknown
  '022': on('attempt_failed'), // address does not exist
  '035': on('attempt_failed'), // documents incomplete
  '044': on('attempt_failed'), // PIN wrong or missing
  '045': on('exception'), // invoice data missing
  // giacenza
  G02: on('attempt_failed'), // opens in 2 days
  G03: on('attempt_failed'),
  G05: on('attempt_failed'),
  G09: on('attempt_failed'),
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

/** BRT pads codes with blanks, and a JSON number loses its zeros. */
export function meaningOf(code: string): CodeMeaning | undefined {
  const bare = code.trim().toUpperCase();
  const padded = /^\d{1,2}$/.test(bare) ? bare.padStart(3, '0') : bare;
  return Object.hasOwn(TRACKING_CODES, padded) ? TRACKING_CODES[padded] : undefined;
}
