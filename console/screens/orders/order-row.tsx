import { memo } from 'preact/compat';
import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { paths } from '../../api/types.d.ts';
import { formatInstant, formatMoney, type Language, t } from '../../i18n/index.ts';
import { Status } from '../../ui/status.tsx';

type Listed = paths['/api/v1/external/orders']['get']['responses'][200]['content']['application/json'];
type ListedOrder = Listed[number];

interface OrderRowProps {
  order: ListedOrder;
  /** True: the keys act on it. */
  isCurrent: boolean;
  isSelected: boolean;
  toggle: (order: ListedOrder) => void;
  timeZone: string;
  /** Another language makes another row. */
  language: Language;
}

/** Shows one order of the list. It is drawn again only when it changes, because the list may have thousands. */
export const OrderRow = memo(function OrderRow({ order, isCurrent, isSelected, toggle, timeZone }: OrderRowProps) {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  return (
    <tr ref={row} class={isCurrent ? 'current' : ''} aria-current={isCurrent || undefined}>
      <td>
        <input
          type="checkbox"
          aria-label={t('orders.select', { number: order.orderNumber })}
          checked={isSelected}
          onChange={() => toggle(order)}
        />
      </td>
      <td>
        <Link href={`/orders/${order.id}`}>{order.orderNumber}</Link>
      </td>
      <td>
        <Status status={order.status} />
      </td>
      <td>
        {order.recipient?.name}
        <span class="quiet">
          {' '}
          {order.recipient?.zip} {order.recipient?.city}
        </span>
      </td>
      <td>{formatInstant(order.dateImport, timeZone)}</td>
      <td class="number">{formatMoney(order.totalGrossAmount, order.currency)}</td>
    </tr>
  );
});
