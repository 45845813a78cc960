import type { PlainWords } from './held-reasons.ts';
import type { ProcessStatus } from './shipment-status.ts';
import type { TrackingStatus } from './tracking-status.ts';

/** Reasons why a person must look at a shipment. */
export const ATTENTION_REASONS = [
  'outcome-unknown',
  'booking-used-up',
  'confirmation-used-up',
  'cancel-unknown',
  'surplus-label',
  'label-missing',
  'held',
  'release-unconfirmed',
  'marketplace-not-told',
  'marketplace-told-another-number',
] as const;
export type AttentionReason = (typeof ATTENTION_REASONS)[number];

/** A person's choices. `release-held` decides about a held parcel instead. */
export const ATTENTION_CHOICES = ['adopt', 'resubmit', 'cancel'] as const;
export type AttentionChoice = (typeof ATTENTION_CHOICES)[number];

/** The facts from the rows that the reasons follow from. */
export interface AttentionFacts {
  processStatus: ProcessStatus;
  trackingStatus: TrackingStatus | null;
  exhaustedAt: Date | null;
  heldSince: Date | null;
  /** The parcel's giacenza; null: only its tracking status is known. */
  held: { since: Date | null; message: string; decidedAt: Date | null; isOverdue: boolean } | null;
  updatedAt: Date;
  failure: { message: string } | null;
  surplus: { message: string; trackingNumbers: readonly string[] } | null;
  /** The last confirmation to the marketplace failed for a reason other than the shop's own, and no other followed. */
  unsent: { message: string; at: Date } | null;
  /** The marketplace has a number that was cancelled. */
  mistold: { message: string; at: Date } | null;
  /** Sold, but its label could not be fetched. */
  labelMissingSince: Date | null;
}

export interface AttentionNote {
  reason: AttentionReason;
  message: string;
  since: Date;
}

const USED_UP: Partial<Record<ProcessStatus, AttentionReason>> = {
  unknown_outcome: 'outcome-unknown',
  queued: 'booking-used-up',
  created: 'confirmation-used-up',
  cancelling: 'cancel-unknown',
};

/** Lists every reason for a person to look, the most pressing first; none: the shipment needs no attention. */
export function attentionNotes(facts: AttentionFacts): AttentionNote[] {
  const { exhaustedAt, surplus, unsent, mistold, labelMissingSince } = facts;
  const usedUp = exhaustedAt === null ? undefined : USED_UP[facts.processStatus];
  const isGone = facts.processStatus === 'cancelled' || facts.processStatus === 'rejected';
  return [
    ...(usedUp && exhaustedAt
      ? [{ reason: usedUp, message: facts.failure?.message ?? 'All tries are used up', since: exhaustedAt }]
      : []),
    ...(surplus ? [{ reason: 'surplus-label' as const, message: surplus.message, since: facts.updatedAt }] : []),
    ...(labelMissingSince && !isGone
      ? [
          {
            reason: 'label-missing' as const,
            message: 'The carrier sold the shipment, and not every label of it arrived',
            since: labelMissingSince,
          },
        ]
      : []),
    ...(isGone ? [] : heldNotes(facts)),
    ...(mistold
      ? [{ reason: 'marketplace-told-another-number' as const, message: mistold.message, since: mistold.at }]
      : []),
    ...(unsent ? [{ reason: 'marketplace-not-told' as const, message: unsent.message, since: unsent.at }] : []),
  ];
}

/** An announcement needs no attention yet. A decision needs it only when tracking should have shown it. */
function heldNotes({ trackingStatus, heldSince, updatedAt, held }: AttentionFacts): AttentionNote[] {
  if (held?.decidedAt) {
    if (!held.isOverdue) return [];
    return [{ reason: 'release-unconfirmed', message: held.message, since: held.decidedAt }];
  }
  if (trackingStatus !== 'held' && !held?.since) return [];
  const message = held?.message ?? 'The carrier holds the parcel';
  return [{ reason: 'held', message, since: held?.since ?? heldSince ?? updatedAt }];
}

/** The facts of the carrier and its shipment that decide which choices exist. */
export interface CarrierAbilities {
  isSearchable: boolean;
  isCancellable: boolean;
  surplusNumbers: readonly string[];
  /** The order has another shipment, whose number the marketplace should have. */
  hasLiveNumber: boolean;
}

