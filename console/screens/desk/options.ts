import type { Schema } from '../../api/client.ts';
import { may, type Session } from '../../api/session.ts';
import { currentLanguage, t } from '../../i18n/index.ts';
import type { Attention, Case } from './cases.ts';

type Choice = Attention['choices'][number];
export type HeldAction = NonNullable<Schema['HeldStay']['allowedActions']>[number]['action'];

/** Something that a person may decide about a case. */
export type Option =
  | { kind: 'choice'; choice: Choice['choice']; reason: Choice['reason']; explanation: Choice['explanation'] }
  | {
      kind: 'action';
      action: HeldAction;
      /** `portal`: a person does it there, and it is only written down here. */
      via: 'api' | 'portal';
      /** Null: unknown. */
      billed: boolean | null;
    };

const HELD_ACTIONS: readonly HeldAction[] = [
  'REDISPATCH_SAME_ADDRESS',
  'REDISPATCH_NEW_ADDRESS',
  'RETURN_TO_SENDER',
  'DESTROY',
  'PICKUP_AT_DEPOT',
  'PICKUP_AT_OFFICE',
  'PICKUP_AT_LOCKER',
  'PICKUP_AT_SHOP',
];

/** Lists the decisions that exist for a case, in the order of their keys. */
export function optionsOf({ attention, stay, group }: Case): Option[] {
  const choices = (attention?.choices ?? []).map(({ choice, reason, explanation }) => ({
    ...{ kind: 'choice' as const, choice, reason, explanation },
  }));
  // Without a stay only the carrier's interface is known.
  if (!stay) {
    const actions = (attention?.releaseActions ?? []) as HeldAction[];
    return [
      ...choices,
      ...actions.map((action) => ({ kind: 'action' as const, action, via: 'api' as const, billed: null })),
    ];
  }
  if (group === 'open' && !attention?.reasons.some(({ reason }) => isHeldReason(reason))) return choices;
  const offered =
    stay.allowedActions ?? HELD_ACTIONS.map((action) => ({ action, via: 'portal' as const, billed: null }));
  // The carrier takes no second decision, so a correction is made in its portal.
  const actions = offered.map(({ action, via, billed }) => ({
    ...{ kind: 'action' as const, action, billed },
    via: group === 'decided' ? ('portal' as const) : via,
  }));
  return [...choices, ...actions];
}

function isHeldReason(reason: string): boolean {
  return reason === 'held' || reason === 'release-unconfirmed';
}

/** Tells whether the person's role covers the decision. */
export function mayDecide(session: Session, option: Option): boolean {
  return may(session, option.kind === 'choice' ? 'attention:write' : 'held:write');
}

export function nameOf(option: Option): string {
  return option.kind === 'choice' ? t(`desk.choice.${option.choice}`) : t(`desk.action.${option.action}`);
}

/** Returns what the decision does and costs, one sentence each. */
export function consequencesOf(option: Option, carrierName: string): string[] {
  if (option.kind === 'choice') return [option.explanation[currentLanguage()]];
  const cost = option.billed === null ? 'desk.costUnknown' : option.billed ? 'desk.billed' : 'desk.free';
  const way = option.via === 'api' ? t('desk.viaApi', { carrier: carrierName }) : t('desk.viaPortal');
  return [way, t(cost)];
}
