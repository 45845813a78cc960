import { useState } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import type { Outcome } from './admin-api.ts';

/** Says what happened, with the id of the request. A new secret is shown here and nowhere else. */
export function OutcomeNote({ outcome: { words, requestId, secret } }: { outcome: Outcome }) {
  const [isCopied, setCopied] = useState(false);
  return (
    <section role="status" class="calm">
      <p class="wrapped">{words}</p>
      {secret !== null && (
        <>
          <p>{t('admin.once')}</p>
          <p>
            <code class="secret">{secret}</code>{' '}
            <button
              type="button"
              onClick={() => void navigator.clipboard?.writeText(secret).then(() => setCopied(true))}
            >
              {t(isCopied ? 'events.copied' : 'events.copy')}
            </button>
          </p>
        </>
      )}
      <p class="quiet">{t('problem.request', { id: requestId })}</p>
    </section>
  );
}
