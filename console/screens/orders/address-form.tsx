import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, body, type Schema } from '../../api/client.ts';
import { t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

const FIELDS = [
  { name: 'address', label: 'address.street', of: 'address' },
  { name: 'zip', label: 'address.zip', of: 'zip' },
  { name: 'city', label: 'address.city', of: 'city' },
  { name: 'province', label: 'address.province', of: 'state' },
] as const;

/** Corrects where an order goes. A label that was bought is replaced only when the person says so. */
export function AddressForm({ detail, onEnd }: { detail: Schema['OrderDetail']; onEnd: () => void }) {
  const queries = useQueryClient();
  const { id } = detail.order;
  const hasLabel = detail.shipments.some(({ status }) => status === 'created');
  const correct = useMutation({
    mutationFn: (form: FormData) => {
      const shipping = Object.fromEntries(FIELDS.map(({ name }) => [name, String(form.get(name) ?? '').trim()]));
      return body(
        api.PATCH('/api/v1/external/orders/{id}', {
          params: { path: { id }, query: form.has('rebook') ? { rebook: true } : {} },
          body: { shipping },
        }),
      );
    },
    onSuccess: onEnd,
    onSettled: () => queries.invalidateQueries({ queryKey: ['order', id] }),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        correct.mutate(new FormData(event.currentTarget));
      }}
    >
      {FIELDS.map(({ name, label, of }) => (
        <label key={name}>
          {t(label)}
          <input name={name} defaultValue={detail.customerAddress[of]} required />
        </label>
      ))}
      {hasLabel && (
        <label class="check">
          <input type="checkbox" name="rebook" /> {t('address.rebook')}
        </label>
      )}
      <div class="actions">
        <button type="submit" class="main" disabled={correct.isPending}>
          {t('order.save')}
        </button>
        <button type="button" onClick={onEnd}>
          {t('order.back')}
        </button>
      </div>
      {correct.error && <ProblemNote error={correct.error} />}
    </form>
  );
}
