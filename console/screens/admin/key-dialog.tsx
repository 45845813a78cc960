import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'preact/hooks';
import { formatInstant, t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { createKey, type Key, keysKey, type NewKey, type Outcome, readKeys, revokeKey } from './admin-api.ts';
import { LostAnswer } from './lost-answer.tsx';
import { SCOPES_BY_NOUN } from './scopes.ts';

export type KeyWish = { kind: 'create' } | { kind: 'revoke'; apiKey: Key };

interface KeyDialogProps {
  wish: KeyWish;
  companyKey: string;
  timeZone: string;
  onDone: (outcome: Outcome) => void;
  onEnd: () => void;
}

/** Says what a key will be able to do, or what stops without it, and creates or revokes it. */
export function KeyDialog({ wish, companyKey, timeZone, onDone, onEnd }: KeyDialogProps) {
  const queries = useQueryClient();
  const now = useQuery({
    queryKey: ['list', 'admin', 'key-plan', companyKey],
    queryFn: () => readKeys(companyKey),
    enabled: wish.kind === 'revoke',
    staleTime: 0,
    gcTime: 0,
  });
  const apiKey = wish.kind === 'revoke' ? now.data?.find(({ id }) => id === wish.apiKey.id) : undefined;
  const done = useMutation({
    // The answer may hold a key, so nothing keeps it but the note.
    gcTime: 0,
    mutationFn: (form: FormData) => carryOut(wish, companyKey, form),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: keysKey(companyKey) }),
  });
  const title = t(`admin.key.${wish.kind}`);
  return (
    <AskDialog
      title={title}
      confirm={title}
      isDangerous={wish.kind === 'revoke'}
      isPending={done.isPending || (wish.kind === 'revoke' && !apiKey)}
      error={done.error instanceof TypeError ? null : (done.error ?? now.error)}
      onConfirm={(form) => done.mutate(form)}
      onEnd={onEnd}
    >
      <LostAnswer error={done.error} />
      {wish.kind === 'create' && <NewKeyFields />}
      {wish.kind === 'revoke' && now.isPending && <p>{t('app.loading')}</p>}
      {apiKey && <RevokeWords apiKey={apiKey} timeZone={timeZone} />}
    </AskDialog>
  );
}

async function carryOut(wish: KeyWish, companyKey: string, form: FormData): Promise<Outcome> {
  if (wish.kind === 'revoke') {
    const { id, name } = wish.apiKey;
    return { ...(await revokeKey(companyKey, id)), words: t('admin.key.revoked', { name }) };
  }
  const name = String(form.get('name')).trim();
  const ranges = String(form.get('ranges')).split(/[\s,;]+/);
  const addressRanges = ranges.filter((range) => range !== '');
  const expires = String(form.get('expires'));
  const scopes = form.getAll('scopes').map(String) as NonNullable<NewKey['scopes']>;
  const done = await createKey(companyKey, {
    ...{ name, addressRanges, scopes },
    // It works through the whole of its last day, in the browser's time zone.
    ...(expires === '' ? {} : { expiresAt: new Date(`${expires}T23:59:59`).toISOString() }),
  });
  return { ...done, words: t('admin.key.created', { name }) };
}

function RevokeWords({ apiKey, timeZone }: { apiKey: Key; timeZone: string }) {
  const { name, prefix, scopes, lastUsedAt } = apiKey;
  const used = lastUsedAt === null ? null : formatInstant(lastUsedAt, timeZone);
  const may = scopes.includes('*') ? t('admin.everyScope') : scopes.join(', ');
  return (
    <>
      <p class="wrapped">{t('admin.key.revokeSure', { name, prefix })}</p>
      <p class="wrapped">{t('admin.key.stops', { scopes: may })}</p>
      <p class={used === null ? 'quiet' : 'doubts'}>
        {used === null ? t('admin.key.neverUsed') : t('admin.key.used', { at: used })}
      </p>
    </>
  );
}

function NewKeyFields() {
  const [all, setAll] = useState(false);
  const [chosen, setChosen] = useState(0);
  return (
    <>
      <p>{t('admin.key.createSure')}</p>
      <label>
        {t('admin.key.name')}
        <input name="name" maxLength={100} autoComplete="off" required />
      </label>
      <fieldset
        class="parcels"
        onChange={({ currentTarget }) => setChosen(currentTarget.querySelectorAll(':checked').length)}
      >
        <legend>{t('admin.scopes')}</legend>
        <label>
          <input
            name="scopes"
            type="checkbox"
            value="*"
            checked={all}
            // Something must be chosen: without scopes the API would allow everything.
            required={chosen === 0}
            onChange={({ currentTarget }) => setAll(currentTarget.checked)}
          />{' '}
          {t('admin.everyScope')} <code class="quiet">*</code>
        </label>
        {!all && (
          <div class="scopes">
            {SCOPES_BY_NOUN.map(([noun, scopes]) => (
              <fieldset key={noun}>
                <legend>{t(`admin.noun.${noun}`)}</legend>
                {scopes.map((scope) => (
                  <label key={scope}>
                    <input name="scopes" type="checkbox" value={scope} aria-label={scope} />{' '}
                    {t(scope.endsWith(':read') ? 'admin.read' : 'admin.write')}
                  </label>
                ))}
              </fieldset>
            ))}
          </div>
        )}
        <label>
          <input name="scopes" type="checkbox" value="admin" /> {t('admin.adminScope')} <code class="quiet">admin</code>
        </label>
      </fieldset>
      <label>
        {t('admin.key.ranges')}
        <input name="ranges" autoComplete="off" />
      </label>
      <label>
        {t('admin.key.expires')}
        <input name="expires" type="date" />
      </label>
    </>
  );
}
