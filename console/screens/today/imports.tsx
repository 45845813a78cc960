import { Link } from 'wouter-preact';
import { formatInstant, t } from '../../i18n/index.ts';
import { countOf, ordersWith } from './counts.ts';
import type { Overview } from './today.tsx';

type Import = Overview['imports'][number];

/** Shows what each shop sent, what could not be imported, and whether shops were told. */
export function Imports({ overview: { imports, untold }, timeZone }: { overview: Overview; timeZone: string }) {
  return (
    <>
      {imports.length === 0 && <p class="quiet">{t('today.imports.none')}</p>}
      <ul class="counts">
        {imports.map((one) => (
          <li key={one.connectionId}>
            <strong>{one.label}</strong> <span class="quiet">{stateOf(one, timeZone)}</span>
            <br />
            <Link href={ordersWith({ connectionId: one.connectionId })}>
              {t('today.imports.count', { count: countOf(one.imported) })}
            </Link>
            {one.error !== null && <p class="bad">{t('today.imports.error', { error: one.error })}</p>}
            {one.failed.count > 0 && <p class="bad">{t('today.imports.failed', { count: countOf(one.failed) })}</p>}
            {one.newestFailures.map(({ marketplaceOrderId: id, message, nextTryAt }) => (
              <p key={id} class="quiet">
                {t('today.imports.order', { id, message, when: formatInstant(nextTryAt, timeZone) })}
              </p>
            ))}
          </li>
        ))}
      </ul>
      {untold.count > 0 && (
        <p>
          <Link class="bad" href="/desk?reason=marketplace-not-told">
            {t('today.untold', { count: countOf(untold) })}
          </Link>
        </p>
      )}
    </>
  );
}

function stateOf({ isEnabled, isRunning, importedUntil }: Import, timeZone: string): string {
  if (!isEnabled) return t('today.imports.off');
  if (isRunning) return t('today.imports.running');
  if (importedUntil === null) return t('today.imports.never');
  return t('today.imports.until', { until: formatInstant(importedUntil, timeZone) });
}
