import { t } from '../../i18n/index.ts';

/** Says that a request may have been carried out. `fetch` throws a `TypeError` when no answer came. */
export function LostAnswer({ error }: { error: Error | null }) {
  if (!(error instanceof TypeError)) return null;
  return (
    <p class="problem" role="alert">
      {t('admin.lost')}
    </p>
  );
}
