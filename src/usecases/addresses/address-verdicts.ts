import type { AddressCheck, CheckedAddress } from '../../carriers/adapter.ts';
import { AddressVerdict, type CustomerAddress } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { type AskedAddress, addressHash } from '../../domain/addresses/address-hash.ts';

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

/** Of the company of the entity manager. */
async function readVerdicts(em: Em, { addresses }: { addresses: readonly AskedAddress[] }): Promise<AddressVerdict[]> {
  const hashes = [...new Set(addresses.map(addressHash))];
  return hashes.length === 0 ? [] : em.find(AddressVerdict, { addressHash: { $in: hashes } });
}

/** What carriers' own services said about some addresses; read once for all of them. */
export class Verdicts {
  readonly #known: ReadonlyMap<string, AddressVerdict>;
  readonly #now: Date;

  private constructor(verdicts: readonly AddressVerdict[], now: Date) {
    this.#known = new Map(verdicts.map((verdict) => [`${verdict.carrierId} ${verdict.addressHash}`, verdict]));
    this.#now = now;
  }

  static async read(
    em: Em,
    { addresses, now }: { addresses: readonly CustomerAddress[]; now: Date },
  ): Promise<Verdicts> {
    return new Verdicts(
      await readVerdicts(em, { addresses: addresses.flatMap((one) => askedAddress(one) ?? []) }),
      now,
    );
  }

  /** The words with which a carrier said within the last day that it does not know an address; null when it did not. */
  unknownTo(carrierId: number, address: CustomerAddress): string | null {
    const verdict = this.#find(carrierId, address);
    const isLate = verdict && this.#now.getTime() - verdict.checkedAt.getTime() >= REFUSAL_MS;
    return verdict?.status === 'not_found' && !isLate ? verdict.message : null;
  }

  /** The areas of a price list that a carrier puts an address into. */
  areas(carrierId: number, address: CustomerAddress): string[] {
    const flags = this.#find(carrierId, address)?.flags;
    return Object.entries(AREAS).flatMap(([flag, area]) => (flags?.[flag] === 'SI' ? [area] : []));
  }

  #find(carrierId: number, address: CustomerAddress): AddressVerdict | undefined {
    if (this.#known.size === 0) return undefined;
    const asked = askedAddress(address);
    return asked ? this.#known.get(`${carrierId} ${addressHash(asked)}`) : undefined;
  }
}

/** What a flag means in a price list. */
const AREAS: Readonly<Partial<Record<(typeof FLAGS)[number], string>>> = {
  LocalitaDisagiata: 'DISADVANTAGED',
  ZTL: 'ZTL',
};

/** Where an order goes, as an address check would be asked about it; null: abroad, where none is. */
function askedAddress({ countryCode, state, city, zip, address }: CustomerAddress): AskedAddress | null {
  return countryCode === 'IT' ? { province: state, city, zip, address } : null;
}
