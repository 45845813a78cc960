import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'preact/hooks';
import { api, body, type Schema } from '../../api/client.ts';
import { t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

/** Cancels an order after saying what that does. */
export function CancelOrder({ detail }: { detail: Schema['OrderDetail'] }) {
  const queries = useQueryClient();
  const dialog = useRef<HTMLDialogElement>(null);
  const { id, orderNumber } = detail.order;
  const cancel = useMutation({
    mutationFn: () => body(api.POST('/api/v1/external/orders/{id}/cancel', { params: { path: { id } }, body: {} })),
    onSuccess: () => dialog.current?.close(),
    onSettled: () => queries.invalidateQueries({ queryKey: ['order', id] }),
  });
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        {t('order.cancel')}
      </button>
      <dialog ref={dialog} aria-label={t('order.cancel')}>
        <p>{t('order.cancelSure', { number: orderNumber })}</p>
        {cancel.error && <ProblemNote error={cancel.error} />}
        <div class="actions">
          <button type="button" class="danger" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('order.cancel')}
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            {t('order.back')}
          </button>
        </div>
      </dialog>
    </>
  );
}
