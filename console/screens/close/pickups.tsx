import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'preact/hooks';
import { ApiError, api, body, type Schema } from '../../api/client.ts';
import { may, type Session, timeZoneOf } from '../../api/session.ts';
import { formatDay, t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { dayOf, nameOf, type OpenGroup } from './open-groups.ts';

type Pickup = Schema['Pickup'];

const PAGE = 100;
const TRIES = 3;
const AGAIN_MS = 2000;
const FROM = '14:00';
const TO = '18:00';

interface AskPickupProps {
  group: OpenGroup;
  timeZone: string;
  onEnd: () => void;
}

/** Asks the carrier for its courier, after saying what for. */
export function AskPickup({ group, timeZone, onEnd }: AskPickupProps) {
  const queries = useQueryClient();
  const today = dayOf(new Date(), timeZone);
  const ask = useMutation({
    mutationFn: ({ form, key }: { form: FormData; key: string }) => {
      const text = (name: string): string => String(form.get(name) ?? '').trim();
      return body(
        api.POST('/api/v1/external/pickups', {
          params: { header: { 'Idempotency-Key': key } },
          body: {
            carrierCompanyId: group.carrierCompanyId,
            warehouseId: group.warehouse?.id ?? null,
            date: text('date'),
            from: text('from'),
            to: text('to'),
            note: text('note'),
          },
        }),
      );
    },
    retry: (failures, error) => !(error instanceof ApiError) && failures < TRIES,
    onSuccess: onEnd,
    onSettled: () => queries.invalidateQueries({ queryKey: ['list', 'pickups'] }),
  });
  return (
    <AskDialog
      title={t('close.ask')}
      confirm={t('close.ask')}
      isPending={ask.isPending}
      error={ask.error}
      onConfirm={(form) => ask.mutate({ form, key: crypto.randomUUID() })}
      onEnd={onEnd}
    >
      <p>{t('close.askSure', { carrier: group.carrier.name, warehouse: group.warehouse?.name ?? '' })}</p>
      <p class="quiet">{nameOf(group)}</p>
      <label>
        {t('close.date')}
        <input name="date" type="date" min={today} defaultValue={today} required />
      </label>
      <label>
        {t('close.from')}
        <input name="from" type="time" defaultValue={FROM} required />
      </label>
      <label>
        {t('close.to')}
        <input name="to" type="time" defaultValue={TO} required />
      </label>
      <label>
        {t('desk.note')}
        <input name="note" maxLength={200} autoComplete="off" />
      </label>
    </AskDialog>
  );
}

/** Lists the couriers of today and later, newest first. */
export function Pickups({ session }: { session: Session }) {
  const list = useQuery({
    queryKey: ['list', 'pickups'],
    queryFn: () => body(api.GET('/api/v1/external/pickups', { params: { query: { limit: PAGE } } })),
    // No event tells that a carrier has answered.
    refetchInterval: ({ state: { data } }) => (data?.some(({ status }) => status === 'requested') ? AGAIN_MS : false),
  });
  const [cancelled, cancel] = useState<Pickup | null>(null);
  const today = dayOf(new Date(), timeZoneOf(session));
  const pickups = list.data?.filter(({ date }) => date >= today) ?? [];
  const isOpen = ({ status }: Pickup): boolean => status === 'booked' || status === 'unknown';
  return (
    <section>
      <h2>{t('close.pickups')}</h2>
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && pickups.length === 0 && <p class="empty">{t('close.noPickups')}</p>}
      <ul class="cards" aria-live="polite">
        {pickups.map((pickup) => (
          <li key={pickup.id}>
            <strong>{pickup.carrier.name}</strong> {formatDay(pickup.date)}, {pickup.from}–{pickup.to}{' '}
            <span class={`status ${TONES[pickup.status]}`}>{t(`close.pickup.${pickup.status}`)}</span>{' '}
            {pickup.confirmation && <code>{pickup.confirmation}</code>} {pickup.message}{' '}
            {may(session, 'pickups:write') && isOpen(pickup) && (
              <button type="button" onClick={() => cancel(pickup)}>
                {t('close.cancelPickup')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {cancelled && <CancelPickup pickup={cancelled} onEnd={() => cancel(null)} />}
    </section>
  );
}

const TONES = { requested: 'busy', booked: 'done', failed: 'bad', unknown: 'bad', cancelled: 'off' } as const;

function CancelPickup({ pickup, onEnd }: { pickup: Pickup; onEnd: () => void }) {
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => body(api.DELETE('/api/v1/external/pickups/{id}', { params: { path: { id: pickup.id } } })),
    onSuccess: onEnd,
    onSettled: () => queries.invalidateQueries({ queryKey: ['list', 'pickups'] }),
  });
  return (
    <AskDialog
      title={t('close.cancelPickup')}
      confirm={t('close.cancelPickup')}
      isDangerous
      isPending={cancel.isPending}
      error={cancel.error}
      onConfirm={() => cancel.mutate()}
      onEnd={onEnd}
    >
      <p>{t('close.cancelSure', { carrier: pickup.carrier.name, date: formatDay(pickup.date) })}</p>
      {pickup.status === 'unknown' && <p class="doubts">{t('close.cancelUnknown')}</p>}
    </AskDialog>
  );
}
