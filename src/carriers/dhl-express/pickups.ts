import { instantOf } from '../../lib/clock.ts';
import type { BookedPickup, CarrierContext, PickupRequest } from '../adapter.ts';
import { linesOf, composedText as plain } from '../text.ts';
import { MAX } from './limits.ts';
import { accountsOf, weighed } from './mapping.ts';
import { contactOf, postalAddress, streetOf } from './parties.ts';
import { notAsked, refusalOf, wordsOf } from './refusals.ts';
import { dhlTime } from './schedule.ts';
import { type Account, PickupAnswer } from './schema.ts';
import { ask, call, Nothing } from './wire.ts';

type Context = CarrierContext<Account>;

const REASON = 'Pickup no longer needed';
/** The words of that 400 were not found: it must name the cancellation. */
const ALREADY = /already (been )?cancel/i;
/** Any other 404 is of an address that is not DHL's, and proves nothing. */
const NO_PICKUP = /\bPickup was not found\b/i;
/** Between the numbers of a pickup that DHL split. */
const AND = ',';

export async function bookPickup(context: Context, request: PickupRequest): Promise<BookedPickup> {
  const { account } = context;
  const answer = await call(
    context,
    {
      operation: 'bookPickup',
      effect: 'write',
      method: 'POST',
      path: '/pickups',
      body: pickupBody(account, request),
      messageReference: request.reference,
      promised: 201,
    },
    PickupAnswer,
  );
  const when = [answer.nextPickupDate, answer.readyByTime].filter((part) => part !== '').join(' ');
  return {
    confirmation: answer.dispatchConfirmationNumbers.join(AND),
    message: [when, ...answer.warnings].filter((part) => part !== '').join('; '),
  };
}

/**
 * Cancels each pickup of the confirmation. DHL answers 404 for an unknown pickup, and 400 for a cancelled or a
 * completed one. Only completed is a no.
 */
export async function cancelPickup(context: Context, confirmation: string): Promise<void> {
  const query = { requestorName: context.account.requestorName, reason: REASON };
  for (const number of confirmation.split(AND)) {
    const path = `/pickups/${encodeURIComponent(number)}`;
    const answer = await ask(
      context,
      { operation: 'cancelPickup', effect: 'write', method: 'DELETE', path, query },
      Nothing,
    );
    if (!('refusal' in answer)) continue;
    if (answer.status === 400 && ALREADY.test(wordsOf(answer.refusal))) continue;
    if (answer.status === 404 && NO_PICKUP.test(answer.refusal.detail)) continue;
    throw refusalOf(answer);
  }
}

/**
 * DHL wants a product for what it fetches. One pickup takes parcels of every product along, so the domestic one stands for
 * all, without customs.
 */
function pickupBody(account: Account, request: PickupRequest) {
  const { place, parcels } = request;
  const contact = contactOf(place);
  if (contact.fullName === '' || contact.phone === '')
    throw notAsked('the place of a pickup needs a name and a phone number');
  if (streetOf(place) === null || parcels.length === 0)
    throw notAsked('a pickup needs an address of up to three lines of 45 characters and at least one parcel');
  const notes = linesOf(
    [plain(request.note)].filter((note) => note !== ''),
    {
      max: MAX.pickupNote,
      lines: MAX.pickupNotes,
    },
  );
  if (notes === null) throw notAsked('the note of a pickup may have four lines of 80 characters');
  return {
    plannedPickupDateAndTime: dhlTime(instantOf(request.date, request.from, account.timeZone), account.timeZone),
    closeTime: request.to,
    accounts: accountsOf(account),
    ...(notes.length > 0 ? { specialInstructions: notes.map((value) => ({ value })) } : {}),
    remark: request.reference,
    customerDetails: {
      shipperDetails: {
        postalAddress: postalAddress(place, { withProvinceName: false }),
        contactInformation: contact,
      },
    },
    shipmentDetails: [
      {
        productCode: account.productDomestic,
        isCustomsDeclarable: false,
        unitOfMeasurement: 'metric',
        packages: parcels.map(weighed),
      },
    ],
  };
}
