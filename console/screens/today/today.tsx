import { useQuery } from '@tanstack/react-query';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { api, body, type Schema } from '../../api/client.ts';
import { type Session, timeZoneOf } from '../../api/session.ts';
import { formatDay, formatLeft, t } from '../../i18n/index.ts';
import { useKeys } from '../../ui/keys.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { countOf } from './counts.ts';
import { Funnel } from './funnel.tsx';
import { Health } from './health.tsx';
import { Imports } from './imports.tsx';
import { Work } from './work.tsx';

export type Overview = Schema['Overview'];

/** Deliveries, outages and imports come without an event of the company. */
const AGAIN_MS = 30_000;

/** Shows where the day stands: what is ahead, what needs a person, and who does not answer. */
export default function Today({ session }: { session: Session }) {
  const page = useRef<HTMLDivElement>(null);
  const overview = useQuery({
    queryKey: ['list', 'overview'],
    queryFn: () => body(api.GET('/api/v1/external/overview')),
    refetchInterval: AGAIN_MS,
  });
  const goTo = (key: string) => () =>
    page.current?.querySelector<HTMLElement>(`section[aria-keyshortcuts="${key}"]`)?.focus();
  useKeys(Object.fromEntries(['1', '2', '3', '4', '5', '6'].map((key) => [key, goTo(key)])));
  if (overview.isPending) return <p>{t('app.loading')}</p>;
  if (overview.isError) return <ProblemNote error={overview.error} retry={() => void overview.refetch()} />;
  const { data } = overview;
  const timeZone = timeZoneOf(session);
  return (
    <div ref={page}>
      <h1>{t('today.title', { day: formatDay(data.day) })}</h1>
      {!data.hasOrders && <p class="empty">{t('today.empty')}</p>}
      <Section title={t('today.funnel')} shortcut="1">
        <Funnel funnel={data.funnel} />
      </Section>
      <div class="columns">
        <Section title={t('today.attention')} shortcut="2">
          <Attention overview={data} />
        </Section>
        <Section title={t('today.held')} shortcut="3">
          <Held held={data.held} />
        </Section>
        <Section title={t('today.work')} shortcut="4">
          <Work overview={data} />
        </Section>
        <Section title={t('today.imports')} shortcut="5">
          <Imports overview={data} timeZone={timeZone} />
        </Section>
      </div>
      <Section title={t('today.health')} shortcut="6">
        <Health carriers={data.carriers} timeZone={timeZone} />
      </Section>
    </div>
  );
}

/** A part of the page that its key leads to. */
function Section({ title, shortcut, children }: { title: string; shortcut: string; children: ComponentChildren }) {
  return (
    <section aria-label={title} aria-keyshortcuts={shortcut} tabIndex={-1}>
      <h2>
        {title} <kbd>{shortcut}</kbd>
      </h2>
      {children}
    </section>
  );
}

/** Lists the reasons why a person is needed, oldest first. */
function Attention({ overview: { attention } }: { overview: Overview }) {
  if (attention.length === 0) return <p class="quiet">{t('today.attention.none')}</p>;
  return (
    <ul class="counts">
      {attention.map(({ reason, oldest, ...counted }) => (
        <li key={reason}>
          <Link href={`/desk?reason=${reason}`}>
            <strong>{countOf(counted)}</strong> {t(`desk.reason.${reason}`)}
          </Link>{' '}
          <span class="quiet">{t('today.oldest', { since: formatLeft(oldest.since) })}</span>
        </li>
      ))}
    </ul>
  );
}

/** Says how many parcels wait at depots, for how long, and what is known of the price. */
function Held({ held }: { held: Overview['held'] }) {
  const { open, decided, days, nextDeadline, billed } = held;
  if (open.count + decided.count === 0) return <p class="quiet">{t('today.held.none')}</p>;
  return (
    <>
      <p>
        <Link href="/desk?reason=held">{t('today.held.open', { count: countOf(open) })}</Link>
      </p>
      {decided.count > 0 && <p>{t('today.held.decided', { count: countOf(decided) })}</p>}
      <p>{t('today.held.days', { days })}</p>
      {nextDeadline !== null && <p class="warn">{t('today.held.deadline', { when: formatLeft(nextDeadline) })}</p>}
      {open.count > 0 && <p class="quiet">{t('today.held.billed', billed)}</p>}
    </>
  );
}
