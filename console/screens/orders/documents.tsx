import { useQuery } from '@tanstack/react-query';
import { useState } from 'preact/hooks';
import { api, body, type Schema } from '../../api/client.ts';
import { may, type Session, timeZoneOf } from '../../api/session.ts';
import { formatInstant, t } from '../../i18n/index.ts';
import { Disclosure } from '../../ui/disclosure.tsx';
import { Paper } from '../../ui/paper.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Label } from '../ship/label.tsx';
import { useStation } from '../ship/station.ts';

const API = '/api/v1/external';
/** One paper is open at a time, so that the key for printing means one label. */
const ONE_OPEN = 'papers';

interface DocumentsProps {
  orderId: number;
  shipment: Schema['ShipmentSummary'];
  session: Session;
}

/** Lists every paper of a shipment: its label, what the carrier gave with it, and its bordero. Each opens in place. */
export function Documents({ orderId, shipment, session }: DocumentsProps) {
  const params = { path: { id: shipment.id } };
  const papers = useQuery({
    queryKey: ['order', orderId, 'documents', shipment.id],
    queryFn: async () => {
      const [{ manifestId }, documents] = await Promise.all([
        body(api.GET('/api/v1/external/shipment/{id}', { params })),
        body(api.GET('/api/v1/external/shipment/{id}/documents', { params })),
      ]);
      return { manifestId, documents };
    },
  });
  if (papers.isPending) return <p>{t('app.loading')}</p>;
  if (papers.isError) return <ProblemNote error={papers.error} retry={() => void papers.refetch()} />;
  const { manifestId, documents } = papers.data;
  const others = documents.filter(({ kind }) => kind !== 'label');
  return (
    <>
      {documents.some(({ kind }) => kind === 'label') && (
        <Disclosure
          title={t('documents.label')}
          group={ONE_OPEN}
          content={() => <ShipmentLabel shipment={shipment} session={session} />}
        />
      )}
      {others.map(({ id, kind, url }) => (
        <Disclosure
          key={id}
          title={t(`documents.${kind}`)}
          group={ONE_OPEN}
          content={() => <Paper path={pathOf(url)} name={t(`documents.${kind}`)} />}
        />
      ))}
      {manifestId !== null && (
        <Disclosure
          title={t('documents.bordero', { id: manifestId })}
          group={ONE_OPEN}
          content={() => (
            <Paper path={`${API}/bordero/${manifestId}/pdf`} name={t('documents.bordero', { id: manifestId })} />
          )}
        />
      )}
      {documents.length === 0 && manifestId === null && <p class="quiet">{t('documents.none')}</p>}
    </>
  );
}

/** Shows the label. Printing is noted, so only a role that may note it has the button. */
function ShipmentLabel({ shipment, session }: Omit<DocumentsProps, 'orderId'>) {
  // The state before it was opened: the first print here must not count as the second.
  const [printedAt] = useState(shipment.printedAt);
  const [{ printsAt }] = useStation();
  return (
    <>
      {printedAt !== null && (
        <p class="doubts">{t('ship.printedBefore', { at: formatInstant(printedAt, timeZoneOf(session)) })}</p>
      )}
      {may(session, 'shipments:write') ? (
        <Label
          shipmentId={shipment.id}
          printsAt={printsAt}
          printsAtOnce={false}
          isPrinted={printedAt !== null}
          onPrinted={() => undefined}
          onTrouble={() => undefined}
        />
      ) : (
        <Paper path={`${API}/shipment/${shipment.id}/label`} name={t('order.label')} />
      )}
    </>
  );
}

/** Returns the address of a document without its host: the public one may not be the one of this page. */
function pathOf(url: string): string {
  return url.slice(url.indexOf(API));
}
