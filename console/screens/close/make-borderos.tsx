import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'preact/hooks';
import { ApiError, api, type Schema } from '../../api/client.ts';
import { t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { keyOf, nameOf, totalsOf, usePlan } from './open-groups.ts';

const TRIES = 3;

export interface Made {
  manifests: Schema['ManifestCreated']['manifests'];
  requestId: string;
}

interface MakeBorderosProps {
  onMade: (made: Made) => void;
  onEnd: () => void;
}

/** Makes the borderos of everything open, after showing what will be on them. */
export function MakeBorderos({ onMade, onEnd }: MakeBorderosProps) {
  const plan = usePlan();
  const groups = plan.data ?? [];
  const queries = useQueryClient();
  // One per dialog: a repetition after a lost answer makes no second bordero.
  const { current: key } = useRef(crypto.randomUUID());
  const make = useMutation({
    mutationFn: async (): Promise<Made> => {
      const { data, response } = await api.POST('/api/v1/external/bordero', {
        params: { header: { 'Idempotency-Key': key } },
        body: { allTransmitted: true },
      });
      return { manifests: data?.manifests ?? [], requestId: response.headers.get('X-Request-Id') ?? '' };
    },
    retry: (failures, error) => !(error instanceof ApiError) && failures < TRIES,
    onSuccess: onMade,
    onSettled: () => queries.invalidateQueries({ queryKey: ['list'] }),
  });
  const left = groups.reduce((sum, { untransmitted }) => sum + untransmitted.length, 0);
  return (
    <AskDialog
      title={t('close.make')}
      confirm={t('close.make')}
      isPending={make.isPending || plan.isPending}
      error={make.error ?? plan.error}
      onConfirm={() => make.mutate()}
      onEnd={onEnd}
    >
      <p>{t('close.makeSure')}</p>
      {plan.isPending && <p>{t('app.loading')}</p>}
      {plan.isSuccess && (
        <ul>
          {groups
            .filter(({ open }) => open.shipments > 0)
            .map((group) => (
              <li key={keyOf(group)}>
                <strong>{nameOf(group)}</strong>: {totalsOf(group.open)}
              </li>
            ))}
        </ul>
      )}
      {left > 0 && <p class="doubts">{t('close.left', { count: left })}</p>}
      <p class="quiet">{t('close.makeEnd')}</p>
    </AskDialog>
  );
}
