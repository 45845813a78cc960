import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { type Progress, sendInBatches } from '../../api/batches.ts';
import { t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Status } from '../../ui/status.tsx';
import type { OpenGroup } from './open-groups.ts';

/** A transmission of many orders: how far it is, and how to begin it. */
export interface Transmission {
  progress: Progress | null;
  error: Error | null;
  isBusy: boolean;
  /** Numbers of orders by their ids. */
  numbers: ReadonlyMap<number, string>;
  start: (orders: ReadonlyMap<number, string>) => void;
}

export function useTransmission(): Transmission {
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [numbers, setNumbers] = useState<ReadonlyMap<number, string>>(new Map());
  const start = (orders: ReadonlyMap<number, string>): void => {
    if (isBusy || orders.size === 0) return;
    setBusy(true);
    setNumbers(orders);
    setError(null);
    setProgress({ done: 0, total: orders.size, errors: [] });
    sendInBatches('/shipment/transmit', [...orders.keys()], setProgress)
      .catch(setError)
      .finally(() => {
        setBusy(false);
        void queries.invalidateQueries({ queryKey: ['list'] });
      });
  };
  return { progress, error, isBusy, numbers, start };
}

/** Shows how far a transmission is, and each refused order with its reason. */
export function TransmissionNote({ transmission: { progress, error, numbers } }: { transmission: Transmission }) {
  if (!progress) return null;
  const { done, total, errors } = progress;
  return (
    <section class="bulk" aria-live="polite">
      <progress aria-label={t('bulk.progress')} max={total} value={done} />
      <span>{t('close.transmitted', { done: done - errors.length, total })}</span>
      {errors.length > 0 && (
        <ul class="errors">
          {errors.map(({ orderId, message }) => (
            <li key={`${orderId} ${message}`}>
              <Link href={`/orders/${orderId}`}>{t('order.title', { number: numbers.get(orderId) ?? orderId })}</Link>:{' '}
              {message}
            </li>
          ))}
        </ul>
      )}
      {error && <ProblemNote error={error} />}
    </section>
  );
}

/** Lists the shipments of a group that no bordero takes yet, each with its reason. */
export function Untransmitted({ group }: { group: OpenGroup }) {
  if (group.untransmitted.length === 0) return null;
  return (
    <details>
      <summary>{t('close.untransmitted', { count: group.untransmitted.length })}</summary>
      <ul class="cards">
        {group.untransmitted.map(({ shipmentId, orderId, orderNumber, status, isCreated, error }) => (
          <li key={shipmentId}>
            <Link href={`/orders/${orderId}`}>{t('order.title', { number: orderNumber })}</Link>{' '}
            <Status status={status} /> {!isCreated && <span class="quiet">{t('close.notCreated')}</span>}
            {error && <p class="problem">{error}</p>}
            {status === 'unknown_outcome' && <Link href={`/desk?shipment=${shipmentId}`}>{t('nav.desk')}</Link>}
          </li>
        ))}
      </ul>
    </details>
  );
}
