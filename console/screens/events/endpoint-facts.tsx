import { formatInstant, formatNumber, t } from '../../i18n/index.ts';
import type { Endpoint, Wish } from './events-api.ts';
import { errorWords, typesOf } from './words.ts';

interface EndpointFactsProps {
  endpoint: Endpoint;
  timeZone: string;
  /** Its deliveries are shown below. */
  isChosen: boolean;
  isAlone: boolean;
  /** Null: the person may only look. */
  put: ((wish: Wish) => void) | null;
  choose: () => void;
}

const TONES = { active: 'done', failing: 'bad', disabled: 'off' } as const;

/** Shows one endpoint: where it is, whether it takes its events, and what waits for it. */
export function EndpointFacts({ endpoint, timeZone, isChosen, isAlone, put, choose }: EndpointFactsProps) {
  const { key, url, status, deliveredSequence, lastSequence, replay, previousSecretUntil } = endpoint;
  const waiting = lastSequence - deliveredSequence;
  const able = status === 'active' ? (['disable'] as const) : (['enable'] as const);
  const both = status === 'failing' ? ([...able, 'disable'] as const) : able;
  const offered = [...both, 'test', 'change', 'replay', 'rotate', 'delete'] as const;
  return (
    <section class="shop" aria-label={key} aria-current={isChosen && !isAlone ? 'true' : undefined}>
      <h2 class="wrapped">{url}</h2>
      <p>
        <span class={`status ${TONES[status]}`}>{t(`events.status.${status}`)}</span> <span class="quiet">{key}</span>
      </p>
      <Trouble endpoint={endpoint} timeZone={timeZone} />
      <dl class="facts">
        <dt>{t('events.types')}</dt>
        <dd>{typesOf(endpoint)}</dd>
        <dt>{t('events.delivered')}</dt>
        <dd>{t('events.deliveredOf', { done: formatNumber(deliveredSequence), last: formatNumber(lastSequence) })}</dd>
        <dt>{t('events.waiting')}</dt>
        <dd class={waiting > 0 ? 'warn' : ''}>
          {waiting === 0 ? 0 : t('events.atMost', { count: formatNumber(waiting) })}
        </dd>
        {replay && (
          <>
            <dt>{t('events.replaying')}</dt>
            <dd>{t('events.range', { from: replay.from, to: replay.to })}</dd>
          </>
        )}
        {previousSecretUntil !== null && (
          <>
            <dt>{t('events.oldSecret')}</dt>
            <dd>{formatInstant(previousSecretUntil, timeZone)}</dd>
          </>
        )}
      </dl>
      <div class="actions">
        {put &&
          offered
            .filter((kind) => kind !== 'replay' || (status !== 'disabled' && deliveredSequence > 0))
            .map((kind) => (
              <button
                key={kind}
                type="button"
                class={kind === 'delete' ? 'danger' : ''}
                aria-keyshortcuts={kind === 'test' && isChosen ? 't' : undefined}
                onClick={() => put({ kind, endpoint })}
              >
                {t(kind === 'enable' && status === 'failing' ? 'events.now' : `events.${kind}`)}{' '}
                {kind === 'test' && isChosen && <kbd>t</kbd>}
              </button>
            ))}
        {!isAlone && !isChosen && (
          <button type="button" onClick={choose}>
            {t('events.choose')}
          </button>
        )}
      </div>
    </section>
  );
}

/** Says why nothing arrives, since when, and what comes next. */
function Trouble({ endpoint: { failing, disabled }, timeZone }: { endpoint: Endpoint; timeZone: string }) {
  const at = (instant: string) => formatInstant(instant, timeZone);
  return (
    <>
      {disabled && (
        <p class={disabled.reason === 'switched-off' ? 'quiet' : 'problem'}>
          {t(`events.disabled.${disabled.reason}`, { since: at(disabled.since) })}
        </p>
      )}
      {failing && (
        <p class="problem">
          {t('events.failing', { since: at(failing.since), tries: failing.tries })} {errorWords(failing.error)}.{' '}
          {failing.nextTryAt !== null && t('events.nextTry', { at: at(failing.nextTryAt) })}
        </p>
      )}
    </>
  );
}
