import { formatDay, formatInstant, formatNumber, formatShare, t } from '../../i18n/index.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { contractName } from '../today/counts.ts';
import type { Contract } from './carriers-api.ts';

interface ContractFactsProps {
  contract: Contract;
  timeZone: string;
  isChosen: boolean;
  isAlone: boolean;
  /** Null: the person may only look. */
  check: (() => void) | null;
  choose: () => void;
}

/** Shows one contract: whether its carrier answers, and by which price list it is priced. */
export function ContractFacts({ contract, timeZone, isChosen, isAlone, check, choose }: ContractFactsProps) {
  const { outage, lastHour, polls, tariff, services, isVerifiable } = contract;
  const name = contractName(contract);
  return (
    <section class="shop" aria-label={name} aria-current={isChosen && !isAlone ? 'true' : undefined}>
      <h2>{name}</h2>
      <p>
        <Status contract={contract} />
      </p>
      {outage && (
        <p class="problem">
          {t(`carriers.silent.${outage.silent}`, { since: formatInstant(outage.since, timeZone) })} {outage.error}
        </p>
      )}
      <dl class="facts">
        <dt>{t('carriers.credentials')}</dt>
        <dd>
          <Credentials contract={contract} timeZone={timeZone} />
        </dd>
        <dt>{t('carriers.calls')}</dt>
        <dd>{formatNumber(lastHour.calls)}</dd>
        {lastHour.calls > 0 && (
          <>
            <dt>{t('today.health.succeeded')}</dt>
            <dd class={lastHour.failures > 0 ? 'bad' : ''}>{formatShare(lastHour.succeeded)}</dd>
            <dt>{t('carriers.times')}</dt>
            <dd>
              {t('carriers.ms', { p50: formatNumber(lastHour.p50Ms ?? 0), p95: formatNumber(lastHour.p95Ms ?? 0) })}
            </dd>
          </>
        )}
        <dt>{t('carriers.polls')}</dt>
        <dd>
          {polls === null
            ? t('carriers.notPolled')
            : t('carriers.budget', {
                used: formatShare(polls.used),
                perMinute: formatNumber(polls.perMinute),
              })}
        </dd>
        <dt>{t('carriers.priceList')}</dt>
        <dd>{tariff?.inForce ? <ListHead head={tariff.inForce} /> : t('carriers.noList')}</dd>
        {tariff?.next && (
          <>
            <dt>{t('carriers.nextList')}</dt>
            <dd>
              <ListHead head={tariff.next} />
            </dd>
          </>
        )}
      </dl>
      {services.length > 0 && (
        <Disclosure
          title={t('carriers.services', { count: services.length })}
          content={() => (
            <ul>
              {services.map(({ code, name: service }) => (
                <li key={code}>
                  <code>{code}</code> {service}
                </li>
              ))}
            </ul>
          )}
        />
      )}
      <div class="actions">
        {check && isVerifiable && (
          <button type="button" aria-keyshortcuts={isChosen ? 'v' : undefined} onClick={check}>
            {t('carriers.check')} {isChosen && <kbd>v</kbd>}
          </button>
        )}
        {!isAlone && !isChosen && (
          <button type="button" onClick={choose}>
            {t('carriers.choose')}
            <span class="hidden"> {name}</span>
          </button>
        )}
      </div>
    </section>
  );
}

function Status({ contract: { isConnected, outage, lastCheck } }: { contract: Contract }) {
  if (!isConnected) return <span class="status off">{t('carriers.off')}</span>;
  if (outage) return <span class="status bad">{t('carriers.outage')}</span>;
  if (lastCheck?.status === 'failed') return <span class="status bad">{t('carriers.checkFailed')}</span>;
  return <span class="status done">{t('carriers.on')}</span>;
}

function Credentials({ contract, timeZone }: { contract: Contract; timeZone: string }) {
  const { isVerifiable, lastCheck } = contract;
  if (!isVerifiable) return <>{t('carriers.unverifiable')}</>;
  if (lastCheck === null) return <>{t('carriers.neverChecked')}</>;
  if (lastCheck.checkedAt === null) return <>{t('carriers.checking')}</>;
  const at = formatInstant(lastCheck.checkedAt, timeZone);
  if (lastCheck.status !== 'failed') return <span class="good">{t('carriers.acceptedAt', { at })}</span>;
  return (
    <span class="bad">
      {t(`carriers.failed.${lastCheck.reason ?? 'refused'}`, { at })} {lastCheck.error}
    </span>
  );
}

function ListHead({ head }: { head: NonNullable<NonNullable<Contract['tariff']>['inForce']> }) {
  const { name, from, to, prices } = head;
  const since = from === null ? t('carriers.always') : t('carriers.from', { day: formatDay(from) });
  const until = to === null ? '' : t('carriers.until', { day: formatDay(to) });
  return (
    <>
      {name} ({[since, until].filter(Boolean).join(' ')}, {t('carriers.rows', { count: formatNumber(prices) })})
    </>
  );
}
