import { formatInstant, formatNumber, formatShare, t } from '../../i18n/index.ts';
import { Scrolled } from '../../ui/scrolled.tsx';
import { contractName } from './counts.ts';
import type { Overview } from './today.tsx';

type Carriers = Overview['carriers'];
type HealthPoint = Carriers['contracts'][number]['points'][number];

const BAR = 8;
const HEIGHT = 24;

/** Shows how each carrier answered within the last hour. */
export function Health({ carriers, timeZone }: { carriers: Carriers; timeZone: string }) {
  if (carriers.contracts.length === 0) return <p class="quiet">{t('today.health.none')}</p>;
  const isSilent = ({ calls, outage }: Carriers['contracts'][number]): boolean => calls === 0 && outage === null;
  const asked = carriers.contracts.filter((one) => !isSilent(one));
  const silent = carriers.contracts.filter(isSilent).map(contractName);
  return (
    <>
      {asked.length > 0 && <Answers contracts={asked} timeZone={timeZone} />}
      {silent.length > 0 && <p class="quiet">{t('today.health.unasked', { names: silent.join('; ') })}</p>}
    </>
  );
}

function Answers({ contracts, timeZone }: { contracts: Carriers['contracts']; timeZone: string }) {
  return (
    <Scrolled label={t('today.health.byCourier')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('today.courier')}</th>
            <th scope="col">{t('column.status')}</th>
            {(['calls', 'succeeded', 'p50', 'p95', 'budget'] as const).map((name) => (
              <th key={name} scope="col" class="number">
                {t(`today.health.${name}`)}
              </th>
            ))}
            <th scope="col">{t('today.health.hour')}</th>
          </tr>
        </thead>
        <tbody>
          {contracts.map((health) => (
            <tr key={health.carrierCompanyId}>
              <th scope="row">{contractName(health)}</th>
              <td>
                {health.outage === null ? (
                  <span class="quiet">{t('today.health.works')}</span>
                ) : (
                  <span class="bad">
                    {t('today.health.outage', { since: formatInstant(health.outage.since, timeZone) })}
                  </span>
                )}
              </td>
              <td class="number">{formatNumber(health.calls)}</td>
              <td class={`number ${health.failures > 0 ? 'bad' : ''}`}>{formatShare(health.succeeded)}</td>
              <td class="number">{duration(health.p50Ms)}</td>
              <td class="number">{duration(health.p95Ms)}</td>
              <td class="number">{formatShare(health.pollBudgetUsed)}</td>
              <td>
                <Chart points={health.points} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

function duration(ms: number | null): string {
  return ms === null ? '–' : t('today.health.ms', { ms: formatNumber(ms) });
}

/** Draws calls as bars with the failed ones below in another colour. The same numbers are its text. */
function Chart({ points }: { points: readonly HealthPoint[] }) {
  const most = Math.max(1, ...points.map(({ calls }) => calls));
  const text = points.map(({ calls, failures }) => (failures > 0 ? `${calls} (${failures})` : `${calls}`)).join(', ');
  const heightOf = (calls: number): number => (calls / most) * HEIGHT;
  return (
    <svg
      class="chart"
      role="img"
      aria-label={t('today.health.chart', { points: text })}
      viewBox={`0 0 ${points.length * BAR} ${HEIGHT}`}
      width={points.length * BAR}
      height={HEIGHT}
    >
      {points.map(({ calls, failures }, at) => (
        <g key={at}>
          <rect
            class="calls"
            x={at * BAR}
            y={HEIGHT - heightOf(calls)}
            width={BAR - 2}
            height={heightOf(calls - failures)}
          />
          <rect
            class="failures"
            x={at * BAR}
            y={HEIGHT - heightOf(failures)}
            width={BAR - 2}
            height={heightOf(failures)}
          />
        </g>
      ))}
    </svg>
  );
}
