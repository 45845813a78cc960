import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { type Progress, sendInBatches } from '../../api/batches.ts';
import { t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { PrintedLabels, PrintLabels } from './print-labels.tsx';
import { printOrders } from './print-on-printer.ts';

const ACTIONS = { ship: '/shipment/create', transmit: '/shipment/transmit' } as const;
type Action = keyof typeof ACTIONS;

interface BulkActionsProps {
  /** Numbers of the chosen orders, by id. */
  orders: ReadonlyMap<number, string>;
  onEnd: () => void;
}

/** Does one thing to all chosen orders, and says what became of each. */
export function BulkActions({ orders, onEnd }: BulkActionsProps) {
  const orderIds = [...orders.keys()];
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [isPrinting, print] = useState(false);
  const [labels, showLabels] = useState<string | null>(null);
  const run = (work: (onProgress: (progress: Progress) => void) => Promise<unknown>): void => {
    setBusy(true);
    setError(null);
    setProgress({ done: 0, total: orderIds.length, errors: [] });
    work(setProgress)
      .catch(setError)
      .finally(() => {
        setBusy(false);
        void queries.invalidateQueries({ queryKey: ['list'] });
        void queries.invalidateQueries({ queryKey: ['order'] });
      });
  };
  const send = (action: Action): void => run((onProgress) => sendInBatches(ACTIONS[action], orderIds, onProgress));
  const isDone = progress !== null && !isBusy;
  return (
    <section class="bulk" aria-live="polite">
      <strong>{t('bulk.selected', { count: orderIds.length })}</strong>
      <button type="button" class="main" disabled={isBusy} onClick={() => send('ship')}>
        {t('order.ship')}
      </button>
      <button type="button" disabled={isBusy} onClick={() => send('transmit')}>
        {t('bulk.transmit')}
      </button>
      <button type="button" disabled={isBusy} onClick={() => print(true)}>
        {t('bulk.print')}
      </button>
      <button type="button" disabled={isBusy} onClick={onEnd}>
        {t('bulk.end')}
      </button>
      {progress && (
        <>
          <progress aria-label={t('bulk.progress')} max={progress.total} value={progress.done} />
          <span>{t('bulk.done', { done: progress.done - progress.errors.length, total: progress.total })}</span>
        </>
      )}
      {isDone && progress.errors.length > 0 && (
        <ul class="errors">
          {progress.errors.map(({ orderId, message }) => (
            <li key={orderId}>
              <Link href={`/orders/${orderId}`}>{t('order.title', { number: orders.get(orderId) ?? orderId })}</Link>:{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
      {error && <ProblemNote error={error} />}
      {labels !== null && <PrintedLabels url={labels} />}
      {isPrinting && (
        <PrintLabels
          orders={orders}
          onFile={(url) => {
            showLabels(url);
            print(false);
          }}
          onPrinter={(printer) => {
            showLabels(null);
            print(false);
            run((onProgress) => printOrders(printer, orderIds, onProgress));
          }}
          onEnd={() => print(false)}
        />
      )}
    </section>
  );
}
