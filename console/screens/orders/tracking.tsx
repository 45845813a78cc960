import { useQuery } from '@tanstack/react-query';
import { api, body } from '../../api/client.ts';
import { t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

/** Shows what the carrier said about a parcel, newest first, with a link to its own page. */
export function Tracking({ orderId, shipmentId }: { orderId: number; shipmentId: number }) {
  const tracking = useQuery({
    queryKey: ['order', orderId, 'tracking', shipmentId],
    queryFn: () => body(api.GET('/api/v1/external/shipment/{id}/tracking', { params: { path: { id: shipmentId } } })),
  });
  if (tracking.isPending) return <p>{t('app.loading')}</p>;
  if (tracking.isError) return <ProblemNote error={tracking.error} />;
  const { shipment, trackingEvents } = tracking.data;
  return (
    <>
      {shipment.trackingUrl !== '' && (
        <p>
          <a href={shipment.trackingUrl} target="_blank" rel="noreferrer">
            {shipment.carrier}
          </a>
        </p>
      )}
      {trackingEvents.length === 0 && <p class="quiet">{t('order.noTracking')}</p>}
      <ol class="timeline">
        {trackingEvents.map((event) => (
          <li key={event.id}>
            <span class="quiet">
              {event.date} {event.time} {event.location}
            </span>
            <br />
            {event.label} <span class="quiet">{event.description}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
