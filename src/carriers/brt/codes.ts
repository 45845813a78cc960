import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import type { ExecutionMessage } from './schema.ts';

export const PROVIDER = 'BRT';

/** `unclear`: BRT does not say whether it acted, so a write is looked up. */
type Reaction = 'permanent' | 'retryable' | 'unclear';

export type Operation = 'create' | 'confirm' | 'delete' | 'routing' | 'tracking';
const WRITES: ReadonlySet<Operation> = new Set(['create', 'confirm', 'delete']);

interface CodeMeaning {
  reaction: Reaction;
  code: 'refused' | 'credentials-refused' | 'partner-broken';
  /** The next step for a person. */
  advice: string;
  /** BRT says that it did not do this very thing. */
  settles?: true;
  /** Where the code means this; in the answer to anything else it says nothing. Absent: everywhere. */
  of?: readonly Operation[];
}

const data = (advice: string, ...of: Operation[]): CodeMeaning => ({
  reaction: 'permanent',
  code: 'refused',
  advice,
  settles: true,
  ...(of.length > 0 ? { of } : {}),
});
const login = (advice: string): CodeMeaning => ({ reaction: 'permanent', code: 'credentials-refused', advice });
const later = (advice: string, ...of: Operation[]): CodeMeaning => ({
  reaction: 'retryable',
  code: 'partner-broken',
  advice,
  of,
});
const unclear = (advice: string): CodeMeaning => ({ reaction: 'unclear', code: 'partner-broken', advice });

/**
 * Negative codes of executionMessage, from public clients as read on 2026-11-21. -1 to -60 are common, -61 to -99 of create, -100
 * to -160 of confirm and delete (again on 2026-11-22). 0 and above mean that it was done.
 */
const EXECUTION_CODES: Readonly<Record<number, CodeMeaning>> = {
  [-1]: unclear('a general fault at BRT: it is asked again'),
  [-5]: data('correct the field that BRT names'),
  [-7]: login('correct userID and password in the account'),
  [-57]: login('fill in userID and password in the account'),
  [-63]: data('BRT has no route to this address: correct postcode, city and province', 'create', 'routing'),
  // A fault of the customer's range: an earlier try may have had its last number.
  [-64]: {
    reaction: 'permanent',
    code: 'refused',
    advice: 'BRT has no parcel numbers for this customer: ask the BRT depot to assign a range',
    of: ['create', 'routing'],
  },
  // The code says nothing of the shipment itself, which may exist without its label.
  [-65]: unclear('BRT could not print the label: look whether the shipment is there'),
  [-67]: login('senderCustomerCode does not belong to this userID: correct the account'),
  [-68]: data('the fields contradict each other: correct what BRT names', 'create', 'routing'),
  [-69]: data('choose another pick-up point: BRT does not know this one', 'create', 'routing'),
  [-70]: data('the FRESH service cannot be used for this shipment', 'create', 'routing'),
  [-71]: unclear('BRT could not make the QR code: look whether the shipment is there'),
  [-101]: data('BRT does not let this shipment be confirmed: ask the BRT depot', 'confirm'),
  // To a deletion it may mean "too late", but nothing says so.
  [-102]: data('it was confirmed before', 'confirm'),
  [-151]: data('BRT has no such shipment, or it is older than 40 days: create it again', 'confirm', 'delete'),
  // To a confirmation it may mean that it was done.
  [-152]: data('the depot has taken it in charge: ask the depot to stop it, or let it be returned', 'delete'),
  [-153]: later('BRT is still processing it', 'confirm', 'delete'),
  [-154]: data(
    'BRT has several shipments with these references and cannot tell them apart: ask the depot to delete all but one',
    'confirm',
    'delete',
  ),
  [-155]: later('another process is working on the record at BRT', 'confirm', 'delete'),
};

export const ALREADY_CONFIRMED = -102;
/** Several shipments with the same references. */
export const SEVERAL = -154;
export const NEVER_CREATED = -151;
export const UNROUTABLE = -63;

export function wordsOf({ codeDesc, message }: Pick<ExecutionMessage, 'codeDesc' | 'message'>): string {
  return [...new Set([codeDesc, message])].filter((part) => part !== '').join(': ');
}

/** Returns the worst of BRT's messages. */
export function worstOf(messages: readonly ExecutionMessage[]): ExecutionMessage | undefined {
  return messages.toSorted((a, b) => a.code - b.code)[0];
}

/**
 * Makes an error of a negative code. It is permanent only when BRT said no; a code outside the operation's table says
 * nothing.
 */
export function failureOf(
  said: Pick<ExecutionMessage, 'code' | 'codeDesc' | 'message'>,
  operation: Operation,
): IntegrationError {
  const known = EXECUTION_CODES[said.code];
  const meaning = known?.of?.includes(operation) === false ? undefined : known;
  const words = wordsOf(said) || 'no words';
  const kinds: Record<Reaction, FailureKind> = {
    permanent: 'permanent',
    retryable: 'retryable',
    unclear: WRITES.has(operation) ? 'unknown-outcome' : 'retryable',
  };
  return new IntegrationError(
    `${PROVIDER} answered ${said.code} (${words}): ${meaning?.advice ?? 'a code that is not known here'}`,
    {
      kind: kinds[meaning?.reaction ?? 'unclear'],
      provider: PROVIDER,
      code: meaning?.code ?? 'answer-unreadable',
      body: words,
      isAuthoritative: meaning?.settles,
    },
  );
}
