import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { sendBatch } from '../../api/batches.ts';
import { api, body, type Schema } from '../../api/client.ts';
import { may, type Session } from '../../api/session.ts';
import { formatMoney, t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';

type ComparedQuote = Schema['ComparedQuote'];

/** Compares what every contract takes for an order, and ships it with the chosen one. */
export function Prices({ orderId, session }: { orderId: number; session: Session }) {
  const queries = useQueryClient();
  const quotes = useQuery({
    queryKey: ['order', orderId, 'quotes'],
    queryFn: () => body(api.GET('/api/v1/external/shipment/quotes', { params: { query: { orderId, explain: true } } })),
  });
  const ship = useMutation({
    mutationFn: (carrierCompanyId: number) => sendBatch('/shipment/create', [{ orderId, carrierCompanyId }]),
    onSettled: () => queries.invalidateQueries({ queryKey: ['order', orderId] }),
  });
  if (quotes.isPending) return <p>{t('app.loading')}</p>;
  if (quotes.isError) return <ProblemNote error={quotes.error} retry={() => void quotes.refetch()} />;
  const [failed] = ship.data?.details.errors ?? [];
  return (
    <section>
      <h2>{t('prices.title')}</h2>
      <Scrolled label={t('prices.title')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('column.carrier')}</th>
              <th scope="col" class="number">
                {t('order.price')}
              </th>
              <th scope="col">{t('prices.why')}</th>
              <th scope="col">
                <span class="hidden">{t('order.ship')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {quotes.data.map((quote) => (
              <tr key={`${quote.carrier_company_id} ${quote.service_code}`}>
                <td>
                  {quote.carrier_name} <span class="quiet">{quote.service_name ?? quote.contract_label}</span>
                </td>
                <td class="number">{quote.price !== null && formatMoney(quote.price, quote.currency ?? 'EUR')}</td>
                <td class="wrapped">
                  <Reason quote={quote} />
                </td>
                <td>
                  {quote.shippable && may(session, 'shipments:write') && (
                    <button
                      type="button"
                      disabled={ship.isPending}
                      onClick={() => ship.mutate(quote.carrier_company_id)}
                    >
                      {t('prices.ship', { carrier: quote.carrier_name })}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {failed && (
        <p class="problem" role="alert">
          {failed.message}
        </p>
      )}
      {ship.error && <ProblemNote error={ship.error} />}
    </section>
  );
}

/** Shows why there is no price, or the parts that add up to it. */
function Reason({ quote }: { quote: ComparedQuote }) {
  if (quote.reason !== null) return <>{quote.reason}</>;
  return (
    <details>
      <summary>{quote.live ? t('prices.live') : t('prices.list')}</summary>
      <ul>
        {quote.steps.map(({ rule, amount }) => (
          <li key={rule}>
            {rule} {amount !== null && formatMoney(amount, quote.currency ?? 'EUR')}
          </li>
        ))}
      </ul>
    </details>
  );
}
