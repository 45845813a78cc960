import { Link } from 'wouter-preact';
import { formatInstant, t } from '../../i18n/index.ts';
import { countOf } from '../today/counts.ts';
import type { Question, Shop, State } from './shops-api.ts';

interface ShopFactsProps {
  shop: Shop;
  timeZone: string;
  /** Its orders are shown below. */
  isChosen: boolean;
  isAlone: boolean;
  /** Null: the person may only look. */
  ask: ((question: Question) => void) | null;
  choose: () => void;
}

/** Shows one shop: how its imports go, and what is wrong with its confirmations. */
export function ShopFacts({ shop, timeZone, isChosen, isAlone, ask, choose }: ShopFactsProps) {
  const { label, marketplace, imports, confirmations, isConnected } = shop;
  const { missing, toldAnother, isAutomatic } = confirmations;
  const at = (instant: string | null) => (instant === null ? t('shops.never') : formatInstant(instant, timeZone));
  return (
    <section class="shop" aria-label={label} aria-current={isChosen && !isAlone ? 'true' : undefined}>
      <h2>
        {label} <span class="quiet">{marketplace.name}</span>
      </h2>
      <p>
        <ImportStatus shop={shop} />
      </p>
      {!isConnected && <p class="warn">{t('shops.disconnected')}</p>}
      <dl class="facts">
        <dt>{t('shops.importedUntil')}</dt>
        <dd>{at(imports.importedUntil)}</dd>
        <dt>{t('shops.lastRun')}</dt>
        <dd>{at(imports.lastRunAt)}</dd>
        {imports.nextRunAt !== null && (
          <>
            <dt>{t('shops.nextRun')}</dt>
            <dd>{at(imports.nextRunAt)}</dd>
          </>
        )}
        <dt>{t('shops.failed')}</dt>
        <dd class={imports.failed.count > 0 ? 'bad' : ''}>{countOf(imports.failed)}</dd>
        <dt>{t('shops.missing')}</dt>
        <dd>{missing.count === 0 ? 0 : <Link href={ledgerOf(shop, 'missing')}>{countOf(missing)}</Link>}</dd>
        <dt>{t('shops.toldAnother')}</dt>
        <dd>
          {toldAnother.count === 0 ? (
            0
          ) : (
            <Link class="bad" href={ledgerOf(shop, 'told_another')}>
              {countOf(toldAnother)}
            </Link>
          )}
        </dd>
      </dl>
      {imports.error !== null && <p class="problem">{t('shops.error', { error: imports.error })}</p>}
      <p class="quiet">{t(isAutomatic ? 'shops.automatic' : 'shops.byHand')}</p>
      <div class="actions">
        {ask && imports.isEnabled && isConnected && (
          <button
            type="button"
            aria-keyshortcuts={isChosen ? 'i' : undefined}
            onClick={() => ask({ kind: 'import', shop })}
          >
            {t('shops.import')} {isChosen && <kbd>i</kbd>}
          </button>
        )}
        {ask && (
          <button
            type="button"
            aria-keyshortcuts={isChosen ? 'v' : undefined}
            onClick={() => ask({ kind: 'verify', shop })}
          >
            {t('shops.verify')} {isChosen && <kbd>v</kbd>}
          </button>
        )}
        {!isAlone && !isChosen && (
          <button type="button" onClick={choose}>
            {t('shops.choose')}
          </button>
        )}
      </div>
    </section>
  );
}

function ledgerOf({ connectionId }: Shop, state: State): string {
  return `/shops?shop=${connectionId}&state=${state}`;
}

function ImportStatus({ shop: { imports, isConnected } }: { shop: Shop }) {
  if (!imports.isEnabled || !isConnected) return <span class="status off">{t('shops.imports.off')}</span>;
  if (imports.isRunning) return <span class="status busy">{t('shops.imports.running')}</span>;
  if (imports.error !== null) return <span class="status bad">{t('shops.imports.failing')}</span>;
  return <span class="status done">{t('shops.imports.on')}</span>;
}
