import { Link } from 'wouter-preact';
import { formatLeft, t } from '../../i18n/index.ts';
import { countOf, ordersWith } from './counts.ts';
import type { Overview } from './today.tsx';

/** Lists the company's work that waits for a partner, oldest first. */
export function Work({ overview }: { overview: Overview }) {
  const { queues, carriers, imports } = overview;
  if (queues.length === 0) return <p class="quiet">{t('today.work.none')}</p>;
  const partnerOf = ({ carrierCompanyId, connectionId }: Overview['queues'][number]): string =>
    carriers.contracts.find((one) => one.carrierCompanyId === carrierCompanyId)?.carrier.name ??
    imports.find((one) => one.connectionId === connectionId)?.label ??
    t('today.work.noPartner');
  return (
    <ul class="counts">
      {queues.map(({ kind, oldestAt, ...work }) => (
        <li key={`${kind} ${work.carrierCompanyId} ${work.connectionId}`}>
          <Link href={ordersWith({ waitingFor: kind, carrierCompanyId: work.carrierCompanyId })}>
            <strong>{countOf(work)}</strong>{' '}
            {t('today.work.row', { kind: t(`today.kind.${kind}`), partner: partnerOf({ kind, oldestAt, ...work }) })}
          </Link>{' '}
          <span class="quiet">{t('today.oldest', { since: formatLeft(oldestAt) })}</span>
        </li>
      ))}
    </ul>
  );
}
