import { numericReference } from '../../domain/carrier-reference.ts';
import type { Party, ShipmentDraft } from '../adapter.ts';
import { problemsOf, type Unless } from '../parties.ts';
import { isItalianMobile, phoneDigits } from '../text.ts';
import {
  MAX_ADDRESS,
  MAX_ADDRESS_ABROAD,
  MAX_CENTS,
  MAX_CITY,
  MAX_COMPANY,
  MAX_CONTACT,
  MAX_EMAIL,
  MAX_GRAMS,
  MAX_NOTES,
  MAX_PARCELS,
  MAX_REFERENCE,
  MAX_ZIP,
  MIN_ADDRESS,
} from './limits.ts';
import { weightKg } from './mapping.ts';
import type { Account } from './schema.ts';
import {
  collectionMode,
  HOLD_FOR_PICKUP,
  MAX_PARTICULAR_DELIVERIES,
  PARTICULAR_DELIVERIES,
  SERVICE_TYPES,
  SERVICES,
} from './services.ts';
import { brtText, isUnwritable } from './text.ts';

/**
 * Lists what BRT would refuse, in plain words. BRT has no rule for shortening names and addresses, so too long ones are
 * refused.
 */
export function checkDraft(draft: ShipmentDraft, account: Partial<Account>): string[] {
  return problemsOf((unless) => {
    checkReference(draft, unless);
    checkParcels(draft, unless);
    checkRecipient(draft.recipient, account, unless);
    checkMoney(draft, unless);
    checkOptions(draft, unless);
    checkPickupPoint(draft, unless);
  });
}

function checkReference({ reference }: ShipmentDraft, unless: Unless): void {
  const fits = new RegExp(`^[A-Z0-9]{4,${MAX_REFERENCE}}$`).test(reference);
  unless(fits, `The reference must be 4 to ${MAX_REFERENCE} letters A-Z or digits`);
  unless(
    !fits || /^\d{1,15}$/.test(numericReference(reference)),
    'The reference does not fit into the 15 digits of BRT',
  );
}

function checkParcels({ parcels }: ShipmentDraft, unless: Unless): void {
  unless(parcels.length >= 1 && parcels.length <= MAX_PARCELS, `BRT takes 1 to ${MAX_PARCELS} parcels per shipment`);
  parcels.forEach(({ weightGrams }, index) => {
    unless(weightGrams > 0, `Parcel ${index + 1} needs a weight above zero`);
  });
  unless(weightKg(parcels) * 1000 <= MAX_GRAMS, 'All parcels together are above the limit of 9999.9 kg');
}

function checkRecipient(recipient: Party, account: Partial<Account>, unless: Unless): void {
  const isItaly = recipient.countryCode === 'IT';
  const maxAddress = !isItaly && account.longAddresses ? MAX_ADDRESS_ABROAD : MAX_ADDRESS;
  const limited = (what: string, value: string, max: number): void => {
    unless(!isUnwritable(value), `The recipient's ${what} has letters that BRT cannot write: use Latin ones`);
    const { length } = brtText(value);
    unless(length <= max, `The recipient's ${what} has ${length} characters, BRT takes ${max}: shorten it`);
  };
  unless(brtText(recipient.company || recipient.name) !== '', 'The recipient needs a name');
  if (recipient.company !== '') {
    limited('company', recipient.company, MAX_COMPANY);
    limited('name', recipient.name, MAX_CONTACT);
  } else limited('name', recipient.name, MAX_COMPANY);
  limited('address', recipient.address, maxAddress);
  limited('second address line', recipient.address2, MAX_NOTES);
  limited('city', recipient.city, MAX_CITY);
  unless(brtText(recipient.address).length >= MIN_ADDRESS, `The address must have at least ${MIN_ADDRESS} characters`);
  unless(brtText(recipient.city) !== '', 'The recipient needs a city');
  unless(/^[A-Z]{2}$/.test(recipient.countryCode), 'The country must be its two letters');
  const zip = recipient.zip.trim();
  if (isItaly) {
    unless(/^\d{5}$/.test(zip), 'The postcode must be five digits');
    unless(/^([A-Za-z]{2})?$/.test(recipient.province.trim()), 'The province must be its two letters');
  } else unless(zip.length >= 1 && zip.length <= MAX_ZIP, `The postcode must have 1 to ${MAX_ZIP} characters`);
}

function checkMoney({ cod, insuredCents, currency }: ShipmentDraft, unless: Unless): void {
  const amount = (what: string, cents: number): void => {
    unless(cents > 0, `The ${what} must be above zero`);
    unless(cents <= MAX_CENTS, `The ${what} is above the limit of 99999.99`);
  };
  if (cod) {
    amount('cash on delivery amount', cod.amountCents);
    unless(collectionMode(cod.paymentType) !== undefined, `BRT cannot collect by "${cod.paymentType}"`);
  }
  if (insuredCents !== null) amount('insured amount', insuredCents);
  unless(/^[A-Z]{3}$/.test(currency), 'The currency must be its three letters');
}

function checkOptions({ options, pickupPointId }: ShipmentDraft, unless: Unless): void {
  for (const code of options) {
    unless(
      SERVICES.some((service) => service.code === code),
      `BRT has no service "${code}" that can be ordered here`,
    );
  }
  const ordered = (codes: readonly string[]): number => codes.filter((code) => options.includes(code)).length;
  unless(ordered(SERVICE_TYPES) <= 1, 'BRT takes one of the services E and H, not both');
  unless(
    ordered(PARTICULAR_DELIVERIES) <= MAX_PARTICULAR_DELIVERIES,
    `BRT takes at most ${MAX_PARTICULAR_DELIVERIES} of the services ${PARTICULAR_DELIVERIES.join(', ')}`,
  );
  unless(
    pickupPointId === null || !options.includes(HOLD_FOR_PICKUP),
    'A shipment goes to a pick-up point or waits at the depot, not both',
  );
}

/** BRT tells the recipient when the parcel is there. */
function checkPickupPoint({ pickupPointId, recipient }: ShipmentDraft, unless: Unless): void {
  if (pickupPointId === null) return;
  unless(/^\S{1,20}$/.test(pickupPointId), "The pick-up point's id must have 1 to 20 characters");
  const hasEmail = recipient.email.trim() !== '' && recipient.email.trim().length <= MAX_EMAIL;
  unless(
    hasEmail || isItalianMobile(phoneDigits(recipient.phone)),
    `A delivery to a pick-up point needs the recipient's e-mail address of up to ${MAX_EMAIL} characters, or an Italian mobile number`,
  );
}
