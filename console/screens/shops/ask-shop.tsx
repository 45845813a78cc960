import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'preact/hooks';
import { formatInstant, t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { numbersOf } from './confirmations.tsx';
import { type Answer, ask, type Question, usePlan } from './shops-api.ts';

interface AskShopProps {
  question: Question;
  timeZone: string;
  onAnswer: (answer: Answer) => void;
  onEnd: () => void;
}

/** Says what the shop will be asked and what that changes, and asks. */
export function AskShop({ question, timeZone, onAnswer, onEnd }: AskShopProps) {
  const queries = useQueryClient();
  const plan = usePlan(question);
  // One per dialog: a repetition after a lost answer asks nothing twice.
  const { current: key } = useRef(crypto.randomUUID());
  const asked = useMutation({
    mutationFn: () => ask(plan.data ?? question, key),
    onSuccess: onAnswer,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['list'] });
      if (question.kind === 'send') void queries.invalidateQueries({ queryKey: ['order', question.row.orderId] });
    },
  });
  const title = t(`shops.${question.kind}`);
  const isGone = plan.isSuccess && plan.data === null;
  return (
    <AskDialog
      title={title}
      confirm={title}
      isPending={asked.isPending || plan.isPending || isGone}
      error={asked.error ?? plan.error}
      onConfirm={() => asked.mutate()}
      onEnd={onEnd}
    >
      {plan.isPending && <p>{t('app.loading')}</p>}
      {isGone && <p class="doubts">{t('shops.gone')}</p>}
      {plan.data && <Plan question={plan.data} timeZone={timeZone} />}
      {asked.isPending && <p role="status">{t('shops.asking')}</p>}
    </AskDialog>
  );
}

function Plan({ question, timeZone }: { question: Question; timeZone: string }) {
  const { shop } = question;
  const name = shop.label;
  switch (question.kind) {
    case 'verify':
      return <p>{t('shops.verifySure', { shop: name })}</p>;
    case 'import': {
      const { importedUntil, isRunning } = shop.imports;
      const since = importedUntil === null ? t('shops.days30') : formatInstant(importedUntil, timeZone);
      return (
        <>
          <p>{t('shops.importSure', { shop: name, since })}</p>
          {isRunning && <p class="doubts">{t('shops.runsAlready')}</p>}
          <p class="quiet">{t('shops.importEnd')}</p>
        </>
      );
    }
    case 'read': {
      const { marketplaceOrderId: id, message, tries } = question.failure;
      return (
        <>
          <p>{t('shops.readSure', { shop: name, id })}</p>
          <p class="problem">{message}</p>
          <p class="quiet">{t('shops.readEnd', { tries })}</p>
        </>
      );
    }
    case 'send':
      return <SendPlan row={question.row} shop={name} />;
  }
}

function SendPlan({ row, shop }: { row: (Question & { kind: 'send' })['row']; shop: string }) {
  const live = row.shipments.map(({ trackingNumber }) => trackingNumber).join(', ');
  const had = numbersOf(row).join(', ');
  return (
    <>
      <p>{t('shops.sendSure', { shop, order: row.orderNumber })}</p>
      <dl class="facts">
        <dt>{t('shops.travels')}</dt>
        <dd>{live || '–'}</dd>
        <dt>{t('shops.shopHas')}</dt>
        <dd>{had || t('shops.nothing')}</dd>
      </dl>
      {live === '' && <p class="doubts">{t('shops.noLive')}</p>}
      {row.last?.error && <p class="problem">{row.last.error}</p>}
      {row.last?.errorType && <p>{t(`shops.fault.${row.last.errorType}`)}</p>}
      <p class="quiet">{t('shops.sendEnd')}</p>
    </>
  );
}
