import { t } from '../../i18n/index.ts';
import type { Report } from './setup-api.ts';

/** Lists what an apply creates, changes and leaves alone. */
export function SetupReport({ report: { changes, leftAlone } }: { report: Report }) {
  const made = changes.filter(({ change }) => change !== 'unchanged');
  return (
    <>
      {made.length === 0 && <p>{t('admin.setup.nothing')}</p>}
      <ul class="plain">
        {made.map(({ what, change, fields }) => (
          <li key={what}>
            <span class={`status ${change === 'created' ? 'done' : 'todo'}`}>{t(`admin.setup.change.${change}`)}</span>{' '}
            {what} {fields.length > 0 && <span class="quiet">({fields.join(', ')})</span>}
          </li>
        ))}
      </ul>
      <p class="quiet">{t('admin.setup.unchanged', { count: changes.length - made.length })}</p>
      {leftAlone.length > 0 && (
        <p class="quiet">
          {t('admin.setup.left')} {leftAlone.join(', ')}
        </p>
      )}
    </>
  );
}
