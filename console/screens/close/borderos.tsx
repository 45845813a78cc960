import { useQuery } from '@tanstack/react-query';
import { api, body } from '../../api/client.ts';
import { formatInstant, formatNumber, t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import { dayOf } from './open-groups.ts';

const PAGE = 200;

/** Lists the borderos that were made today, newest first, with their papers. */
export function Borderos({ timeZone }: { timeZone: string }) {
  const list = useQuery({
    queryKey: ['list', 'borderos'],
    queryFn: () => body(api.GET('/api/v1/external/bordero', { params: { query: { limit: PAGE } } })),
  });
  const today = dayOf(new Date(), timeZone);
  const borderos = list.data?.filter(({ createdAt }) => dayOf(new Date(createdAt), timeZone) === today) ?? [];
  return (
    <section>
      <h2>{t('close.borderos')}</h2>
      {list.isError && <ProblemNote error={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && borderos.length === 0 && <p class="empty">{t('close.noBorderos')}</p>}
      {borderos.length > 0 && (
        <Scrolled label={t('close.borderos')}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('close.number')}</th>
                <th scope="col">{t('column.carrier')}</th>
                <th scope="col">{t('close.at')}</th>
                <th scope="col" class="number">
                  {t('close.shipments')}
                </th>
                <th scope="col" class="number">
                  {t('close.parcels')}
                </th>
                <th scope="col" class="number">
                  {t('close.weight')}
                </th>
              </tr>
            </thead>
            <tbody>
              {borderos.map(({ id, manifestNumber, carrier, createdAt, totalShipments, totalParcels, totalWeight }) => (
                <tr key={id}>
                  <td>
                    <PrintLink id={id} number={manifestNumber} />
                  </td>
                  <td>{carrier.name}</td>
                  <td>{formatInstant(createdAt, timeZone)}</td>
                  <td class="number">{formatNumber(totalShipments)}</td>
                  <td class="number">{formatNumber(totalParcels)}</td>
                  <td class="number">{formatNumber(Number(totalWeight))} kg</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrolled>
      )}
    </section>
  );
}

/** Opens the paper that the driver signs. */
export function PrintLink({ id, number }: { id: number; number: string }) {
  return (
    <a href={`/api/v1/external/bordero/${id}/pdf`} target="_blank" rel="noreferrer">
      {t('close.print')} {number}
    </a>
  );
}
