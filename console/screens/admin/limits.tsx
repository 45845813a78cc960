import { useQuery } from '@tanstack/react-query';
import { api, body } from '../../api/client.ts';
import { formatNumber, t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

/** No event tells how many points are left. */
const AGAIN_MS = 10_000;

/** Shows what the company may ask of the API, and what is left of it now. */
export function Limits() {
  const limits = useQuery({
    queryKey: ['list', 'admin', 'limits'],
    queryFn: () => body(api.GET('/api/v1/external/limits')),
    refetchInterval: AGAIN_MS,
  });
  if (limits.isPending) return <p>{t('app.loading')}</p>;
  if (limits.isError) return <ProblemNote error={limits.error} retry={() => void limits.refetch()} />;
  const { points, concurrentRequests, share } = limits.data;
  return (
    <section>
      <h2>{t('admin.part.limits')}</h2>
      <dl class="facts">
        <dt>{t('admin.points')}</dt>
        <dd>
          {points === null
            ? t('admin.noLimit')
            : t('admin.pointsLeft', { left: formatNumber(points.left), all: formatNumber(points.limit) })}
        </dd>
        <dt>{t('admin.together')}</dt>
        <dd>{formatNumber(concurrentRequests.limit)}</dd>
        <dt>{t('admin.share')}</dt>
        <dd>{formatNumber(share)}</dd>
      </dl>
      <p class="quiet">{t('admin.limitsWho')}</p>
    </section>
  );
}
