import type { Schema } from '../../api/client.ts';
import { en, type MessageKey } from '../../i18n/en.ts';
import { t } from '../../i18n/index.ts';
import { statusName } from '../../i18n/statuses.ts';

export type Entry = Schema['TimelineEntry'];
export type AuditEntry = Schema['AuditEntry'];

/** Returns what happened, in the person's language. */
export function titleOf({ kind, code, outcome }: Entry): string {
  switch (kind) {
    case 'tracking':
      return t('timeline.tracking', { status: statusName(code ?? '') });
    case 'attempt':
      return `${word(`timeline.attempt.${code}`, code)}: ${word(`timeline.outcome.${outcome}`, outcome)}`;
    case 'corrected':
    case 'cancelled':
      return `${t(`timeline.${kind}`)}: ${word(`timeline.outcome.${outcome}`, outcome)}`;
    case 'held':
      return word(`timeline.held.${outcome}`, outcome, { action: word(`desk.action.${code}`, code) });
    default:
      return t(`timeline.${kind}`, { code: code ?? '' });
  }
}

/** Returns who did something through what, such as "Person 7: createShipments". */
export function auditTitleOf({ actor, operation, code }: AuditEntry): string {
  const [noun, id = ''] = actor.split(':');
  const values = { actor: word(`timeline.actor.${noun}`, actor, { id }), operation, code: code ?? '' };
  return t(code === null ? 'timeline.audit' : 'timeline.auditFailed', values);
}

/** Returns a sentence, or the code itself when a newer API has one that the console does not know. */
export function word(key: string, code: string | null, values: Readonly<Record<string, string>> = {}): string {
  return isKnown(key) ? t(key, values) : (code ?? '');
}

function isKnown(key: string): key is MessageKey {
  return key in en;
}
