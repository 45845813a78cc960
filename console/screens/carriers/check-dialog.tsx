import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { contractName } from '../today/counts.ts';
import { type Answered, type Check, type Contract, checkContract, useContractNow } from './carriers-api.ts';

interface CheckDialogProps {
  contract: Contract;
  onAnswer: (answer: Answered<Check>) => void;
  onEnd: () => void;
}

/** Says what the carrier will be asked, and asks. */
export function CheckDialog({ contract, onAnswer, onEnd }: CheckDialogProps) {
  const queries = useQueryClient();
  const plan = useContractNow(contract);
  // One per dialog: a repetition after a lost answer asks nothing twice.
  const { current: key } = useRef(crypto.randomUUID());
  const asked = useMutation({
    mutationFn: () => checkContract(contract, key),
    onSuccess: onAnswer,
    onSettled: () => void queries.invalidateQueries({ queryKey: ['list', 'contracts'] }),
  });
  const isGone = plan.isSuccess && plan.data === null;
  return (
    <AskDialog
      title={t('carriers.check')}
      confirm={t('carriers.check')}
      isPending={asked.isPending || plan.isPending || isGone}
      error={asked.error ?? plan.error}
      onConfirm={() => asked.mutate()}
      onEnd={onEnd}
    >
      {plan.isPending && <p>{t('app.loading')}</p>}
      {isGone && <p class="doubts">{t('carriers.gone')}</p>}
      {plan.data && (
        <>
          <p>{t('carriers.checkSure', { contract: contractName(plan.data) })}</p>
          {!plan.data.isConnected && <p class="doubts">{t('carriers.offSure')}</p>}
          {plan.data.outage && <p class="doubts">{t('carriers.outageSure')}</p>}
        </>
      )}
      {asked.isPending && <p role="status">{t('carriers.asking')}</p>}
    </AskDialog>
  );
}

/** Says what the carrier answered, with the id of the request. */
export function CheckNote({ contract, answer }: { contract: Contract; answer: Answered<Check> }) {
  const { status, error, reason } = answer.result;
  const isFailed = status === 'failed';
  return (
    <section role="status" class={isFailed ? 'problem' : 'calm'}>
      <p>{t(isFailed ? 'carriers.notAccepted' : 'carriers.accepted', { contract: contractName(contract) })}</p>
      {error !== null && <p>{error}</p>}
      {reason !== null && <p>{t(`carriers.fix.${reason}`)}</p>}
      <p class="quiet">{t('problem.request', { id: answer.requestId })}</p>
    </section>
  );
}
