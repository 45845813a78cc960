import { useQuery } from '@tanstack/react-query';
import { t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import type { Case } from './cases.ts';
import { type Decided, readSettled } from './decide.ts';
import { nameOf, type Option } from './options.ts';

const AGAIN_MS = 2000;

/** A decision that this person took since the screen was opened. */
export interface Taken {
  about: Case;
  option: Option;
  decided: Decided;
}

interface DecisionsProps {
  taken: readonly Taken[];
  change: (shipmentId: number) => void;
  /** Tells whether the decision can still be corrected. */
  isChangeable: (shipmentId: number) => boolean;
}

/** Shows the outcome of the person's last decisions, newest first, and waits for partners that answer late. */
export function Decisions({ taken, change, isChangeable }: DecisionsProps) {
  return (
    <section class="decisions" aria-label={t('desk.decisions')} aria-live="polite">
      {taken.map((one, index) => (
        <div key={one.decided.requestId}>
          <Outcome {...one} />
          {index === 0 && isChangeable(one.about.id) && (
            <button type="button" aria-keyshortcuts="u" onClick={() => change(one.about.id)}>
              {t('desk.undo')}
            </button>
          )}
        </div>
      ))}
    </section>
  );
}

const SENTENCES = { done: 'desk.done', pending: 'desk.pending', task: 'desk.tasked' } as const;

function Outcome({ about, option, decided: { state, requestId, operationId } }: Taken) {
  const settled = useQuery({
    queryKey: ['operation', operationId],
    queryFn: () => readSettled(operationId ?? 0),
    enabled: state === 'pending' && operationId !== null,
    refetchInterval: ({ state: { data, error } }) => (data?.isSettled || error ? false : AGAIN_MS),
  });
  const refusal = settled.data?.refusal;
  const shown = settled.data?.isSettled ? 'done' : state;
  if (settled.error) return <ProblemNote error={settled.error} />;
  return (
    <p class={refusal ? 'problem' : ''}>
      {refusal ? `${t('order.title', { number: about.orderNumber })}: ${refusal}` : sentence()}{' '}
      <span class="quiet">{t('problem.request', { id: requestId })}</span>
    </p>
  );

  function sentence(): string {
    return t(SENTENCES[shown], { number: about.orderNumber, choice: nameOf(option) });
  }
}
