import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'preact/hooks';
import { api, type Schema } from '../../api/client.ts';
import { t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';

interface LeaveJoinProps {
  detail: Schema['OrderDetail'];
  onDone: (text: string) => void;
  onEnd: () => void;
}

/** Takes an order out of its join, or dissolves the join when the order leads it. */
export function LeaveJoin({ detail, onDone, onEnd }: LeaveJoinProps) {
  const queries = useQueryClient();
  const { order, joinedInto } = detail;
  const { current: key } = useRef(crypto.randomUUID());
  const leave = useMutation({
    mutationFn: async () => {
      const { response } = await api.DELETE('/api/v1/external/orders/{id}/join', {
        params: { path: { id: order.id }, header: { 'Idempotency-Key': key } },
      });
      return response.headers.get('X-Request-Id') ?? '';
    },
    onSuccess: (id) => onDone(`${t('join.left')} ${t('problem.request', { id })}`),
    onSettled: () => queries.invalidateQueries({ queryKey: ['order'] }),
  });
  return (
    <AskDialog
      title={t('join.leave')}
      confirm={t('join.leave')}
      isPending={leave.isPending}
      error={leave.error}
      onConfirm={() => leave.mutate()}
      onEnd={onEnd}
    >
      <p>{t(joinedInto === null ? 'join.dissolveSure' : 'join.leaveSure', { number: order.orderNumber })}</p>
    </AskDialog>
  );
}
