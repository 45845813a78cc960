import { readEach, warnOf } from '../../lib/read-each.ts';
import { type AddressCheck, type AddressQuestion, type CarrierContext, NOTHING_SAID } from '../adapter.ts';
import { composedText as plain } from '../text.ts';
import { refusalOf } from './refusals.ts';
import { type Account, AddressAnswer, FoundPlace } from './schema.ts';
import { ask } from './wire.ts';

/** Asks whether DHL delivers to a postcode and city in Italy; DHL knows no streets. */
export async function checkAddress(context: CarrierContext<Account>, question: AddressQuestion): Promise<AddressCheck> {
  const answer = await ask(
    context,
    {
      operation: 'validateAddress',
      effect: 'read',
      method: 'GET',
      path: '/address-validate',
      query: {
        type: 'delivery',
        countryCode: 'IT',
        postalCode: plain(question.zip),
        cityName: plain(question.city),
        strictValidation: 'true',
      },
    },
    AddressAnswer,
  );
  if ('refusal' in answer) throw refusalOf(answer);
  const { address: raws, warnings } = answer.value;
  const address = readEach(FoundPlace, raws, warnOf(context.log, 'places'));
  // "Not found" needs a whole answer.
  if (address.length === 0 && raws.length > 0) throw new Error('The answer holds a place that cannot be read');
  const addresses = address.map(({ postalCode, cityName, serviceArea }) => ({
    ...NOTHING_SAID,
    Cap: postalCode,
    Comune: cityName,
    Sede: serviceArea?.code ?? '',
  }));
  const message = warnings.join('; ');
  if (addresses.length === 0) return { status: 'not_found', message, addresses };
  return { status: addresses.length === 1 ? 'ok' : 'ambiguous', message, addresses };
}
