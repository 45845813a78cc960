import type { Party } from '../adapter.ts';
import { phoneDigits } from '../text.ts';
import { notAsked } from './codes.ts';
import { PLACE_MAX } from './limits.ts';
import { namesOf } from './mapping.ts';
import { isUnwritable, linesOf, plain, streetOf } from './text.ts';

/**
 * Writes an address for pickups and releases. Throws when it does not fit, before anything is sent: nothing may be cut.
 */
export function placeOf(party: Party, what: string) {
  const { nameSurname, contactName } = namesOf(party);
  const { street, number } = streetOf(party, PLACE_MAX.streetNumber);
  const whole = [nameSurname, contactName].filter((part) => part !== '').join(' ');
  const [givenName = '', surname = ''] = linesOf(whole, { max: PLACE_MAX.name, lines: 2 });
  const town = plain(party.city);
  const [postCode, region] = [party.zip.trim(), party.province.trim().toUpperCase()];
  const [phone, email] = [phoneDigits(party.phone), party.email.trim()];
  const problem = [
    [
      [party.name, party.company, party.address, party.address2, party.city].some(isUnwritable),
      'has letters that are not Latin',
    ],
    [party.countryCode.toUpperCase() !== 'IT', 'is not in Italy'],
    [
      whole === '' || `${givenName} ${surname}`.trim() !== whole,
      `needs a name of up to two lines of ${PLACE_MAX.name} characters`,
    ],
    [
      street === '' || street.length > PLACE_MAX.streetName,
      `needs a street of up to ${PLACE_MAX.streetName} characters`,
    ],
    [town === '' || town.length > PLACE_MAX.town, `needs a city of up to ${PLACE_MAX.town} characters`],
    [!/^\d{5}$/.test(postCode), 'needs a postcode of five digits'],
    [!/^[A-Z]{2}$/.test(region), 'needs its province in two letters'],
    [phone.length > PLACE_MAX.phone, `has a phone number of more than ${PLACE_MAX.phone} characters`],
    [email.length > PLACE_MAX.email, `has an e-mail address of more than ${PLACE_MAX.email} characters`],
  ].find(([isWrong]) => isWrong);
  if (problem) throw notAsked(`the ${what} ${problem[1]}`);
  return {
    givenName,
    surname,
    streetName: street,
    streetNumber: number,
    town,
    region,
    postCode,
    country: 'IT',
    phone,
    email,
  };
}
