import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Session } from '../../api/session.ts';
import { t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import {
  createPerson,
  disablePerson,
  type NewPerson,
  type Outcome,
  type Person,
  peopleKey,
  readPeople,
  resetPerson,
} from './admin-api.ts';
import { LostAnswer } from './lost-answer.tsx';

export type PersonWish = { kind: 'create' } | { kind: 'reset' | 'disable'; person: Person };

const ROLES = ['viewer', 'operator', 'admin'] as const;

interface PersonDialogProps {
  wish: PersonWish;
  session: Session;
  companyKey: string;
  onDone: (outcome: Outcome) => void;
  onEnd: () => void;
}

/** Says what will happen to a person as the list is now, and does it. */
export function PersonDialog({ wish, session, companyKey, onDone, onEnd }: PersonDialogProps) {
  const queries = useQueryClient();
  const now = useQuery({
    queryKey: ['list', 'admin', 'plan', companyKey],
    queryFn: () => readPeople(companyKey),
    staleTime: 0,
    gcTime: 0,
  });
  const person = wish.kind === 'create' ? null : now.data?.find(({ id }) => id === wish.person.id);
  const done = useMutation({
    // The answer may hold a password, so nothing keeps it but the note.
    gcTime: 0,
    mutationFn: (form: FormData) => carryOut(wish, companyKey, form),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: peopleKey(companyKey) }),
  });
  const title = t(`admin.person.${wish.kind}`);
  return (
    <AskDialog
      title={title}
      confirm={title}
      isDangerous={wish.kind === 'disable'}
      isPending={done.isPending || (wish.kind !== 'create' && !person)}
      error={done.error instanceof TypeError ? null : (done.error ?? now.error)}
      onConfirm={(form) => done.mutate(form)}
      onEnd={onEnd}
    >
      <LostAnswer error={done.error} />
      {wish.kind === 'create' && <NewPersonFields />}
      {wish.kind !== 'create' && now.isPending && <p>{t('app.loading')}</p>}
      {wish.kind === 'reset' && person && <ResetWords person={person} />}
      {wish.kind === 'disable' && person && <DisableWords person={person} people={now.data ?? []} session={session} />}
    </AskDialog>
  );
}

async function carryOut(wish: PersonWish, companyKey: string, form: FormData): Promise<Outcome> {
  if (wish.kind === 'create') {
    const email = String(form.get('email')).trim();
    const role = String(form.get('role')) as NewPerson['role'];
    const done = await createPerson(companyKey, { email, role, name: String(form.get('name')).trim() });
    return { ...done, words: t('admin.person.created', { email }) };
  }
  const { id, email } = wish.person;
  if (wish.kind === 'reset') {
    return { ...(await resetPerson(companyKey, id)), words: t('admin.person.wasReset', { email }) };
  }
  return { ...(await disablePerson(companyKey, id)), words: t('admin.person.wasDisabled', { email }) };
}

function NewPersonFields() {
  return (
    <>
      <p>{t('admin.person.createSure')}</p>
      <label>
        {t('login.email')}
        <input name="email" type="email" maxLength={254} autoComplete="off" required />
      </label>
      <label>
        {t('admin.name')}
        <input name="name" maxLength={100} autoComplete="off" />
      </label>
      <fieldset class="parcels">
        <legend>{t('admin.role')}</legend>
        {ROLES.map((role) => (
          <label key={role}>
            <input name="role" type="radio" value={role} defaultChecked={role === 'operator'} />{' '}
            {t(`admin.role.${role}`)} <span class="quiet">{t(`admin.may.${role}`)}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
}

function ResetWords({ person: { email, hasTotp, disabledAt } }: { person: Person }) {
  return (
    <>
      <p>{t('admin.person.resetSure', { email })}</p>
      {hasTotp && <p class="doubts">{t('admin.person.resetFactor')}</p>}
      {disabledAt !== null && <p class="doubts">{t('admin.person.resetEnables')}</p>}
    </>
  );
}

interface DisableWordsProps {
  person: Person;
  people: Person[];
  session: Session;
}

function DisableWords({ person, people, session }: DisableWordsProps) {
  const isSelf = person.email === session.email;
  const admins = people.filter(({ role, disabledAt }) => role === 'admin' && disabledAt === null);
  const isLast = person.role === 'admin' && admins.length === 1;
  return (
    <>
      <p>{t('admin.person.disableSure', { email: person.email })}</p>
      {isSelf && <p class="doubts">{t('admin.person.disableSelf')}</p>}
      {isLast && <p class="doubts">{t('admin.person.disableLast')}</p>}
      {(isSelf || isLast) && (
        <label>
          <input type="checkbox" name="sure" required /> {t('admin.person.aware')}
        </label>
      )}
    </>
  );
}
