import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { api } from '../../api/client.ts';
import { t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { readPack } from '../ship/pack.ts';
import { type Fields, fieldsOf, PARCEL_FIELDS, parcelsOf } from '../ship/parcel-fields.ts';

interface MeasureParcelsProps {
  orderId: number;
  onDone: (text: string) => void;
  onEnd: () => void;
}

/** Corrects number, weight and sizes of the parcels. Some carriers take none without sizes. */
export function MeasureParcels({ orderId, onDone, onEnd }: MeasureParcelsProps) {
  const queries = useQueryClient();
  const key = useRef(crypto.randomUUID());
  const pack = useQuery({
    queryKey: ['order', orderId, 'packing'],
    queryFn: () => readPack(orderId),
    staleTime: 0,
    gcTime: 0,
  });
  const measure = useMutation({
    mutationFn: async (form: FormData) => {
      if (!pack.data) throw new Error(t('app.loading'));
      const { packing, etag } = pack.data;
      const fields = Object.fromEntries(PARCEL_FIELDS.map(({ name }) => [name, String(form.get(name) ?? '')]));
      const parcels = parcelsOf(fields as unknown as Fields, packing.parcels);
      if (!parcels) throw new Error(t('ship.badParcels'));
      const { response } = await api.PATCH('/api/v1/external/orders/{id}', {
        params: { path: { id: orderId } },
        body: { parcels: [...parcels] },
        headers: { 'If-Match': etag, 'Idempotency-Key': key.current },
      });
      return response.headers.get('X-Request-Id') ?? '';
    },
    onSuccess: (id) => onDone(`${t('parcels.measured')} ${t('problem.request', { id })}`),
    onError: () => {
      // Other values are another request.
      key.current = crypto.randomUUID();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['order', orderId] }),
  });
  const known = pack.data && fieldsOf(pack.data.packing.parcels);
  return (
    <AskDialog
      title={t('parcels.title')}
      confirm={t('order.save')}
      isPending={measure.isPending || !known}
      error={measure.error ?? pack.error}
      onConfirm={(form) => measure.mutate(form)}
      onEnd={onEnd}
    >
      {known ? <Measures known={known} /> : <p>{t('app.loading')}</p>}
    </AskDialog>
  );
}

function Measures({ known }: { known: Fields }) {
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <div class="measures">
      {PARCEL_FIELDS.map(({ name, label }, at) => (
        <label key={name}>
          {t(label)}
          <input
            ref={at === 0 ? first : null}
            name={name}
            inputMode="decimal"
            autoComplete="off"
            defaultValue={known[name]}
            required={name === 'weight'}
          />
        </label>
      ))}
    </div>
  );
}
