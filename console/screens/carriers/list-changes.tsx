import { formatMoney, formatNumber, t } from '../../i18n/index.ts';
import { Scrolled } from '../../ui/scrolled.tsx';
import type { PriceListImport } from './carriers-api.ts';

const CURRENCY = 'EUR';
const TONES = { added: 'done', changed: 'todo', removed: 'bad' } as const;
const GRAMS = 1000;

/** Shows what a file of prices would change, or why it cannot be taken. */
export function ListChanges({ list }: { list: PriceListImport }) {
  const { change, counts, changes, otherParts, problems, notRead, notices, holes } = list;
  const shown = changes.length;
  const all = counts.added + counts.changed + counts.removed;
  return (
    <>
      {change === null && <p class="problem">{t('carriers.faulty', { count: problems.length })}</p>}
      {change === 'unchanged' && <p>{t('carriers.same')}</p>}
      {change !== null && <p>{t('carriers.counts', counts)}</p>}
      {otherParts.length > 0 && (
        <p class="doubts">
          {t('carriers.parts', { parts: otherParts.map((part) => t(`carriers.part.${part}`)).join(', ') })}
        </p>
      )}
      <Cells title={t('carriers.problems')} cells={problems} />
      {shown > 0 && <Prices changes={changes} />}
      {all > shown && <p class="doubts">{t('carriers.cut', { shown: formatNumber(shown) })}</p>}
      <Lines title={t('carriers.notices')} lines={notices} />
      <Lines title={t('carriers.holes')} lines={holes} />
      <Cells title={t('carriers.notRead')} cells={notRead} />
    </>
  );
}

function Prices({ changes }: { changes: PriceListImport['changes'] }) {
  const price = (amount: string | null) => (amount === null ? '–' : formatMoney(amount, CURRENCY));
  return (
    <Scrolled label={t('carriers.changes')}>
      <table class="stacked">
        <thead>
          <tr>
            <th scope="col">{t('carriers.change')}</th>
            <th scope="col">{t('carriers.zone')}</th>
            <th scope="col">{t('carriers.weight')}</th>
            <th scope="col">{t('carriers.side')}</th>
            <th scope="col" class="number">
              {t('carriers.before')}
            </th>
            <th scope="col" class="number">
              {t('carriers.after')}
            </th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ change, side, zone, row, grams, before, after }) => (
            <tr key={[side, zone, row, grams].join(' ')}>
              <td data-name={t('carriers.change')}>
                <span class={`status ${TONES[change]}`}>{t(`carriers.change.${change}`)}</span>
              </td>
              <td data-name={t('carriers.zone')}>{zone}</td>
              <td data-name={t('carriers.weight')}>
                {t(`carriers.row.${row}`, { kg: formatNumber((grams ?? 0) / GRAMS) })}
              </td>
              <td data-name={t('carriers.side')}>{t(`carriers.side.${side}`)}</td>
              <td class="number" data-name={t('carriers.before')}>
                {price(before)}
              </td>
              <td class="number" data-name={t('carriers.after')}>
                {price(after)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

function Cells({ title, cells }: { title: string; cells: PriceListImport['problems'] }) {
  return <Lines title={title} lines={cells.map(({ place, message }) => `${place}: ${message}`)} />;
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h4>{title}</h4>
      <ul class="wrapped">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}
