import { type HeldAction, isToPoint } from '../../domain/held-actions.ts';
import type { HeldReason } from '../../domain/held-reasons.ts';
import { dayAfter, instantOf, isCalendarDay } from '../../lib/clock.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, HeldParcel, Party, ReleaseRequest, ReleaseResult } from '../adapter.ts';
import { numbersOf } from '../parcels.ts';
import { failureOf, NOTHING_HELD, notAsked, TOO_MANY, wordsOf } from './codes.ts';
import { readPointId } from './pickup-points.ts';
import { placeOf } from './places.ts';
import { type Account, Deposit, DepositsAnswer, ReleaseAnswer, ReleaseOutcome } from './schema.ts';
import { ask } from './wire.ts';

type Context = CarrierContext<Account>;

const TIME_ZONE = 'Europe/Rome';
/** One question may span ten days at most. */
const WINDOW_DAYS = 10;
/** Back to the day of acceptance: the journey, and the ten working days that a parcel waits. */
const WINDOWS = 4;

/** States that are settled; both vocabularies that public clients know. Any other one is shown. */
const SETTLED = new Set([
  'SVINCOLATA',
  'RELEASED',
  'SCADUTA',
  'EXPIRED',
  'RICHIESTO',
  'REQUESTED',
  'SVINCOLOPR', // released beforehand
]);

interface Motivation {
  words: string;
  cause: HeldReason;
}
const REFUSED: Motivation = { words: 'Rifiutata dal destinatario', cause: 'refused' };
const UNKNOWN_PERSON: Motivation = { words: 'Destinatario non identificabile', cause: 'recipient_unknown' };
const WRONG_ADDRESS: Motivation = { words: 'Indirizzo errato', cause: 'address_wrong' };
const ABSENT: Motivation = { words: 'Destinatario assente', cause: 'absent' };

/** Reasons in both vocabularies; the words are for a list that leaves its own out. */
const REASONS: Readonly<Record<string, Motivation>> = {
  RIFDEST: REFUSED,
  RECIPREF: REFUSED,
  DESTNOTIND: UNKNOWN_PERSON,
  RECIPNOTID: UNKNOWN_PERSON,
  INDERR: WRONG_ADDRESS,
  ADDRINC: WRONG_ADDRESS,
  DESTASS: ABSENT,
  ABSRECIP: ABSENT,
};

const ACTIONS: Readonly<Record<HeldAction, string>> = {
  REDISPATCH_SAME_ADDRESS: 'AZ0001',
  REDISPATCH_NEW_ADDRESS: 'AZ0002',
  DESTROY: 'AZ0003', // abandoned to Poste
  RETURN_TO_SENDER: 'AZ0005',
  PICKUP_AT_DEPOT: 'AZ0006',
  PICKUP_AT_OFFICE: 'AZ0004',
  PICKUP_AT_LOCKER: 'AZ0007',
  PICKUP_AT_SHOP: 'AZ0008',
};

export const RELEASE_ACTIONS = Object.keys(ACTIONS) as HeldAction[];

/** Lists every parcel of the account's cost centre that still waits for a decision. */
export async function listHeld(context: Context): Promise<HeldParcel[]> {
  const found: Deposit[] = [];
  for (let window = 0; window < WINDOWS; window++) {
    const last = -window * WINDOW_DAYS;
    found.push(...(await depositsBetween(context, { first: last - WINDOW_DAYS + 1, last })));
  }
  const { costCenterCode } = context.account;
  return found
    .filter(({ cdc, depositStatus }) => ['', costCenterCode].includes(cdc) && !SETTLED.has(depositStatus.toUpperCase()))
    .map(heldParcelOf);
}

/**
 * Parcels in giacenza of waybills accepted on these days, counted from today. The filters `status` and `depositReason` mean the
 * opposite of their names, and sources disagree about their values, so both stay empty.
 */
