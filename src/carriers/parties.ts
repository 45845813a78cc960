import type { Party, ShipmentDraft } from './adapter.ts';
import { linesOf, losesLetters } from './text.ts';

export type Who = 'sender' | 'recipient';
export type Write = (text: string) => string;
/** Keeps a problem unless the condition holds. */
export type Unless = (fine: boolean, problem: string) => void;

/** Lists the problems that `check` finds, in plain words. */
export function problemsOf(check: (unless: Unless) => void): string[] {
  const problems: string[] = [];
  check((fine, problem) => void (fine || problems.push(problem)));
  return problems;
}

/** Spreads the street over the lines there are for it. Returns null when it does not fit. */
export function streetLines(
  { address, address2 }: Pick<Party, 'address' | 'address2'>,
  write: Write,
  room: { max: number; lines: number },
): string[] | null {
  return linesOf(
    [write(address), write(address2)].filter((part) => part !== ''),
    room,
  );
}

/** An address as one carrier wants it. */
export interface PartyRules {
  carrier: string;
  write: Write;
  /** The first name that is printed: a person, or the company. */
  name: string;
  street: { max: number; lines: number };
  /** Written fields by what they hold, each with the characters there are for it. */
  lengths: Readonly<Record<string, readonly [written: string, max: number]>>;
}

/** Checks what every carrier wants of an address: name, street, city, country, and the lengths of its table. */
export function checkParty(party: Party, who: Who, rules: PartyRules, unless: Unless): void {
  const { carrier, write, name, street, lengths } = rules;
  unless(name !== '', `The ${who} needs a name`);
  unless(write(party.address) !== '', `The ${who} needs an address`);
  unless(
    streetLines(party, write, street) !== null,
    `The address of the ${who} does not fit into the ${street.lines} lines of ${street.max} characters that ${carrier} takes`,
  );
  unless(write(party.city) !== '', `The ${who} needs a city`);
  for (const [what, [written, max]] of Object.entries(lengths)) {
    const { length } = written;
    unless(length <= max, `The ${what} of the ${who} has ${length} characters, ${carrier} takes ${max}`);
  }
  unless(/^[A-Za-z]{2}$/.test(party.countryCode), `The country of the ${who} must be its two letters`);
}

/** Checks that no letter of the address is lost when it is written; `rule` begins the problem. */
export function checkLetters(party: Party, who: Who, { rule, write }: { rule: string; write: Write }, unless: Unless) {
  const { name, company, city } = party;
  for (const [what, value] of Object.entries({
    name,
    company,
    address: `${party.address} ${party.address2}`,
    city,
  })) {
    unless(!losesLetters(write, value), `${rule}: write the ${what} of the ${who} in them`);
  }
}

/** Checks our reference, and how many parcels there are. */
export function checkShipment(
  { reference, parcels }: Pick<ShipmentDraft, 'reference' | 'parcels'>,
  { carrier, max }: { carrier: string; max: { reference: number; parcels: number } },
  unless: Unless,
): void {
  const isReference = /^[A-Z0-9]+$/.test(reference) && reference.length <= max.reference;
  unless(isReference, `The reference must be 1 to ${max.reference} letters A-Z or digits`);
  const isCount = parcels.length >= 1 && parcels.length <= max.parcels;
  unless(isCount, `${carrier} takes 1 to ${max.parcels} parcels per shipment`);
  parcels.forEach(({ weightGrams }, index) => {
    unless(weightGrams > 0, `Parcel ${index + 1} needs a weight above zero`);
  });
}
