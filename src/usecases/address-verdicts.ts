import type { AddressCheck, CheckedAddress } from '../carriers/contract.ts';
import { AddressVerdict, type CustomerAddress } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import { type AskedAddress, addressHash } from '../domain/address-hash.ts';

/** How long a carrier's "no such address" stands against booking there: an address list changes, but not within a day. */
const REFUSAL_MS = 86_400_000;
const MAX_MESSAGE = 300;

/** What a carrier says about a place besides whether it is there; no street, so that nobody is found by it. */
const FLAGS = [
  'SiglaProvincia',
  'Cap',
  'Comune',
  'Frazione',
  'LocalitaDisagiata',
  'ZTL',
  'InoltroInProvincia',
  'KmDistanzaSede',
  'TempoDiResa',
  'Express12',
] as const satisfies readonly (keyof CheckedAddress)[];

/** `LocalitaDisagiata` and `ZTL` are `SI`, `NO` or, where the carrier is silent, empty. */
export type AddressFlags = Pick<CheckedAddress, (typeof FLAGS)[number]>;

/** Keeps what a carrier's own service answered, instead of what it said about the address before. */
export async function keepVerdict(
  em: Em,
  verdict: { companyId: number; carrierId: number; asked: AskedAddress; answer: AddressCheck; now: Date },
): Promise<void> {
  const { companyId, carrierId, asked, answer, now } = verdict;
  const [only] = answer.status === 'ok' ? answer.addresses : [];
  const flags = only ? Object.fromEntries(FLAGS.map((name) => [name, only[name]])) : {};
  await em.upsert(
    AddressVerdict,
    {
      companyId,
      carrierId,
      addressHash: addressHash(asked),
      status: answer.status,
      message: answer.message.slice(0, MAX_MESSAGE),
      flags,
      checkedAt: now,
    },
    { onConflictFields: ['companyId', 'carrierId', 'addressHash'] },
  );
}

/** What carriers said about addresses, by carrier and hash; of the company of the entity manager. */
export async function readVerdicts(
  em: Em,
  wanted: { addresses: readonly AskedAddress[]; carrierId?: number; since?: Date },
): Promise<AddressVerdict[]> {
  const hashes = [...new Set(wanted.addresses.map(addressHash))];
  if (hashes.length === 0) return [];
  return em.find(AddressVerdict, {
    addressHash: { $in: hashes },
    ...(wanted.carrierId === undefined ? {} : { carrierId: wanted.carrierId }),
    ...(wanted.since === undefined ? {} : { checkedAt: { $gt: wanted.since } }),
  });
}

/** What a carrier said about each of the places, in their order; null where it was not asked, or did not find the address. */
export async function addressFlags(
  em: Em,
  wanted: { carrierId: number; addresses: readonly AskedAddress[] },
): Promise<(AddressFlags | null)[]> {
  const verdicts = await readVerdicts(em, wanted);
  const flags = new Map(
    verdicts.filter(({ status }) => status === 'ok').map((verdict) => [verdict.addressHash, verdict.flags]),
  );
  return wanted.addresses.map((address) => (flags.get(addressHash(address)) as AddressFlags | undefined) ?? null);
}

/** The words with which a carrier lately said that it does not know an address; null when it did not. */
export type UnknownAddresses = (carrierId: number, address: AskedAddress | null) => string | null;

/** Where an order goes, as an address check would be asked about it; null: abroad, where none is. */
export function askedAddress({ countryCode, state, city, zip, address }: CustomerAddress): AskedAddress | null {
  return countryCode === 'IT' ? { province: state, city, zip, address } : null;
}

/** The addresses of these that a carrier's own service did not find within the last day. */
export async function readUnknownAddresses(
  em: Em,
  { addresses, now }: { addresses: readonly CustomerAddress[]; now: Date },
): Promise<UnknownAddresses> {
  const verdicts = await readVerdicts(em, {
    addresses: addresses.flatMap((address) => askedAddress(address) ?? []),
    since: new Date(now.getTime() - REFUSAL_MS),
  });
  const words = new Map(
    verdicts
      .filter(({ status }) => status === 'not_found')
      .map((verdict) => [`${verdict.carrierId} ${verdict.addressHash}`, verdict.message]),
  );
  if (words.size === 0) return () => null;
  return (carrierId, address) => (address && words.get(`${carrierId} ${addressHash(address)}`)) ?? null;
}
