import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import type { Effect } from '../../lib/http.ts';
import type { ExecutionMessage } from './schema.ts';

export const PROVIDER = 'BRT';

/** `unclear`: BRT does not say whether it acted, so a write is looked up. */
type Reaction = 'permanent' | 'retryable' | 'unclear';

export interface CodeMeaning {
  reaction: Reaction;
  code: 'refused' | 'credentials-refused' | 'partner-broken';
  /** What to do. */
  advice: string;
}

const data = (advice: string): CodeMeaning => ({ reaction: 'permanent', code: 'refused', advice });
const login = (advice: string): CodeMeaning => ({ reaction: 'permanent', code: 'credentials-refused', advice });
const later = (advice: string): CodeMeaning => ({ reaction: 'retryable', code: 'partner-broken', advice });
const unclear = (advice: string): CodeMeaning => ({ reaction: 'unclear', code: 'partner-broken', advice });

/**
 * Negative codes of executionMessage, from public clients as read on 2026-11-21. -1 to -60 are common, -61 to -99 of create, -100
 * to -160 of confirm and delete. 0 and above mean that it was done.
 */
export const EXECUTION_CODES: Readonly<Record<number, CodeMeaning>> = {
  [-1]: unclear('a general fault at BRT: it is asked again'),
  [-5]: data('correct the field that BRT names'),
  [-7]: login('correct userID and password in the account'),
  [-57]: login('fill in userID and password in the account'),
  [-63]: data('BRT has no route to this address: correct postcode, city and province'),
  [-64]: data('BRT has no parcel numbers for this customer: ask the BRT depot to assign a range'),
  // The code says nothing of the shipment itself, which may exist without its label.
  [-65]: unclear('BRT could not print the label: look whether the shipment is there'),
  [-67]: login('senderCustomerCode does not belong to this userID: correct the account'),
  [-68]: data('the fields contradict each other: correct what BRT names'),
  [-69]: data('choose another pick-up point: BRT does not know this one'),
  [-70]: data('the FRESH service cannot be used for this shipment'),
  [-71]: unclear('BRT could not make the QR code: look whether the shipment is there'),
  [-101]: data('BRT does not let this shipment be confirmed: ask the BRT depot'),
  [-102]: data('it was confirmed before'),
  [-151]: data('BRT has no such shipment, or it is older than 40 days: create it again'),
  [-152]: data('the depot has taken it in charge: ask the depot to stop it, or let it be returned'),
  [-153]: later('BRT is still processing it'),
  [-154]: data(
    'BRT has several shipments with these references and cannot tell them apart: ask the depot to delete all but one',
  ),
  [-155]: later('somebody else is working on the record at BRT'),
};

export const ALREADY_CONFIRMED = -102;
/** Several shipments with the same references. */
export const SEVERAL = -154;
export const NEVER_CREATED = -151;
export const UNROUTABLE = -63;

export function wordsOf({ codeDesc, message }: Pick<ExecutionMessage, 'codeDesc' | 'message'>): string {
  return [...new Set([codeDesc, message])].filter((part) => part !== '').join(': ');
}

/** The worst of what BRT says. */
export function worstOf(messages: readonly ExecutionMessage[]): ExecutionMessage | undefined {
  return messages.toSorted((a, b) => a.code - b.code)[0];
}

/** A negative code as a failure: permanent only when BRT said no. A code that is not in the table says nothing. */
export function failureOf(
  said: Pick<ExecutionMessage, 'code' | 'codeDesc' | 'message'>,
  effect: Effect,
): IntegrationError {
  const meaning = EXECUTION_CODES[said.code];
  const words = wordsOf(said) || 'no words';
  const kinds: Record<Reaction, FailureKind> = {
    permanent: 'permanent',
    retryable: 'retryable',
    unclear: effect === 'write' ? 'unknown-outcome' : 'retryable',
  };
  return new IntegrationError(
    `${PROVIDER} answered ${said.code} (${words}): ${meaning?.advice ?? 'a code that is not known here'}`,
    {
      kind: kinds[meaning?.reaction ?? 'unclear'],
      provider: PROVIDER,
      code: meaning?.code ?? 'answer-unreadable',
      body: words,
      isAuthoritative: meaning?.code === 'refused',
    },
  );
}
