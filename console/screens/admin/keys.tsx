import { useState } from 'preact/hooks';
import { type Session, timeZoneOf } from '../../api/session.ts';
import { formatInstant, t } from '../../i18n/index.ts';
import { useKeys } from '../../ui/keys.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Key, type Outcome, useKeysOf } from './admin-api.ts';
import { KeyDialog, type KeyWish } from './key-dialog.tsx';
import { OutcomeNote } from './outcome-note.tsx';

/** Lists the keys of a company, and creates and revokes them. */
export function Keys({ session, companyKey }: { session: Session; companyKey: string }) {
  const list = useKeysOf(companyKey);
  const [wish, put] = useState<KeyWish | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const keys = list.data ?? [];
  const timeZone = timeZoneOf(session);
  useKeys({ n: () => put({ kind: 'create' }) });
  return (
    <section>
      <h2>{t('admin.part.keys')}</h2>
      <p class="quiet">{t('admin.keysWhat')}</p>
      <div class="actions">
        <button type="button" class="main" aria-keyshortcuts="n" onClick={() => put({ kind: 'create' })}>
          {t('admin.key.create')} (n)
        </button>
      </div>
      {outcome && <OutcomeNote outcome={outcome} key={outcome.requestId} />}
      {list.isPending && <p>{t('app.loading')}</p>}
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && keys.length === 0 && <p class="empty">{t('admin.noKeys')}</p>}
      <ul class="cards">
        {keys.toReversed().map((key) => (
          <li key={key.id}>
            <KeyRow apiKey={key} timeZone={timeZone} put={put} />
          </li>
        ))}
      </ul>
      {wish && (
        <KeyDialog
          wish={wish}
          timeZone={timeZone}
          companyKey={companyKey}
          onDone={(next) => {
            setOutcome(next);
            put(null);
          }}
          onEnd={() => put(null)}
        />
      )}
    </section>
  );
}

interface KeyRowProps {
  apiKey: Key;
  timeZone: string;
  put: (wish: KeyWish) => void;
}

function KeyRow({ apiKey, timeZone, put }: KeyRowProps) {
  const { id, name, prefix, scopes, addressRanges, createdAt, lastUsedAt, expiresAt, revokedAt } = apiKey;
  const at = (instant: string) => formatInstant(instant, timeZone);
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now();
  return (
    <>
      <h3 class="wrapped">
        {name} <code class="quiet">{prefix}…</code> <span class="quiet">key:{id}</span>{' '}
        {revokedAt !== null && <span class="status off">{t('admin.revokedAt', { at: at(revokedAt) })}</span>}
        {revokedAt === null && isExpired && <span class="status off">{t('admin.expired')}</span>}
      </h3>
      <dl class="facts">
        <dt>{t('admin.scopes')}</dt>
        <dd>{scopes.includes('*') ? t('admin.everyScope') : scopes.join(', ')}</dd>
        <dt>{t('admin.lastUse')}</dt>
        <dd>{lastUsedAt === null ? t('admin.never') : at(lastUsedAt)}</dd>
        <dt>{t('admin.ranges')}</dt>
        <dd>{addressRanges.length === 0 ? t('admin.everywhere') : addressRanges.join(', ')}</dd>
        <dt>{t('admin.createdAt')}</dt>
        <dd>{at(createdAt)}</dd>
        {expiresAt !== null && (
          <>
            <dt>{t('admin.expiresAt')}</dt>
            <dd>{at(expiresAt)}</dd>
          </>
        )}
      </dl>
      {revokedAt === null && (
        <button
          type="button"
          class="danger"
          aria-label={`${t('admin.key.revoke')}: ${name}`}
          onClick={() => put({ kind: 'revoke', apiKey })}
        >
          {t('admin.key.revoke')}
        </button>
      )}
    </>
  );
}
