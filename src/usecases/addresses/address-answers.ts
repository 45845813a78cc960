import {
  type AddressCheck,
  type AddressQuestion,
  type Carrier,
  type CheckedAddress,
  NOTHING_SAID,
} from '../../carriers/adapter.ts';
import { addressDoubts } from '../../domain/addresses/address-doubts.ts';
import { rankAddresses } from '../../domain/addresses/address-ranking.ts';
import {
  type Comune,
  capBelongs,
  findComuni,
  type Province,
  provinceOf,
  provinceOfPlace,
  similarComuni,
} from '../../domain/addresses/gazetteer.ts';
import { cityOfGenericCap } from '../../domain/addresses/generic-caps.ts';

const MAX_SUGGESTIONS = 5;

/** Renders the answer of a carrier's own service: its source, its reliability, its gaps, and the candidates, best first. */
export function answerOfCarrier(
  carrier: Pick<Carrier, 'label' | 'checksStreets'>,
  question: AddressQuestion,
  check: AddressCheck,
): AddressCheck {
  const words = check.message || WITHOUT_WORDS[check.status];
  const reach = carrier.checksStreets ? '' : `${/[.!?]$/.test(words) ? '' : '.'} It says nothing about the street.`;
  return {
    status: check.status,
    message: `${carrier.label}: ${words}${reach}`,
    addresses: rankAddresses(
      question,
      check.addresses.map((address) => completed(address, question)),
    ),
  };
}

const WITHOUT_WORDS = {
  ok: 'delivers to this address',
  ambiguous: 'found several such addresses',
  not_found: 'did not find this address',
} as const;

/** Fields that follow from the province, or from city and postal code, when the carrier omits them. */
function completed(address: CheckedAddress, { zip }: AddressQuestion): CheckedAddress {
  const province =
    provinceOf(address.SiglaProvincia) ?? provinceOfPlace({ city: address.Comune, zip: address.Cap || zip });
  if (!province) return address;
  const known = fieldsOf(province);
  const silent = Object.entries(known).filter(([field]) => address[field as keyof typeof known] === '');
  return { ...address, ...Object.fromEntries(silent) };
}

function fieldsOf(province: Province) {
  return {
    SiglaRegione: province.region.code,
    DescrizioneRegione: province.region.name,
    SiglaProvincia: province.code,
    DescrizioneProvincia: province.name,
  };
}

/** Checks an address against the list of comuni and postal code prefixes, for a carrier without an address check. */
export function answerOfGazetteer(carrier: Pick<Carrier, 'label'>, question: AddressQuestion): AddressCheck {
  const doubts = addressDoubts({ ...question, countryCode: 'IT' });
  const isExact = doubts.every(({ field }) => field === 'address');
  const province = provinceOf(question.province);
  const candidates = candidatesFor(question, province);
  const addresses = candidates.map((comune) => addressIn(comune, question));
  const [found] = candidates;
  const good =
    isExact && found ? [`${found.name} (${found.province.code}) exists and ${question.zip.trim()} fits it`] : [];
  const said = [...good, ...doubts.map(({ message }) => message), 'The street was not checked'].join('. ');
  return {
    status: isExact ? 'ok' : addresses.length > 1 ? 'ambiguous' : 'not_found',
    message: `${carrier.label} checks no addresses. Checked against the list of comuni: ${said}.`,
    addresses: rankAddresses(question, addresses),
  };
}

/** Finds comuni by name in the province, else by name anywhere, else by a similar name. */
function candidatesFor({ city }: AddressQuestion, province: Province | null): readonly Comune[] {
  const named = findComuni(city);
  const here = named.filter((comune) => comune.province === province);
  if (here.length > 0) return here;
  if (named.length > 0) return named;
  return similarComuni(city, { ...(province ? { province } : {}), limit: MAX_SUGGESTIONS });
}

function addressIn({ name, province }: Comune, { zip }: AddressQuestion): CheckedAddress {
  const cap = zip.trim();
  const isPossible = capBelongs(cap, province) && cityOfGenericCap(cap) === null;
  return { ...NOTHING_SAID, ...fieldsOf(province), Comune: name, Cap: isPossible ? cap : '' };
}
