import { Link } from 'wouter-preact';
import { t } from '../../i18n/index.ts';
import { Scrolled } from '../../ui/scrolled.tsx';
import { contractName, countOf, ordersWith } from './counts.ts';
import type { Overview } from './today.tsx';

type FunnelOf = Overview['funnel'];
type Stages = FunnelOf['total'];

/** Shows how far the parcels of each courier are. Every number leads to its orders. */
export function Funnel({ funnel }: { funnel: FunnelOf }) {
  const { total, withoutContract, refused } = funnel;
  const isIdle = ({ stages, pickups }: FunnelOf['contracts'][number]): boolean =>
    pickups.length === 0 && stages.every(({ count }) => count === 0);
  const contracts = funnel.contracts.filter((one) => !isIdle(one));
  const idle = funnel.contracts.filter(isIdle).map(contractName);
  return (
    <>
      <Scrolled label={t('today.byCourier')}>
        <table class="funnel">
          <thead>
            <tr>
              <th scope="col">{t('today.courier')}</th>
              {total.map(({ stage }) => (
                <th key={stage} scope="col" class="number">
                  {t(`today.stage.${stage}`)}
                </th>
              ))}
              <th scope="col">{t('today.pickup')}</th>
            </tr>
          </thead>
          <tbody>
            <tr class="total">
              <th scope="row">{t('today.all')}</th>
              <Numbers stages={total} contractId={null} />
              <td class="zero" />
            </tr>
            {contracts.map(({ carrierCompanyId, stages, pickups, ...contract }) => (
              <tr key={carrierCompanyId}>
                <th scope="row">{contractName(contract)}</th>
                <Numbers stages={stages} contractId={carrierCompanyId} />
                <td data-label={t('today.pickup')}>
                  {pickups.length === 0 && <span class="quiet">{t('today.noPickup')}</span>}
                  {pickups.map(({ id, status, from, to }) => (
                    <Link key={id} href="/close">
                      {t('today.pickupAt', { from, to, status: t(`close.pickup.${status}`) })}
                    </Link>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {idle.length > 0 && <p class="quiet">{t('today.idle', { names: idle.join('; ') })}</p>}
      {withoutContract.count > 0 && <p>{t('today.withoutContract', { count: countOf(withoutContract) })}</p>}
      {refused.count > 0 && (
        <p>
          <Link class="bad" href={ordersWith({ status: 'error' })}>
            {t('today.refused', { count: countOf(refused) })}
          </Link>
        </p>
      )}
    </>
  );
}

function Numbers({ stages, contractId }: { stages: Stages; contractId: number | null }) {
  return (
    <>
      {stages.map(({ stage, ...counted }) => (
        <td key={stage} class={`number ${counted.count === 0 ? 'zero' : ''}`} data-label={t(`today.stage.${stage}`)}>
          {counted.count === 0 ? (
            <span class="quiet">0</span>
          ) : (
            <Link href={ordersWith({ stage, carrierCompanyId: contractId })}>{countOf(counted)}</Link>
          )}
        </td>
      ))}
    </>
  );
}
