import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatNumber, t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import {
  carryOut,
  type Endpoint,
  type EventType,
  type Outcome,
  TYPES,
  usePlan,
  type Values,
  type Wish,
} from './events-api.ts';
import { typesOf } from './words.ts';

interface EndpointDialogProps {
  wish: Wish;
  onDone: (outcome: Outcome) => void;
  onEnd: () => void;
}

/** Says what will happen to an endpoint as it is now, asks for what that needs, and does it. */
export function EndpointDialog({ wish, onDone, onEnd }: EndpointDialogProps) {
  const queries = useQueryClient();
  const plan = usePlan(wish);
  // A lost answer is asked for again; a refused request is asked with other values.
  const key = useRef(crypto.randomUUID());
  const done = useMutation({
    mutationFn: (values: Values) => carryOut(plan.data ?? wish, values, key.current),
    onSuccess: onDone,
    onError: () => {
      key.current = crypto.randomUUID();
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['list', 'endpoints'] }),
  });
  const title = t(`events.${wish.kind}`);
  const isGone = plan.isSuccess && plan.data === null;
  return (
    <AskDialog
      title={title}
      confirm={title}
      isDangerous={wish.kind === 'delete'}
      isPending={done.isPending || plan.isPending || isGone}
      error={done.error ?? plan.error}
      onConfirm={(form) => done.mutate(valuesOf(form))}
      onEnd={onEnd}
    >
      {plan.isPending && <p>{t('app.loading')}</p>}
      {isGone && <p class="doubts">{t('events.deleted')}</p>}
      {plan.data && <Plan wish={plan.data} />}
      {done.isPending && <p role="status">{t('events.doing')}</p>}
    </AskDialog>
  );
}

function valuesOf(form: FormData): Values {
  const number = (name: string): number | null => {
    const text = String(form.get(name) ?? '').trim();
    return text === '' ? null : Number(text);
  };
  const types = form.getAll('types').map(String) as EventType[];
  return {
    url: String(form.get('url') ?? '').trim(),
    types: form.get('all') === 'on' ? null : types,
    after: number('after'),
    from: number('from') ?? 1,
    to: number('to'),
  };
}

function Plan({ wish }: { wish: Wish }) {
  if (wish.kind === 'create') {
    return (
      <>
        <p>{t('events.createSure')}</p>
        <Fields url="" types={null} />
      </>
    );
  }
  const { endpoint } = wish;
  const { url, deliveredSequence, lastSequence, status } = endpoint;
  const last = formatNumber(deliveredSequence);
  const waiting = lastSequence - deliveredSequence;
  switch (wish.kind) {
    case 'change':
      return (
        <>
          <p>{t('events.changeSure', { last })}</p>
          {status === 'disabled' && endpoint.disabled?.reason !== 'switched-off' && (
            <p class="doubts">{t('events.changeEnables')}</p>
          )}
          <p class="quiet">{t('events.changeEnd')}</p>
          <Fields url={url} types={endpoint.types} />
        </>
      );
    case 'test':
      return <p>{t('events.testSure', { url })}</p>;
    case 'enable':
      return <EnableFields endpoint={endpoint} />;
    case 'disable':
      return (
        <>
          <p>{t('events.disableSure', { url })}</p>
          {endpoint.replay && <p class="doubts">{t('events.dropsReplay')}</p>}
        </>
      );
    case 'rotate':
      return (
        <>
          <p>{t('events.rotateSure', { url })}</p>
          {endpoint.secrets.length > 1 && <p class="doubts">{t('events.rotateTwice')}</p>}
        </>
      );
    case 'replay':
      return <ReplayFields endpoint={endpoint} />;
    case 'delete':
      return (
        <>
          <p>{t('events.deleteSure', { url })}</p>
          {waiting > 0 && <p class="doubts">{t('events.deleteWaiting', { count: formatNumber(waiting) })}</p>}
        </>
      );
  }
}

/** Gives a field the focus when it appears, which may be after the dialog. */
function useFirst() {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  return field;
}

function EnableFields({ endpoint: { url, deliveredSequence, lastSequence, replay } }: { endpoint: Endpoint }) {
  const count = formatNumber(lastSequence - deliveredSequence);
  return (
    <>
      <p>{t('events.enableSure', { url, next: formatNumber(deliveredSequence + 1), count })}</p>
      {replay && <p class="doubts">{t('events.dropsReplay')}</p>}
      <label>
        {t('events.after')}
        <input name="after" type="number" min={0} max={lastSequence} step={1} />
      </label>
    </>
  );
}

function ReplayFields({ endpoint: { url, deliveredSequence, types } }: { endpoint: Endpoint }) {
  const first = useFirst();
  return (
    <>
      <p>{t('events.replaySure', { url, last: formatNumber(deliveredSequence) })}</p>
      <p class="quiet">{t('events.replayTypes', { types: typesOf({ types }) })}</p>
      <label>
        {t('events.from')}
        <input ref={first} name="from" type="number" min={1} max={deliveredSequence} step={1} required />
      </label>
      <label>
        {t('events.to')}
        <input
          name="to"
          type="number"
          min={1}
          max={deliveredSequence}
          step={1}
          defaultValue={String(deliveredSequence)}
        />
      </label>
    </>
  );
}

/** Asks for the address and the types. */
function Fields({ url, types }: { url: string; types: EventType[] | null }) {
  const [isAll, setAll] = useState(types === null);
  const first = useFirst();
  return (
    <>
      <label>
        {t('events.url')}
        <input ref={first} name="url" type="url" maxLength={2000} defaultValue={url} autoComplete="off" required />
      </label>
      <fieldset class="parcels">
        <legend>{t('events.types')}</legend>
        <label>
          <input
            name="all"
            type="checkbox"
            checked={isAll}
            onChange={({ currentTarget }) => setAll(currentTarget.checked)}
          />{' '}
          {t('events.allTypes')}
        </label>
        {!isAll &&
          TYPES.map((type) => (
            <label key={type}>
              <input name="types" type="checkbox" value={type} defaultChecked={types?.includes(type) ?? false} />{' '}
              {t(`events.type.${type}`)} <code class="quiet">{type}</code>
            </label>
          ))}
      </fieldset>
    </>
  );
}