export async function depositsBetween(
  context: Context,
  { first, last }: { first: number; last: number },
): Promise<Deposit[]> {
  const answer = await ask(
    context,
    {
      operation: 'depositsList',
      effect: 'read',
      method: 'POST',
      body: { dateFrom: dayOf(context, first), dateTo: dayOf(context, last), status: '', depositReason: '' },
    },
    DepositsAnswer,
  );
  if (answer.result === 'OK') return readEach(Deposit, answer.deposits, warnOf(context.log, 'held parcels'));
  if (answer.errorCode === NOTHING_HELD) return [];
  if (answer.errorCode !== TOO_MANY || first === last) throw failureOf(answer, 'read');
  const middle = Math.floor((first + last) / 2);
  return [
    ...(await depositsBetween(context, { first: middle + 1, last })),
    ...(await depositsBetween(context, { first, last: middle })),
  ];
}

/** YYYYMMDD in Italy. */
function dayOf(context: Context, days: number): string {
  return dayAfter(context.now(), days, TIME_ZONE).replaceAll('-', '');
}

function heldParcelOf(deposit: Deposit): HeldParcel {
  const { shipmentId, customerShipmentId, motivationId, motivationDescription, releasable } = deposit;
  const motivation = Object.hasOwn(REASONS, motivationId.toUpperCase()) ? REASONS[motivationId.toUpperCase()] : null;
  return {
    trackingNumber: shipmentId,
    reference: customerShipmentId,
    reason: motivationDescription || motivation?.words || motivationId,
    cause: motivation?.cause ?? 'unknown',
    since: startOf(deposit.startDate),
    deadline: startOf(deposit.endDate),
    isReleasable: releasable.toUpperCase() === 'Y',
  };
}

/** Poste gives days only: the beginning of the day counts. */
function startOf(day: string): Date | null {
  return isCalendarDay(day) ? instantOf(day, '00:00', TIME_ZONE) : null;
}

/**
 * Releases all waybills of the shipment in one request. Poste refuses those that do not wait one by one, which the
 * message says.
 */
export async function releaseHeld(context: Context, request: ReleaseRequest): Promise<ReleaseResult> {
  const { shipment, action, newAddress } = request;
  const answer = await ask(
    context,
    {
      operation: 'depositsRelease',
      effect: 'write',
      method: 'POST',
      body: {
        releaseAct: { shipmentId: shipment.trackingNumber, releaseAction: ACTIONS[action] },
        shipmentId: { item: numbersOf(shipment).map((barcode) => ({ barcode })) },
        address: { item: action === 'REDISPATCH_NEW_ADDRESS' ? [newPlaceOf(newAddress)] : [] },
        officeId: isToPoint(action) ? officeOf(request) : '',
      },
    },
    ReleaseAnswer,
  );
  const numbers = numbersOf(shipment);
  const results = readEach(ReleaseOutcome, answer.result.item, warnOf(context.log, 'released parcels'));
  const own = results.filter(({ barcode }) => numbers.includes(barcode));
  const refused = own.filter(({ result }) => result === 'KO');
  const silent = numbers.filter((number) => !own.some(({ barcode }) => barcode === number));
  const ok = own.length > refused.length;
  if (!ok) refuseUnproven(refused, silent);
  const words = [
    ...refused.map((one) => `${one.barcode}: ${wordsOf(one)}`),
    ...silent.map((number) => `${number}: no answer`),
  ];
  return { ok, message: [answer.description, ...words].filter((part) => part !== '').join('; '), raw: answer };
}

/** Nothing was released by all that Poste says; that settles it only when it says so of every waybill. */
function refuseUnproven(refused: readonly ReleaseOutcome[], silent: readonly string[]): void {
  for (const one of refused) {
    const failure = failureOf(one, 'write', { isOfOne: true });
    if (!failure.isAuthoritative) throw failure;
  }
  if (silent.length > 0) throw new Error(`The answer says nothing of ${silent.length} waybills`);
}

/** Our ids of lockers and shops hold Poste's code; of a post office that code is all there is. */
function officeOf({ pickupPointId }: ReleaseRequest): string {
  const office = readPointId(pickupPointId)?.node ?? pickupPointId.trim();
  if (office === '') throw notAsked('the pick-up point is missing');
  return office;
}

function newPlaceOf(place: Party | null) {
  if (place === null) throw notAsked('the new address is missing');
  return placeOf(place, 'new address');
}
