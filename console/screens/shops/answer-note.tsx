import { Link } from 'wouter-preact';
import type { Schema } from '../../api/client.ts';
import { t } from '../../i18n/index.ts';
import type { Answer } from './shops-api.ts';

type Fault = Schema['ConnectionCheck']['errorType'];

/** Says what a shop answered, with the id of the request. */
export function AnswerNote({ answer }: { answer: Answer }) {
  const { error, fault } = faultOf(answer);
  return (
    <section role="status" class={error === null ? 'calm' : 'problem'}>
      <p>
        {wordsOf(answer)} {answer.question.kind === 'send' && <OrderLink row={answer.question.row} />}
      </p>
      {error !== null && <p>{error}</p>}
      {fault !== null && <p>{t(`shops.fault.${fault}`)}</p>}
      <p class="quiet">{t('problem.request', { id: answer.requestId })}</p>
    </section>
  );
}

function OrderLink({ row: { orderId, orderNumber } }: { row: Schema['Confirmation'] }) {
  return <Link href={`/orders/${orderId}`}>{t('order.title', { number: orderNumber })}</Link>;
}

function faultOf(answer: Answer): { error: string | null; fault: Fault } {
  if (answer.kind !== 'send') return { error: answer.result.error, fault: answer.result.errorType };
  return { error: answer.result.ErrorMessage, fault: answer.result.ErrorType as Fault };
}

function wordsOf({ kind, question, result }: Answer): string {
  const shop = question.shop.label;
  if (kind === 'send') {
    const isTold = result.Result === 'OK';
    return t(isTold ? 'shops.sent' : 'shops.notSent', { shop, number: result.TrackingNumber });
  }
  if (result.status === 'failed') return t(kind === 'verify' ? 'shops.refused' : 'shops.notImported', { shop });
  if (kind === 'verify') return t('shops.verified', { shop });
  const { wasRunning, created, updated, unchanged, failed, marketplaceOrderId } = result;
  if (wasRunning) return t('shops.wasRunning', { shop });
  if (marketplaceOrderId !== null && created + updated + unchanged === 0) {
    return t('shops.notInShop', { shop, id: marketplaceOrderId });
  }
  return t('shops.imported', { shop, created, updated, unchanged, failed });
}
