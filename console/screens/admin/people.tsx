import { useState } from 'preact/hooks';
import { type Session, timeZoneOf } from '../../api/session.ts';
import { formatInstant, t } from '../../i18n/index.ts';
import { useKeys } from '../../ui/keys.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Outcome, type Person, usePeople } from './admin-api.ts';
import { OutcomeNote } from './outcome-note.tsx';
import { PersonDialog, type PersonWish } from './person-dialog.tsx';

/** Lists the people of a company, and creates, disables and resets them. */
export function People({ session, companyKey }: { session: Session; companyKey: string }) {
  const list = usePeople(companyKey);
  const [wish, put] = useState<PersonWish | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const people = list.data ?? [];
  useKeys({ n: () => put({ kind: 'create' }) });
  return (
    <section>
      <h2>{t('admin.part.people')}</h2>
      <p class="quiet">{t('admin.roles')}</p>
      <div class="actions">
        <button type="button" class="main" aria-keyshortcuts="n" onClick={() => put({ kind: 'create' })}>
          {t('admin.person.create')} (n)
        </button>
      </div>
      {outcome && <OutcomeNote outcome={outcome} key={outcome.requestId} />}
      {list.isPending && <p>{t('app.loading')}</p>}
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && people.length === 0 && <p class="empty">{t('admin.noPeople')}</p>}
      <ul class="cards">
        {people.map((person) => (
          <li key={person.id}>
            <Row person={person} session={session} put={put} />
          </li>
        ))}
      </ul>
      {wish && (
        <PersonDialog
          wish={wish}
          session={session}
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

interface RowProps {
  person: Person;
  session: Session;
  put: (wish: PersonWish) => void;
}

function Row({ person, session, put }: RowProps) {
  const { email, name, role, hasTotp, lastLoginAt, disabledAt } = person;
  const at = (instant: string) => formatInstant(instant, timeZoneOf(session));
  const isSelf = email === session.email;
  return (
    <>
      <h3 class="wrapped">
        {email} {isSelf && <span class="quiet">{t('admin.you')}</span>}{' '}
        {disabledAt !== null && <span class="status off">{t('admin.disabledSince', { at: at(disabledAt) })}</span>}
      </h3>
      <dl class="facts">
        {name !== '' && (
          <>
            <dt>{t('admin.name')}</dt>
            <dd>{name}</dd>
          </>
        )}
        <dt>{t('admin.role')}</dt>
        <dd>{t(`admin.role.${role}`)}</dd>
        <dt>{t('admin.secondFactor')}</dt>
        <dd>{t(hasTotp ? 'admin.on' : 'admin.off')}</dd>
        <dt>{t('admin.lastLogin')}</dt>
        <dd>{lastLoginAt === null ? t('admin.never') : at(lastLoginAt)}</dd>
      </dl>
      <div class="actions">
        {/* A new password ends the own login, and the page that shows it. */}
        {!isSelf && (
          <button
            type="button"
            aria-label={`${t('admin.person.reset')}: ${email}`}
            onClick={() => put({ kind: 'reset', person })}
          >
            {t('admin.person.reset')}
          </button>
        )}
        {disabledAt === null && (
          <button
            type="button"
            class="danger"
            aria-label={`${t('admin.person.disable')}: ${email}`}
            onClick={() => put({ kind: 'disable', person })}
          >
            {t('admin.person.disable')}
          </button>
        )}
      </div>
    </>
  );
}
