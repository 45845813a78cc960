import type { AddressCheck, CheckedAddress } from '../../carriers/adapter.ts';
import { AddressVerdict, type CustomerAddress } from '../../db/entities/index.ts';
import type { Em, Orm } from '../../db/orm.ts';
import { type JsonRow, rowOf } from '../../db/queries/json-rows.ts';
import { runPrepared, type Statement } from '../../db/queries/prepared.ts';
import { type AskedAddress, addressHash } from '../../domain/addresses/address-hash.ts';

/** How long a carrier's "no such address" prevents a booking. Address lists rarely change within a day. */
const REFUSAL_MS = 86_400_000;
const MAX_MESSAGE = 300;

/** A carrier's details about a place. Without the street, so that they do not identify a person. */
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

/** Stores the answer of a carrier's own service, in place of its earlier answer for the address. */
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

const READ_VERDICTS: Statement = {
  name: 'read-verdicts',
  text: `
    select row_to_json(v) as verdict from address_verdicts v
     where company_id = $1 and carrier_id = any(array(select id from carriers)) and address_hash = any((select $2)::text[])`,
};

async function readVerdicts(
  orm: Orm,
  { companyId, addresses }: { companyId: number; addresses: readonly AskedAddress[] },
): Promise<AddressVerdict[]> {
  const hashes = [...new Set(addresses.map(addressHash))];
  if (hashes.length === 0) return [];
  const rows = await runPrepared<{ verdict: JsonRow }>(orm, READ_VERDICTS, [companyId, hashes]);
  return rows.map(({ verdict }) => rowOf(orm, AddressVerdict, verdict));
}

/** The verdicts of carriers' own services on some addresses, read with one query. */
export class Verdicts {
  readonly #known: ReadonlyMap<string, AddressVerdict>;
  readonly #now: Date;

  private constructor(verdicts: readonly AddressVerdict[], now: Date) {
    this.#known = new Map(verdicts.map((verdict) => [`${verdict.carrierId} ${verdict.addressHash}`, verdict]));
    this.#now = now;
  }

  static async read(
    orm: Orm,
    asked: { companyId: number; addresses: readonly CustomerAddress[]; now: Date },
  ): Promise<Verdicts> {
    const { companyId, now } = asked;
    const addresses = asked.addresses.flatMap((one) => askedAddress(one) ?? []);
    return new Verdicts(await readVerdicts(orm, { companyId, addresses }), now);
  }

  /** Returns the carrier's message when it did not find the address within the last day, else null. */
  unknownTo(carrierId: number, address: CustomerAddress): string | null {
    const verdict = this.#find(carrierId, address);
    const isLate = verdict && this.#now.getTime() - verdict.checkedAt.getTime() >= REFUSAL_MS;
    return verdict?.status === 'not_found' && !isLate ? verdict.message : null;
  }

  /** Returns the areas of a price list that the address belongs to, according to the carrier. */
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

/** The area of a price list for each flag. */
const AREAS: Readonly<Partial<Record<(typeof FLAGS)[number], string>>> = {
  LocalitaDisagiata: 'DISADVANTAGED',
  ZTL: 'ZTL',
};

/** Returns the shipping address as the input of an address check, null abroad, where there is no check. */
export function askedAddress({ countryCode, state, city, zip, address }: CustomerAddress): AskedAddress | null {
  return countryCode === 'IT' ? { province: state, city, zip, address } : null;
}
