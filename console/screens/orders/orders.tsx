import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { Link, useLocation, useSearchParams } from 'wouter-preact';
import { api, body } from '../../api/client.ts';
import { may, type Session, timeZoneOf } from '../../api/session.ts';
import { currentLanguage, t } from '../../i18n/index.ts';
import { statusName } from '../../i18n/statuses.ts';
import { useKeys } from '../../ui/keys.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { type MoreFilters, moreFilters, wordsOf } from './more-filters.ts';
import { OrderRow } from './order-row.tsx';

const PAGE = 100;
const TYPING_MS = 200;
const STATUSES = [
  'pending',
  'shipment_created',
  'transmitted',
  'manifested',
  'shipped',
  'delivered',
  'held',
  'returned',
  'cancelled',
  'error',
] as const;
type OrderStatus = (typeof STATUSES)[number];

/** All orders, with one search box. The filters are in the address, so a link leads to the same list. */
export default function Orders({ session }: { session: Session }) {
  const [filters, setFilters] = useSearchParams();
  const [, go] = useLocation();
  /** Numbers of the chosen orders, by id. */
  const [selected, select] = useState<ReadonlyMap<number, string>>(new Map());
  const [at, moveTo] = useState(-1);
  const status = STATUSES.find((one) => one === filters.get('status')) ?? null;
  const q = filters.get('q') ?? '';
  const more = moreFilters(filters);
  // Orders that are no longer listed must not be transmitted with the others.
  useEffect(() => select(new Map()), [filters.toString()]);
  const list = useOrders({ status, q, more });
  const orders = list.data?.pages.flat() ?? [];
  const change = (name: string, value: string): void => {
    setFilters(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
    moveTo(-1);
  };
  const toggle = useCallback(({ id, orderNumber }: { id: number; orderNumber: string }): void => {
    select((before) => {
      const next = new Map(before);
      if (!next.delete(id)) next.set(id, orderNumber);
      return next;
    });
  }, []);
  const current = orders[at];
  useKeys({
    j: () => moveTo(Math.min(at + 1, orders.length - 1)),
    k: () => moveTo(Math.max(at - 1, 0)),
    x: () => current && toggle(current),
    Enter: () => current && go(`/orders/${current.id}`),
  });
  const timeZone = timeZoneOf(session);
  return (
    <>
      <h1>{t('orders.title')}</h1>
      <search class="filters">
        <SearchBox value={q} onChange={(text) => change('q', text)} />
        <label>
          {t('orders.status')}
          <select value={status ?? ''} onChange={({ currentTarget }) => change('status', currentTarget.value)}>
            <option value="">{t('orders.any')}</option>
            {STATUSES.map((one) => (
              <option key={one} value={one}>
                {statusName(one)}
              </option>
            ))}
          </select>
        </label>
      </search>
      {wordsOf(filters) !== '' && (
        <p>
          {t('orders.filtered', { filters: wordsOf(filters) })} <Link href="/orders">{t('orders.unfilter')}</Link>
        </p>
      )}
      {may(session, 'shipments:write') && selected.size > 0 && (
        <BulkActions orders={selected} onEnd={() => select(new Map())} />
      )}
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && orders.length === 0 && <p class="empty">{t('orders.none')}</p>}
      {orders.length > 0 && (
        <Scrolled label={t('orders.title')}>
          <table>
            <caption class="quiet">{t('orders.count', { count: orders.length })}</caption>
            <thead>
              <tr>
                <th scope="col">
                  <input
                    type="checkbox"
                    aria-label={t('orders.all')}
                    checked={selected.size > 0 && orders.every(({ id }) => selected.has(id))}
                    onChange={({ currentTarget }) =>
                      select(
                        new Map(currentTarget.checked ? orders.map(({ id, orderNumber }) => [id, orderNumber]) : []),
                      )
                    }
                  />
                </th>
                <th scope="col">{t('orders.number')}</th>
                <th scope="col">{t('column.status')}</th>
                <th scope="col">{t('order.recipient')}</th>
                <th scope="col">{t('orders.created')}</th>
                <th scope="col" class="number">
                  {t('orders.total')}
                </th>
              </tr>
            </thead>
            <tbody>
              {orders.map((order, index) => (
                <OrderRow
                  key={order.id}
                  order={order}
                  isCurrent={index === at}
                  isSelected={selected.has(order.id)}
                  toggle={toggle}
                  timeZone={timeZone}
                  language={currentLanguage()}
                />
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
      {list.hasNextPage && <MoreRows isBusy={list.isFetchingNextPage} load={() => void list.fetchNextPage()} />}
    </>
  );
}

function useOrders({ status, q, more }: { status: OrderStatus | null; q: string; more: MoreFilters }) {
  return useInfiniteQuery({
    queryKey: ['list', 'orders', status, q, more],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam }) =>
      body(
        api.GET('/api/v1/external/orders', {
          params: {
            query: {
              limit: PAGE,
              ...(status === null ? {} : { status }),
              ...(q === '' ? {} : { q }),
              ...more,
              ...(pageParam === null ? {} : { cursor: pageParam }),
            },
          },
        }),
      ),
    getNextPageParam: (page) => (page.length < PAGE ? null : (page.at(-1)?.id ?? null)),
    placeholderData: (before) => before,
  });
}

/** Waits for a pause in typing, so that not every letter is a search. */
function SearchBox({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const box = useRef<HTMLInputElement>(null);
  // The key for the search leads here from screens without one.
  useEffect(() => {
    if (location.hash === '#search') box.current?.focus();
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <input
      ref={box}
      type="search"
      aria-label={t('orders.search')}
      placeholder={t('orders.search')}
      defaultValue={value}
      onInput={({ currentTarget }) => {
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onChange(currentTarget.value.trim()), TYPING_MS);
      }}
    />
  );
}

/** Loads the next rows when the end of the list comes into view. The button is for keyboards. */
function MoreRows({ isBusy, load }: { isBusy: boolean; load: () => void }) {
  const end = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => entry?.isIntersecting && !isBusy && load());
    if (end.current) seen.observe(end.current);
    return () => seen.disconnect();
  });
  return (
    <button ref={end} type="button" class="more" onClick={load} disabled={isBusy}>
      {isBusy ? t('app.loading') : t('list.more')}
    </button>
  );
}
