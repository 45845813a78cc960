import { Link } from 'wouter-preact';
import { formatNumber, t } from '../../i18n/index.ts';
import { Scrolled } from '../../ui/scrolled.tsx';
import { missing } from './pack.ts';
import { PARCEL_FIELDS } from './parcel-fields.ts';
import { type Station, sizeName } from './station.ts';
import type { Packing, Phase } from './use-packing.ts';

interface PackOrderProps {
  phase: Phase & { name: 'pack' };
  packing: Packing;
  station: Station;
  mayMeasure: boolean;
  /** Gives the focus back to the scan box. */
  onDone: () => void;
}

/** Shows the order that is packed: its lines with what is scanned, its parcels, and the key that buys. */
export function PackOrder({ phase, packing, station, mayMeasure, onDone }: PackOrderProps) {
  const { pack, counts, isBuying } = phase;
  const { detail } = pack;
  const { id, orderNumber, buyerOrderNote } = detail.order;
  const { lines, joinedOrderIds } = pack.packing;
  const isComplete = !station.checksProducts || missing(lines, counts) === 0;
  return (
    <section aria-label={t('order.title', { number: orderNumber })}>
      <h2>
        <Link href={`/orders/${id}`}>{t('order.title', { number: orderNumber })}</Link>{' '}
        <span class="quiet">
          {detail.customerAddress.fullName}, {detail.customerAddress.city}
        </span>
      </h2>
      {joinedOrderIds.length > 0 && <p class="doubts">{t('ship.joined', { count: joinedOrderIds.length + 1 })}</p>}
      {buyerOrderNote && (
        <p>
          <strong>{t('order.note')}:</strong> {buyerOrderNote}
        </p>
      )}
      <div class="columns">
        <Scrolled label={t('order.lines')}>
          <table class="pack">
            <thead>
              <tr>
                <th scope="col">{t('order.product')}</th>
                <th scope="col">{t('order.sku')}</th>
                <th scope="col" class="number">
                  {t('ship.scanned')}
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map(({ itemId, title, codes, quantity }) => {
                const scanned = counts[itemId] ?? 0;
                return (
                  <tr key={itemId} class={scanned === quantity ? 'full' : ''}>
                    <td class="wrapped">{title}</td>
                    <td>
                      <code>{codes[0]}</code>
                    </td>
                    <td class="number">
                      {t('ship.of', { scanned: formatNumber(scanned), quantity: formatNumber(quantity) })}
                      {scanned === quantity && ' ✓'}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Scrolled>
        {mayMeasure && joinedOrderIds.length === 0 && (
          <Parcels phase={phase} packing={packing} station={station} onDone={onDone} />
        )}
      </div>
      <div class="actions">
        <button
          type="button"
          class={isComplete ? 'main' : ''}
          aria-disabled={isBuying}
          onClick={() => packing.purchase(false)}
        >
          {isBuying ? t('order.shipping') : t('ship.buy')}
        </button>
        {!isComplete && (
          <button type="button" aria-disabled={isBuying} aria-keyshortcuts="F2" onClick={() => packing.purchase(true)}>
            {t('ship.unchecked')}
          </button>
        )}
        <button type="button" aria-keyshortcuts="Escape" onClick={packing.leave}>
          {t('ship.leave')}
        </button>
      </div>
    </section>
  );
}

function Parcels({ phase, packing, station, onDone }: Omit<PackOrderProps, 'mayMeasure'>) {
  const { parcels, parcelsFrom } = phase.pack.packing;
  return (
    <fieldset class="parcels">
      <legend>{t('ship.parcelsTitle')}</legend>
      {parcelsFrom !== 'order' && (
        <p class={parcelsFrom === 'default' ? 'doubts' : 'quiet'}>{t(`ship.from.${parcelsFrom}`)}</p>
      )}
      {parcelsFrom === 'order' && phase.fields.weight === '' && parcels.length > 1 && (
        <p class="quiet">
          {t('ship.different')} {parcels.map((one) => `${one.weight_kg} kg ${sizeName(one)}`).join('; ')}
        </p>
      )}
      <div class="measures">
        {PARCEL_FIELDS.map(({ name, label }) => (
          <label key={name}>
            {t(label)}
            <input
              inputMode="decimal"
              autoComplete="off"
              value={phase.fields[name]}
              readOnly={phase.isBuying}
              onFocus={({ currentTarget }) => currentTarget.select()}
              onInput={({ currentTarget }) => packing.change({ ...phase.fields, [name]: currentTarget.value })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                onDone();
              }}
            />
          </label>
        ))}
      </div>
      {station.sizes.length > 0 && (
        <div class="actions">
          {station.sizes.map((size, index) => (
            <button key={sizeName(size)} type="button" onClick={() => packing.press(String(index + 1))}>
              <kbd>{index + 1}</kbd> {sizeName(size)}
            </button>
          ))}
        </div>
      )}
    </fieldset>
  );
}
