import { readEach, warnOf } from '../../lib/read-each.ts';
import type { BookedPickup, CarrierContext, PickupRequest } from '../adapter.ts';
import { totalGrams } from '../parcels.ts';
import { latin1Text as plain } from '../text.ts';
import { MAX } from './limits.ts';
import { addressOf, kilograms, namesOf, phoneOf } from './parties.ts';
import { notAsked, refusalOf } from './refusals.ts';
import { type Account, Alert, PickupAnswer, PickupCancelAnswer } from './schema.ts';
import { ask, call } from './wire.ts';

type Context = CarrierContext<Account>;

/** UPS wants to know about a parcel above this weight. */
const HEAVY_GRAMS = 32_000;
/** The code of this refusal was not found: it must name the cancellation. */
const ALREADY = /(already|previously) (been )?cancel/i;

/** Books a pickup. UPS answers with the number of an earlier pickup at the same address, where there is one. */
export async function bookPickup(context: Context, request: PickupRequest): Promise<BookedPickup> {
  const { PickupCreationResponse: answer } = await call(
    context,
    {
      operation: 'bookPickup',
      effect: 'write',
      method: 'POST',
      path: '/pickupcreation/v2409/pickup',
      body: pickupBody(context.account, request),
    },
    PickupAnswer,
  );
  return {
    confirmation: answer.PRN,
    message: readEach(Alert, answer.Response.Alert, warnOf(context.log, 'alerts'))
      .map(({ Description }) => Description)
      .join('; '),
  };
}

/** Cancels a pickup by its number. UPS says that it was done, or that it was done before. */
export async function cancelPickup(context: Context, confirmation: string): Promise<void> {
  const answer = await ask(
    context,
    {
      operation: 'cancelPickup',
      effect: 'write',
      method: 'DELETE',
      path: '/shipments/v2409/pickup/02',
      headers: { prn: confirmation },
    },
    PickupCancelAnswer,
  );
  if (!('refusal' in answer) || answer.refusal.some(({ message }) => ALREADY.test(message))) return;
  throw refusalOf(answer);
}

function pickupBody(account: Account, request: PickupRequest) {
  const { place, parcels, note } = request;
  const country = place.countryCode.toUpperCase();
  return {
    PickupCreationRequest: {
      Request: { TransactionReference: { CustomerContext: request.reference } },
      RatePickupIndicator: 'N',
      Shipper: { Account: { AccountNumber: account.shipperNumber, AccountCountryCode: country } },
      PickupDateInfo: {
        CloseTime: request.to.replace(':', ''),
        ReadyTime: request.from.replace(':', ''),
        PickupDate: request.date.replaceAll('-', ''),
      },
      PickupAddress: pickupAddress(request),
      // The account may have another address than this place.
      AlternateAddressIndicator: 'Y',
      // One pickup takes parcels of every service and destination along: the usual one stands for all.
      PickupPiece: [
        {
          ServiceCode: account.serviceEurope.padStart(3, '0'),
          Quantity: String(parcels.length),
          DestinationCountryCode: country,
          ContainerCode: '01',
        },
      ],
      TotalWeight: { Weight: kilograms(totalGrams(parcels)), UnitOfMeasurement: 'KGS' },
      OverweightIndicator: parcels.some(({ weightGrams }) => weightGrams > HEAVY_GRAMS) ? 'Y' : 'N',
      PaymentMethod: '01',
      ...(plain(note) === '' ? {} : { SpecialInstruction: plain(note) }),
      ReferenceNumber: request.reference,
    },
  };
}

/** Throws what UPS would not take. */
function pickupAddress({ place, parcels, note }: PickupRequest) {
  const { Name, AttentionName } = namesOf(place);
  const { AddressLine, StateProvinceCode, ...rest } = addressOf(place);
  const street = AddressLine.join(', ');
  const phone = phoneOf(place);
  const within = (what: string, text: string, max: number): void => {
    if (text === '' || text.length > max) throw notAsked(`the ${what} of a pickup has 1 to ${max} characters`);
  };
  within('company', Name, MAX.pickupCompany);
  within('contact', AttentionName, MAX.pickupContact);
  within('street', street, MAX.pickupStreet);
  within('phone number', phone, MAX.pickupPhone);
  if (plain(note).length > MAX.pickupNote)
    throw notAsked(`the note of a pickup has up to ${MAX.pickupNote} characters`);
  if (parcels.length === 0 || parcels.length > MAX.pickupPieces)
    throw notAsked(`a pickup takes 1 to ${MAX.pickupPieces} parcels`);
  return {
    CompanyName: Name,
    ContactName: AttentionName,
    AddressLine: [street],
    ...(StateProvinceCode === undefined ? {} : { StateProvince: StateProvinceCode }),
    ...rest,
    ResidentialIndicator: 'N',
    Phone: { Number: phone },
  };
}