/** Returns what each choice does about a reason, in words for the person who decides. */
export function choicesFor(
  reason: AttentionReason,
  shipment: CarrierAbilities,
): Partial<Record<AttentionChoice, PlainWords>> {
  switch (reason) {
    case 'outcome-unknown':
      return {
        adopt: {
          en: 'The carrier has it: give its trackingNumber, and it counts as created',
          it: 'Il corriere ce l’ha: indicare il numero di spedizione, e conta come creata',
        },
        resubmit: shipment.isSearchable
          ? {
              en: 'We ask the carrier again. A shipment that it has is adopted; one that it certainly never saw is booked again',
              it: 'Si chiede di nuovo al corriere. Se ha la spedizione, viene adottata; se di certo non l’ha mai vista, viene prenotata di nuovo',
            }
          : {
              en: 'It is booked again. Choose this only if the carrier certainly has nothing under its reference: otherwise there will be two labels',
              it: 'Viene prenotata di nuovo. Da scegliere solo se il corriere di certo non ha nulla con questo riferimento: altrimenti le etichette saranno due',
            },
        cancel: {
          en: 'The carrier has nothing, or you deleted it there: the shipment is cancelled and the order free again',
          it: 'Il corriere non ha nulla, o è stata eliminata lì: la spedizione è annullata e l’ordine torna libero',
        },
      };
    case 'booking-used-up':
      return {
        resubmit: { en: 'It is booked again', it: 'Viene prenotata di nuovo' },
        cancel: {
          en: 'The shipment is cancelled and the order free again',
          it: 'La spedizione è annullata e l’ordine torna libero',
        },
      };
    case 'confirmation-used-up':
      return {
        adopt: {
          en: 'You see at the carrier that it is confirmed, or you confirmed it there: it counts as transmitted',
          it: 'Presso il corriere risulta confermata, o è stata confermata lì: conta come trasmessa',
        },
        resubmit: { en: 'It is confirmed to the carrier again', it: 'Viene confermata di nuovo al corriere' },
        cancel: { en: 'It is cancelled with the carrier', it: 'Viene annullata presso il corriere' },
      };
    case 'cancel-unknown':
      return {
        adopt: { en: 'The carrier still has it: it stays valid', it: 'Il corriere ce l’ha ancora: resta valida' },
        resubmit: {
          en: 'It is cancelled with the carrier again',
          it: 'L’annullamento viene chiesto di nuovo al corriere',
        },
        cancel: {
          en: 'The carrier has cancelled it, or you deleted it there: it counts as cancelled',
          it: 'Il corriere l’ha annullata, o è stata eliminata lì: conta come annullata',
        },
      };
    case 'surplus-label':
      return {
        adopt: {
          en: 'The surplus is dealt with at the carrier: the shipment stays as it is',
          it: 'L’eccedenza è stata sistemata presso il corriere: la spedizione resta com’è',
        },
        ...(shipment.surplusNumbers.length === 0
          ? {
              cancel: {
                en: 'The shipment is cancelled with the carrier, with everything under its number',
                it: 'La spedizione viene annullata presso il corriere, con tutto ciò che è sotto il suo numero',
              },
            }
          : {}),
      };
    case 'label-missing':
      return {
        adopt: {
          en: 'You have it from the carrier: give the label, or nothing if it is printed already',
          it: 'L’etichetta è arrivata dal corriere: allegarla, oppure nulla se è già stampata',
        },
        ...(shipment.isCancellable
          ? {
              cancel: {
                en: 'The shipment is cancelled with the carrier',
                it: 'La spedizione viene annullata presso il corriere',
              },
            }
          : {}),
      };
    case 'held':
    case 'release-unconfirmed':
      return {};
    case 'marketplace-told-another-number':
      return {
        adopt: {
          en: 'You corrected it at the marketplace: it counts as told',
          it: 'È stato corretto sul marketplace: conta come comunicato',
        },
        ...(shipment.hasLiveNumber
          ? {
              resubmit: {
                en: 'The marketplace is told the number of the live shipment',
                it: 'Al marketplace viene comunicato il numero della spedizione valida',
              },
            }
          : {}),
      };
    case 'marketplace-not-told':
      return {
        adopt: {
          en: 'The marketplace knows already: it counts as told',
          it: 'Il marketplace lo sa già: conta come comunicato',
        },
        resubmit: { en: 'It is sent again', it: 'Viene inviato di nuovo' },
      };
  }
}
