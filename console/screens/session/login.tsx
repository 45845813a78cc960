import { useState } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import { logIn, ways } from '../../api/session.ts';
import { t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

/** Asks for e-mail and password, and then for the code of people with a second factor. */
export function Login() {
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [needsCode, askForCode] = useState(false);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const code = String(form.get('code') ?? '');
    setBusy(true);
    const credentials = { email: String(form.get('email')), password: String(form.get('password')) };
    logIn(code === '' ? credentials : { ...credentials, code })
      .catch((refused: Error) => {
        setError(refused);
        if (isCodeMissing(refused)) askForCode(true);
      })
      .finally(() => setBusy(false));
  };
  return (
    <main class="login">
      <h1>{t('login.title')}</h1>
      <form onSubmit={submit}>
        <label>
          {t('login.email')}
          <input name="email" type="email" autocomplete="username" required autofocus />
        </label>
        <label>
          {t('login.password')}
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        {needsCode && (
          <label>
            {t('login.code')}
            <input name="code" autocomplete="one-time-code" required autofocus />
          </label>
        )}
        <button type="submit" class="main" disabled={isBusy}>
          {t('login.submit')}
        </button>
        {error && !isCodeMissing(error) && <ProblemNote error={error} />}
      </form>
      {ways.identityProvider !== null && <a href={ways.identityProvider}>{t('login.provider')}</a>}
    </main>
  );
}

function isCodeMissing(error: Error): boolean {
  return error instanceof ApiError && error.code === 'code-missing';
}
