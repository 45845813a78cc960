import { useState } from 'preact/hooks';
import { type Session, timeZoneOf } from '../../api/session.ts';
import { formatInstant, t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import { draftOf, keepDraft } from './drafts.ts';
import { type Reported, useDeclaration, useLastApplied } from './setup-api.ts';
import { SetupEditor } from './setup-editor.tsx';
import { SetupReport } from './setup-report.tsx';

const NEW_COMPANY = `companies:
  - key: my-company
    name: My Company
`;

/** Shows the declaration of a company, and changes it by a text that is previewed first. */
export function Setup({ session, companyKey }: { session: Session; companyKey: string | null }) {
  const owner = `${session.email} ${companyKey}`;
  const [text, setText] = useState(() => draftOf(owner));
  const [done, setDone] = useState<Reported | null>(null);
  const stored = useDeclaration(companyKey);
  const write = (next: string | null): void => {
    // An untouched text is no draft.
    keepDraft(owner, next === stored.data ? null : next);
    setText(next);
  };
  return (
    <section>
      <h2>{t('admin.part.setup')}</h2>
      <p>{t('admin.setup.what')}</p>
      <p class="quiet">{t('admin.setup.secrets')}</p>
      <p class="quiet">{t('admin.setup.file')}</p>
      <LastApplied session={session} companyKey={companyKey} />
      {done && (
        <section role="status" class="calm">
          <p>{t('admin.setup.did')}</p>
          <SetupReport report={done.report} />
          <p class="quiet">{t('problem.request', { id: done.requestId })}</p>
        </section>
      )}
      {text === null && (
        <div class="actions">
          {companyKey !== null && (
            <button type="button" class="main" disabled={!stored.isSuccess} onClick={() => write(stored.data ?? '')}>
              {t('admin.setup.edit')}
            </button>
          )}
          {session.ofInstallation && (
            <button type="button" onClick={() => write(NEW_COMPANY)}>
              {t('admin.setup.newCompany')}
            </button>
          )}
        </div>
      )}
      {text !== null && (
        <SetupEditor
          text={text}
          write={write}
          onDone={(reported) => {
            write(null);
            setDone(reported);
          }}
        />
      )}
      {text === null && stored.isError && <ProblemNote error={stored.error} retry={() => void stored.refetch()} />}
      {text === null && companyKey !== null && stored.isPending && <p>{t('app.loading')}</p>}
      {text === null && stored.data !== undefined && (
        <Scrolled label={t('admin.setup.text')}>
          <pre>{stored.data}</pre>
        </Scrolled>
      )}
    </section>
  );
}

function LastApplied({ session, companyKey }: { session: Session; companyKey: string | null }) {
  const { data } = useLastApplied(companyKey, session.ofInstallation);
  if (data === undefined) return null;
  if (data === null) return <p class="quiet">{t('admin.setup.neverApplied')}</p>;
  const at = formatInstant(data.at, timeZoneOf(session));
  return <p>{t('admin.setup.applied', { at, who: data.actor })}</p>;
}
