import { ApiError } from '../api/client.ts';
import { t } from '../i18n/index.ts';

/** Shows an error as the API said it, with the fields at fault and the id of the request. */
export function ProblemNote({ error, retry }: { error: Error; retry?: () => void }) {
  const { violations, requestId } = error instanceof ApiError ? error : { violations: [], requestId: '' };
  return (
    <div class="problem" role="alert">
      <p>{error.message}</p>
      {violations.length > 0 && (
        <ul>
          {violations.map(({ pointer, message }) => (
            <li key={`${pointer} ${message}`}>
              {pointer ? <code>{pointer}</code> : null} {message}
            </li>
          ))}
        </ul>
      )}
      {requestId !== '' && <p class="quiet">{t('problem.request', { id: requestId })}</p>}
      {retry && (
        <button type="button" onClick={retry}>
          {t('app.retry')}
        </button>
      )}
    </div>
  );
}
