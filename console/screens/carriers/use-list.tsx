import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'preact/hooks';
import { formatDay, t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { type Answered, importList, type PriceListImport, type Upload, usePreviewNow } from './carriers-api.ts';

interface UseListProps {
  upload: Upload;
  /** The preview on the screen. */
  seen: PriceListImport;
  onDone: (answer: Answered<PriceListImport>) => void;
  onEnd: () => void;
}

/** Says which prices will count from when, as they are now, and writes exactly those. */
export function UseList({ upload, seen, onDone, onEnd }: UseListProps) {
  const queries = useQueryClient();
  const plan = usePreviewNow(upload);
  const { current: key } = useRef(crypto.randomUUID());
  const list = plan.data?.result;
  const digest = list?.digest ?? null;
  const written = useMutation({
    mutationFn: (agreed: string) => importList(upload, { digest: agreed, key }),
    onSuccess: onDone,
    onSettled: () => void queries.invalidateQueries({ queryKey: ['list', 'contracts'] }),
  });
  const isOther = list !== undefined && digest !== seen.digest;
  return (
    <AskDialog
      title={t('carriers.use')}
      confirm={t('carriers.use')}
      isPending={plan.isPending || written.isPending || digest === null || isOther}
      error={written.error ?? plan.error}
      onConfirm={() => digest !== null && written.mutate(digest)}
      onEnd={onEnd}
    >
      {plan.isPending && <p>{t('app.loading')}</p>}
      {isOther && <p class="doubts">{t('carriers.otherNow')}</p>}
      {list && !isOther && (
        <>
          <p>
            {t('carriers.useSure', {
              name: list.name ?? '',
              since: list.from === null ? t('carriers.always') : t('carriers.from', { day: formatDay(list.from) }),
            })}
          </p>
          <p>{t('carriers.counts', list.counts)}</p>
          {list.alsoUsedBy.length > 0 && (
            <p class="doubts">{t('carriers.alsoUsedBy', { contracts: list.alsoUsedBy.join(', ') })}</p>
          )}
          <p class="quiet">{t(`carriers.after.${list.change ?? 'unchanged'}`)}</p>
        </>
      )}
    </AskDialog>
  );
}
