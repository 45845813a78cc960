import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'preact/hooks';
import { sendBatch } from '../../api/batches.ts';
import type { Schema } from '../../api/client.ts';
import { may, type Session } from '../../api/session.ts';
import { t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Status } from '../../ui/status.tsx';
import { wordsOf } from './pieces.ts';

type Detail = Schema['OrderDetail'];
type Part = Detail['parts'][number];

interface PartsProps {
  detail: Detail;
  session: Session;
  onDone: (text: string) => void;
}

/** Lists the parts of a split order, each with its shipment. A part without one is booked on its own. */
export function Parts({ detail, session, onDone }: PartsProps) {
  const [asked, ask] = useState<Part | null>(null);
  return (
    <section aria-label={t('split.parts')}>
      <h2>{t('split.parts')}</h2>
      <ul class="cards">
        {detail.parts.map((part, index) => {
          const shipment = detail.shipments.find(({ id }) => id === part.shipmentId);
          return (
            <li key={part.id}>
              {nameOf(part, index, detail)}{' '}
              {shipment && (
                <>
                  <Status status={shipment.status} /> <code>{shipment.trackingNumber}</code>
                </>
              )}
              {part.shipmentId === null && may(session, 'shipments:write') && (
                <button type="button" onClick={() => ask(part)}>
                  {t('split.book', { number: index + 1 })}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {asked && (
        <BookPart
          detail={detail}
          part={asked}
          onDone={(text) => {
            onDone(text);
            ask(null);
          }}
          onEnd={() => ask(null)}
        />
      )}
    </section>
  );
}

function nameOf(part: Part, index: number, detail: Detail): string {
  const lines = part.lines.length > 0 ? wordsOf(part.lines, detail) : t('split.parcels', { count: part.parcelCount });
  return t('split.part', { number: index + 1, lines });
}

interface BookPartProps {
  detail: Detail;
  part: Part;
  onDone: (text: string) => void;
  onEnd: () => void;
}

function BookPart({ detail, part, onDone, onEnd }: BookPartProps) {
  const queries = useQueryClient();
  const { current: key } = useRef(crypto.randomUUID());
  const { id: orderId } = detail.order;
  const number = detail.parts.findIndex(({ id }) => id === part.id);
  const book = useMutation({
    mutationFn: async () => {
      let requestId = '';
      const result = await sendBatch('/shipment/create', [{ orderId, partId: part.id }], {
        key,
        onRequest: (id) => {
          requestId = id;
        },
      });
      const [failed] = result.details.errors;
      return `${failed?.message ?? t('split.booked', { number: number + 1 })} ${t('problem.request', { id: requestId })}`;
    },
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: ['order', orderId] }),
  });
  const title = t('split.book', { number: number + 1 });
  return (
    <AskDialog
      title={title}
      confirm={title}
      isPending={book.isPending}
      error={book.error}
      onConfirm={() => book.mutate()}
      onEnd={onEnd}
    >
      <p>{t('split.bookSure', { lines: nameOf(part, number, detail) })}</p>
    </AskDialog>
  );
}
