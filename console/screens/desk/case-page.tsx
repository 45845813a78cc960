import { Link } from 'wouter-preact';
import { type Session, timeZoneOf } from '../../api/session.ts';
import { currentLanguage, formatInstant, formatLeft, t } from '../../i18n/index.ts';
import type { Case, Stay } from './cases.ts';
import { PortalSteps } from './decision-dialog.tsx';
import { Evidence } from './evidence.tsx';
import { consequencesOf, mayDecide, nameOf, type Option } from './options.ts';

interface CasePageProps {
  one: Case;
  options: readonly Option[];
  session: Session;
  choose: (option: Option) => void;
}

/** Shows everything that a person needs to decide one case. */
export function CasePage({ one, options, session, choose }: CasePageProps) {
  const timeZone = timeZoneOf(session);
  return (
    <article class="case" aria-labelledby="case-name">
      <h2 id="case-name">
        <Link href={`/orders/${one.orderId}`}>{t('order.title', { number: one.orderNumber })}</Link>
      </h2>
      <p>
        {one.carrierName} <code>{one.trackingNumber}</code>{' '}
        <span class="quiet">
          {t('desk.reference')} <code>{one.reference}</code>
        </span>
      </p>
      {one.attention && (
        <section>
          <h3>{t('desk.reasons')}</h3>
          <ul class="cards">
            {one.attention.reasons.map(({ reason, message, since }) => (
              <li key={reason}>
                <strong>{t(`desk.reason.${reason}`)}</strong>{' '}
                <span class="quiet">{t('desk.since', { at: formatInstant(since, timeZone) })}</span>
                <br />
                {reason === 'held' && one.stay ? one.stay.reason.explanation[currentLanguage()] : message}
              </li>
            ))}
          </ul>
        </section>
      )}
      {one.stay && <HeldFacts stay={one.stay} timeZone={timeZone} />}
      <section>
        <h3>{one.group === 'decided' ? t('desk.correct') : t('desk.choices')}</h3>
        {options.length === 0 && <p>{t('desk.noChoices')}</p>}
        <ol class="choices">
          {options.map((option, index) => (
            <li key={nameOf(option)}>
              {mayDecide(session, option) ? (
                <button type="button" aria-keyshortcuts={String(index + 1)} onClick={() => choose(option)}>
                  <kbd>{index + 1}</kbd> {nameOf(option)}
                </button>
              ) : (
                <strong>{nameOf(option)}</strong>
              )}{' '}
              <span>{consequencesOf(option, one.carrierName).join(' ')}</span>
            </li>
          ))}
        </ol>
        {options.length > 0 && !options.some((option) => mayDecide(session, option)) && (
          <p class="quiet">{t('desk.readOnly')}</p>
        )}
      </section>
      {one.attention && <Evidence attention={one.attention} session={session} />}
    </article>
  );
}

function HeldFacts({ stay, timeZone }: { stay: Stay; timeZone: string }) {
  const { reason, since, opensAt, deadline, deadlineSource, byDefault, task, decision, portalSteps } = stay;
  const at = (iso: string): string => formatInstant(iso, timeZone);
  return (
    <section>
      <h3>{t('desk.held')}</h3>
      <p>
        {reason.explanation[currentLanguage()]} {reason.advice[currentLanguage()]}
      </p>
      {reason.text && (
        <p class="quiet">
          {t('desk.carrierSays', { text: reason.text })} <code>{reason.code}</code>
        </p>
      )}
      <p>
        {since && t('desk.heldSince', { at: at(since) })} {!since && opensAt && t('desk.opensAt', { at: at(opensAt) })}{' '}
        {since && (
          <strong>
            {deadline ? t('desk.deadline', { at: at(deadline), left: formatLeft(deadline) }) : t('desk.noDeadline')}
          </strong>
        )}{' '}
        {since && t(`desk.default.${byDefault ?? 'unknown'}`)} {deadlineSource === 'rule' && t('desk.byRule')}
      </p>
      {stay.isReleasable === false && <p class="problem">{t('desk.notReleasable')}</p>}
      {task && !decision && (
        <>
          <p class="doubts">
            {t('desk.task', { action: t(`desk.action.${task.action}`), at: at(task.askedAt), note: task.note })}
          </p>
          <PortalSteps steps={portalSteps ?? []} />
        </>
      )}
      {decision && (
        <p>
          {t('desk.decision', {
            action: t(`desk.action.${decision.action}`),
            at: at(decision.decidedAt),
            note: decision.note,
          })}{' '}
          {!decision.isCertain && t('desk.uncertain')}
          <br />
          <span class="quiet">{t('problem.request', { id: decision.requestId })}</span>
        </p>
      )}
    </section>
  );
}
