import { useState } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import type { Outcome } from './events-api.ts';
import { errorWords } from './words.ts';

/** Says what happened, with the id of the request. A new secret is shown here and nowhere else. */
export function OutcomeNote({ outcome }: { outcome: Outcome }) {
  const { kind, requestId, endpoint, secret, test } = outcome;
  const hasFailed = test?.status === 'failed';
  return (
    <section role="status" class={hasFailed ? 'problem' : 'calm'}>
      <p class="wrapped">
        {kind !== 'test' && t(`events.done.${kind}`, { url: endpoint?.url ?? '' })}
        {test?.status === 'delivered' &&
          t('events.tested', { url: endpoint?.url ?? '', status: test.httpStatus ?? '', ms: test.durationMs ?? 0 })}
        {hasFailed &&
          `${t('events.notTested', { url: endpoint?.url ?? '' })} ${errorWords(test.error ?? '', test.httpStatus)}`}
      </p>
      {(kind === 'create' || kind === 'rotate') && <Secret secret={secret} />}
      {test?.request && <pre class="wrapped">{test.request.body}</pre>}
      <p class="quiet">{t('problem.request', { id: requestId })}</p>
    </section>
  );
}

function Secret({ secret }: { secret: string | null }) {
  const [isCopied, setCopied] = useState(false);
  if (secret === null) return <p class="doubts">{t('events.secretLost')}</p>;
  return (
    <>
      <p>{t('events.secretOnce')}</p>
      <p>
        <code class="secret">{secret}</code>{' '}
        <button type="button" onClick={() => void navigator.clipboard?.writeText(secret).then(() => setCopied(true))}>
          {t(isCopied ? 'events.copied' : 'events.copy')}
        </button>
      </p>
    </>
  );
}
