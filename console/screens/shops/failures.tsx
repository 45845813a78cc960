import { useInfiniteQuery } from '@tanstack/react-query';
import { formatInstant, t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import { AGAIN_MS, type Failure, PAGE, type Question, readFailures, type Shop } from './shops-api.ts';

interface FailuresProps {
  shop: Shop;
  timeZone: string;
  ask: ((question: Question) => void) | null;
}

/** Lists the orders of a shop that could not be imported, newest first. */
export function Failures({ shop, timeZone, ask }: FailuresProps) {
  const list = useInfiniteQuery({
    queryKey: ['list', 'shops', 'failures', shop.connectionId],
    queryFn: ({ pageParam }) => readFailures(shop.connectionId, pageParam, PAGE),
    initialPageParam: null as number | null,
    getNextPageParam: (last: Failure[]) => (last.length < PAGE ? null : (last.at(-1)?.id ?? null)),
    refetchInterval: AGAIN_MS,
  });
  const failures = list.data?.pages.flat() ?? [];
  return (
    <section>
      <h2>{t('shops.failures')}</h2>
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && failures.length === 0 && <p class="quiet">{t('shops.noFailures')}</p>}
      {failures.length > 0 && (
        <Scrolled label={t('shops.failures')}>
          <table class="stacked">
            <thead>
              <tr>
                <th scope="col">{t('shops.orderOfShop')}</th>
                <th scope="col">{t('shops.reason')}</th>
                <th scope="col" class="number">
                  {t('shops.tries')}
                </th>
                <th scope="col">{t('shops.nextTry')}</th>
                {ask && <th scope="col">{t('shops.action')}</th>}
              </tr>
            </thead>
            <tbody>
              {failures.map((failure) => (
                <tr key={failure.id}>
                  <td data-name={t('shops.orderOfShop')}>
                    <code>{failure.marketplaceOrderId}</code>
                  </td>
                  <td class="words" data-name={t('shops.reason')}>
                    {failure.message}
                  </td>
                  <td class="number" data-name={t('shops.tries')}>
                    {failure.tries}
                  </td>
                  <td data-name={t('shops.nextTry')}>{formatInstant(failure.nextTryAt, timeZone)}</td>
                  {ask && (
                    <td>
                      <button type="button" onClick={() => ask({ kind: 'read', shop, failure })}>
                        {t('shops.read')}
                        <span class="hidden"> {failure.marketplaceOrderId}</span>
                      </button>
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
      {list.hasNextPage && (
        <button type="button" class="more" onClick={() => void list.fetchNextPage()}>
          {t('list.more')}
        </button>
      )}
    </section>
  );
}
