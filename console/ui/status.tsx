import { statusName } from '../i18n/statuses.ts';

const TONES: Readonly<Record<string, string>> = {
  pending: 'todo',
  queued: 'busy',
  submitting: 'busy',
  delivered: 'done',
  error: 'bad',
  rejected: 'bad',
  failed: 'bad',
  held: 'bad',
  unknown_outcome: 'bad',
  cancelled: 'off',
  expired: 'off',
};

/** Shows a status as a word, with a colour that says the same. */
export function Status({ status }: { status: string }) {
  return <span class={`status ${TONES[status] ?? 'under-way'}`}>{statusName(status)}</span>;
}
