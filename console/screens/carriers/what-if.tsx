import { useMutation } from '@tanstack/react-query';
import { formatMoney, formatNumber, t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import { type Contract, readWhatIf, type Side, type WhatIf, type WhatIfQuestion } from './carriers-api.ts';

const CURRENCY = 'EUR';
const BAR = 120;
const THICK = 7;

export const WHAT_IF_BUTTON = 'what-if';

/** Prices past shipments on a contract, by carrier and province. */
export function WhatIfPrices({ contract, timeZone }: { contract: Contract; timeZone: string }) {
  const asked = useMutation({ mutationFn: (question: WhatIfQuestion) => readWhatIf(contract, question) });
  const { from, to } = lastMonth(new Date(), timeZone);
  if (contract.tariff === null) return null;
  return (
    <section>
      <h2>{t('carriers.whatIf')}</h2>
      <p class="quiet">{t('carriers.whatIfHint')}</p>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget);
          const text = (name: string) => String(fields.get(name) ?? '');
          asked.mutate({ from: text('from'), to: text('to'), pricesOf: text('pricesOf'), side: text('side') as Side });
        }}
      >
        <label>
          {t('carriers.whatIfFrom')}
          <input type="date" name="from" required defaultValue={from} />
        </label>
        <label>
          {t('carriers.whatIfTo')}
          <input type="date" name="to" required defaultValue={to} />
        </label>
        <label>
          {t('carriers.pricesOf')}
          <input type="date" name="pricesOf" defaultValue={contract.tariff.next?.from ?? ''} />
        </label>
        <label>
          {t('carriers.side')}
          <select name="side">
            <option value="sale">{t('carriers.side.sale')}</option>
            <option value="purchase">{t('carriers.side.purchase')}</option>
          </select>
        </label>
        <button id={WHAT_IF_BUTTON} type="submit" aria-disabled={asked.isPending} aria-keyshortcuts="w">
          {t('carriers.workOut')} <kbd>w</kbd>
        </button>
      </form>
      {asked.isPending && <p role="status">{t('carriers.pricing')}</p>}
      {asked.isError && <ProblemNote error={asked.error} />}
      {asked.data && <Result result={asked.data} />}
    </section>
  );
}

function Result({ result: { rows, total, left, isCapped } }: { result: WhatIf }) {
  const most = Math.max(1, ...rows.flatMap(({ now, then }) => [Number(now), Number(then)]));
  const money = (amount: number | string) => formatMoney(amount, CURRENCY);
  if (rows.length === 0 && left.length === 0) return <p class="empty">{t('carriers.noShipments')}</p>;
  return (
    <>
      <p role="status" class="calm">
        {t('carriers.total', {
          shipments: formatNumber(total.shipments),
          now: money(total.now),
          then: money(total.then),
          difference: signed(Number(total.then) - Number(total.now)),
        })}
      </p>
      {isCapped && <p class="doubts">{t('carriers.capped')}</p>}
      {rows.length > 0 && (
        <Scrolled label={t('carriers.whatIf')}>
          <table class="stacked">
            <thead>
              <tr>
                <th scope="col">{t('today.courier')}</th>
                <th scope="col">{t('carriers.province')}</th>
                <th scope="col">
                  {t('carriers.bars')} <span class="quiet">{t('carriers.legend')}</span>
                </th>
                {(['shipments', 'now', 'then', 'difference'] as const).map((name) => (
                  <th key={name} scope="col" class="number">
                    {t(`carriers.${name}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={[row.carrierCompanyId, row.countryCode, row.province].join(' ')}>
                  <td data-name={t('today.courier')}>{row.contractLabel}</td>
                  <td data-name={t('carriers.province')}>{row.province ?? row.countryCode}</td>
                  <td data-name={t('carriers.bars')}>
                    <Bars now={Number(row.now) / most} then={Number(row.then) / most} />
                  </td>
                  <td class="number" data-name={t('carriers.shipments')}>
                    {formatNumber(row.shipments)}
                  </td>
                  <td class="number" data-name={t('carriers.now')}>
                    {money(row.now)}
                  </td>
                  <td class="number" data-name={t('carriers.then')}>
                    {money(row.then)}
                  </td>
                  <td class="number" data-name={t('carriers.difference')}>
                    {signed(Number(row.then) - Number(row.now))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
      {left.length > 0 && (
        <>
          <h3>{t('carriers.left')}</h3>
          <ul class="wrapped">
            {left.map(({ reason, shipments }) => (
              <li key={reason}>
                {formatNumber(shipments)}: {reason}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** The table has the same figures as text. */
function Bars({ now, then }: { now: number; then: number }) {
  return (
    <svg class="chart" aria-hidden="true" viewBox={`0 0 ${BAR} ${2 * THICK + 2}`} width={BAR} height={2 * THICK + 2}>
      <rect class="past" x={0} y={0} width={now * BAR} height={THICK} />
      <rect class="calls" x={0} y={THICK + 2} width={then * BAR} height={THICK} />
    </svg>
  );
}

function signed(amount: number): string {
  return `${amount > 0 ? '+' : ''}${formatMoney(amount, CURRENCY)}`;
}

/** Returns the first and the last day of the month before, in the time zone of the company. */
function lastMonth(now: Date, timeZone: string): { from: string; to: string } {
  const [year = 0, month = 1] = new Intl.DateTimeFormat('en-CA', { timeZone }).format(now).split('-').map(Number);
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  return { from: day(Date.UTC(year, month - 2, 1)), to: day(Date.UTC(year, month - 1, 0)) };
}
