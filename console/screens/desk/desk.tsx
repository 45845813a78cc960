import { useEffect, useRef, useState } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { type Session, timeZoneOf } from '../../api/session.ts';
import { formatInstant, hasText, t } from '../../i18n/index.ts';
import { useKeys } from '../../ui/keys.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { CasePage } from './case-page.tsx';
import { type Case, GROUPS, useCases } from './cases.ts';
import { type Asked, DecisionDialog } from './decision-dialog.tsx';
import { Decisions, type Taken } from './decisions.tsx';
import { mayDecide, optionsOf } from './options.ts';

const REMEMBERED = 3;
const KEYS = 9;

/** Returns the reason in the address that the queue is narrowed to; null: there is none, or an unknown one. */
function reasonOf(address: URLSearchParams): { code: string; name: string } | null {
  const code = address.get('reason') ?? '';
  const key = `desk.reason.${code}`;
  return hasText(key) ? { code, name: t(key) } : null;
}

function hasReason({ attention }: Case, code: string): boolean {
  return attention?.reasons.some(({ reason }) => reason === code) ?? false;
}

/** Everything that needs a person, in one queue. The opened case is in the address, so a link leads to it. */
export default function Desk({ session }: { session: Session }) {
  const cases = useCases(session);
  const [query, setQuery] = useSearchParams();
  const [asked, ask] = useState<Asked | null>(null);
  const [taken, setTaken] = useState<readonly Taken[]>([]);
  const reason = reasonOf(query);
  const queue = (cases.data ?? []).filter((one) => reason === null || hasReason(one, reason.code));
  const wanted = Number(query.get('shipment')) || null;
  const open = (id: number): void =>
    setQuery({ ...(reason === null ? {} : { reason: reason.code }), shipment: String(id) }, { replace: true });
  const { at, gone } = usePlace(queue, wanted, taken);
  const current = queue[at];
  const options = current ? optionsOf(current) : [];
  const isChangeable = (id: number): boolean => queue.some((one) => one.id === id && one.group === 'decided');
  const move = (to: number): void => {
    const next = queue[Math.max(0, Math.min(to, queue.length - 1))];
    if (next) open(next.id);
  };
  const choose = (number: number): void => {
    const option = options[number - 1];
    if (current && option && mayDecide(session, option)) ask({ about: current, option });
  };
  const last = taken[0]?.about.id;
  useKeys({
    j: () => move(at + 1),
    k: () => move(at - 1),
    u: () => last !== undefined && isChangeable(last) && open(last),
    ...Object.fromEntries(Array.from({ length: KEYS }, (_, index) => [String(index + 1), () => choose(index + 1)])),
  });
  return (
    <>
      <h1>{t('desk.title')}</h1>
      {reason !== null && (
        <p>
          {t('orders.filtered', { filters: reason.name })} <Link href="/desk">{t('orders.unfilter')}</Link>
        </p>
      )}
      <Decisions taken={taken} change={open} isChangeable={isChangeable} />
      {gone && <p role="status">{t('desk.gone', { number: gone.orderNumber })}</p>}
      {cases.isPending && <p>{t('app.loading')}</p>}
      {cases.isError && <ProblemNote error={cases.error} retry={() => void cases.refetch()} />}
      {cases.isSuccess && queue.length === 0 && <p class="empty">{t('desk.empty')}</p>}
      {current && (
        <div class="desk">
          <Queue queue={queue} current={current} session={session} open={open} />
          <CasePage
            key={current.id}
            one={current}
            options={options}
            session={session}
            choose={(option) => ask({ about: current, option })}
          />
        </div>
      )}
      {asked && (
        <DecisionDialog
          asked={asked}
          onEnd={() => ask(null)}
          onDecided={(decided) => {
            setTaken([{ ...asked, decided }, ...taken].slice(0, REMEMBERED));
            ask(null);
            const others = queue.filter((one) => one.group === 'open' && one.id !== asked.about.id);
            const next = others.find((one) => queue.indexOf(one) > at) ?? others[0];
            if (next && asked.about.id === current?.id) open(next.id);
          }}
        />
      )}
    </>
  );
}

/**
 * Finds the opened case. When it left the queue, the next one takes its place, and `gone` names it unless this person
 * decided it.
 */
function usePlace(queue: readonly Case[], wanted: number | null, taken: readonly Taken[]) {
  const before = useRef<{ at: number; one: Case | undefined }>({ at: 0, one: undefined });
  const [gone, setGone] = useState<Case | null>(null);
  const placeOf = (id: number | null | undefined): number => queue.findIndex((one) => one.id === id);
  const [found = Math.max(0, Math.min(before.current.at, queue.length - 1))] = [
    placeOf(wanted),
    placeOf(before.current.one?.id),
  ].filter((place) => place >= 0);
  const current = queue[found];
  useEffect(() => {
    const last = before.current.one;
    before.current = { at: found, one: current };
    if (!last || last.id === current?.id) return;
    const isGone = placeOf(last.id) < 0 && !taken.some(({ about }) => about.id === last.id);
    setGone(isGone ? last : null);
  });
  return { at: found, gone };
}

interface QueueProps {
  queue: readonly Case[];
  current: Case;
  session: Session;
  open: (id: number) => void;
}

function Queue({ queue, current, session, open }: QueueProps) {
  const here = useRef<HTMLButtonElement>(null);
  useEffect(() => here.current?.scrollIntoView({ block: 'nearest' }), [current.id]);
  return (
    <nav aria-label={t('desk.queue')} class="queue">
      <p class="quiet">{t('desk.keys')}</p>
      {GROUPS.map((group) => {
        const own = queue.filter((one) => one.group === group);
        if (own.length === 0) return null;
        return (
          <section key={group}>
            <h2>{t(`desk.group.${group}`, { count: own.length })}</h2>
            <ol>
              {own.map((one) => (
                <li key={one.id}>
                  <button
                    ref={one.id === current.id ? here : null}
                    type="button"
                    aria-current={one.id === current.id || undefined}
                    onClick={() => open(one.id)}
                  >
                    <strong>{one.orderNumber}</strong> {headlineOf(one)}
                    <span class="quiet">
                      {' '}
                      {one.carrierName}, {formatInstant(one.since, timeZoneOf(session))}
                    </span>
                  </button>
                </li>
              ))}
            </ol>
          </section>
        );
      })}
    </nav>
  );
}

function headlineOf({ attention, stay }: Case): string {
  if (attention) return attention.reasons.map(({ reason }) => t(`desk.reason.${reason}`)).join(', ');
  if (stay?.decision) return t('desk.decided', { action: t(`desk.action.${stay.decision.action}`) });
  return t('desk.announced');
}
