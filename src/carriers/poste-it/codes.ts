import { IntegrationError } from '../../lib/errors.ts';
import type { Effect } from '../../lib/http.ts';
import { notSentTo } from '../refusals.ts';

export const PROVIDER = 'Poste Italiane';

interface Meaning {
  code: 'refused' | 'credentials-refused';
  /** The next step for a person. */
  advice: string;
  /** Poste says that it did not do this very thing. */
  settles?: true;
}

const data = (advice: string): Meaning => ({ code: 'refused', advice, settles: true });

/** It may be the one whose answer was lost. */
const EXISTS: Meaning = {
  code: 'refused',
  advice: 'a pickup is booked already: look at it in the portal of Poste, it cannot be told whether it is this one',
};
const WAYBILL = data('check the waybill number');

/** Codes of pickups and of parcels in giacenza, from public clients as read on 2026-11-21. Those of waybills were not found. */
export const REFUSALS: Readonly<Record<string, Meaning>> = {
  E0001: { code: 'credentials-refused', advice: 'ask Poste to connect these credentials with the contract' },
  E0002: data('the dates are in the wrong order: report it as a fault of this adapter'),
  E0004: data('the dates are more than ten days apart: report it as a fault of this adapter'),
  E0013: data('the data of the pickup is missing: report it as a fault of this adapter'),
  E0014: data('the type of the pickup is wrong: report it as a fault of this adapter'),
  E0015: data('a pickup of this type needs a waybill: report it as a fault of this adapter'),
  E0016: EXISTS,
  E0017: data('correct weight and size of the parcels'),
  E0018: data('too many parcels are held on one day: look at them in the portal of Poste'),
  E0024: data('correct the address of the pickup'),
  E0028: data('the operation is wrong: report it as a fault of this adapter'),
  E0029: EXISTS,
  E0030: WAYBILL,
  E0031: WAYBILL,
  E0033: data('Poste cannot cancel it any more: call Poste'),
  E0034: WAYBILL,
  E0035: data('it is too late for that time today: choose a later one'),
  E0036: WAYBILL,
  E0037: data('Poste takes no pickup there and then: choose another day'),
  E0038: data('choose a date after today'),
  E0039: EXISTS,
};

export const NOTHING_HELD = 'E0003';
export const TOO_MANY = 'E0018';
/** "Generic error" says nothing of what was done. */
const GENERIC = new Set(['999', 'E0999']);
/** Nor do words of a fault at Poste, whatever their code: how it numbers the errors of waybills was not found. */
const FAULT =
  /errore (generico|interno|di sistema)|riprova|(momentane|temporane)amente|servizio non disponibile|time-?out|internal error/i;

export interface Said {
  errorCode: string;
  errorDescription: string;
}

/** Returns true for zero, "OK" or nothing. */
export function isFine({ errorCode }: Pick<Said, 'errorCode'>): boolean {
  return ['', '0', 'OK'].includes(errorCode);
}

export function wordsOf({ errorCode, errorDescription }: Said): string {
  if (isFine({ errorCode })) return errorDescription === 'OK' ? '' : errorDescription;
  return errorDescription === '' ? errorCode : `${errorCode} ${errorDescription}`;
}

/**
 * Makes the error of a failure with a good status: permanent only when Poste said no, by a known code or in words.
 * `isOfOne`: it is the outcome of the one waybill or pickup. That of the whole request may be a fault of the account.
 */
export function failureOf(said: Said, effect: Effect, { isOfOne = false } = {}): IntegrationError {
  const meaning = Object.hasOwn(REFUSALS, said.errorCode) ? REFUSALS[said.errorCode] : undefined;
  const hasReason = meaning !== undefined || !['', 'OK'].includes(said.errorDescription);
  if (GENERIC.has(said.errorCode) || !hasReason || (!meaning && FAULT.test(said.errorDescription))) {
    return unclear(`answered ${wordsOf(said) || 'an error without a reason'}`, effect);
  }
  return new IntegrationError(`${PROVIDER} refused: ${wordsOf(said)}${meaning ? ` (${meaning.advice})` : ''}`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: meaning?.code ?? 'refused',
    body: wordsOf(said),
    isAuthoritative: isOfOne && (meaning === undefined || meaning.settles === true),
  });
}

/**
 * Makes the same for tracking and for the search of points, which have numbers and only read. 100 to 199 are faults of
 * the request, 200 to 299 of the thing it is about.
 */
export function failureOfOutcome(code: string, words: string): IntegrationError {
  const said = [code, words].filter((part) => part !== '').join(' ');
  if (!/^[12]\d\d$/.test(code)) return unclear(`answered ${said || 'KO without a reason'}`, 'read');
  return new IntegrationError(`${PROVIDER} refused: ${said}`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: 'refused',
    body: said,
  });
}

/** Poste does not say whether it acted. */
function unclear(words: string, effect: Effect): IntegrationError {
  return new IntegrationError(`${PROVIDER} ${words}`, {
    kind: effect === 'write' ? 'unknown-outcome' : 'retryable',
    provider: PROVIDER,
    code: 'partner-broken',
  });
}

/** Makes the error of a request that Poste would not take. */
export const notAsked = (words: string): IntegrationError => notSentTo(PROVIDER, words);
