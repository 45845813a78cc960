import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'preact/hooks';
import { api, body, type Schema } from '../../api/client.ts';
import { t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';

const MAX_FOUND = 50;

interface JoinProps {
  detail: Schema['OrderDetail'];
  onDone: (text: string) => void;
  onEnd: () => void;
}

/** Offers the open orders of the same recipient, and joins the chosen ones. The API says which cannot travel together. */
export function JoinOrders({ detail, onDone, onEnd }: JoinProps) {
  const queries = useQueryClient();
  const { order, customerAddress } = detail;
  const { current: key } = useRef(crypto.randomUUID());
  const found = useQuery({
    queryKey: ['order', order.id, 'join'],
    queryFn: () =>
      body(
        api.GET('/api/v1/external/orders', { params: { query: { q: customerAddress.fullName, limit: MAX_FOUND } } }),
      ),
    staleTime: 0,
    gcTime: 0,
  });
  const others = (found.data ?? []).filter(
    ({ id, status, recipient }) =>
      id !== order.id && (status === 'pending' || status === 'error') && recipient.zip === customerAddress.zip,
  );
  const join = useMutation({
    mutationFn: async (chosen: number[]) => {
      const { response } = await api.POST('/api/v1/external/orders/join', {
        params: { header: { 'Idempotency-Key': key } },
        body: { orderIds: [order.id, ...chosen] },
      });
      return { count: chosen.length + 1, id: response.headers.get('X-Request-Id') ?? '' };
    },
    onSuccess: (values) => onDone(`${t('join.done', values)} ${t('problem.request', values)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: ['order'] }),
  });
  return (
    <AskDialog
      title={t('join.title')}
      confirm={t('join.confirm')}
      isPending={join.isPending || others.length === 0}
      error={join.error ?? found.error}
      onConfirm={(form) => {
        const chosen = form.getAll('order').map(Number);
        if (chosen.length > 0) join.mutate(chosen);
      }}
      onEnd={onEnd}
    >
      <p>{t('join.sure', { number: order.orderNumber })}</p>
      {found.isPending && <p>{t('app.loading')}</p>}
      {found.isSuccess && others.length === 0 && <p class="quiet">{t('join.none')}</p>}
      {others.map(({ id, orderNumber, recipient }) => (
        <label key={id} class="check">
          <input type="checkbox" name="order" value={id} /> {t('order.title', { number: orderNumber })}{' '}
          <span class="quiet">
            {recipient.name} {recipient.zip} {recipient.city}
          </span>
        </label>
      ))}
    </AskDialog>
  );
}
