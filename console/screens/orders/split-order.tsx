import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'preact/hooks';
import { api, body, type Schema } from '../../api/client.ts';
import { t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';
import { Scrolled } from '../../ui/scrolled.tsx';
import { openPieces, type Pieces, piecesOf, wordsOf } from './pieces.ts';

interface SplitProps {
  orderId: number;
  onDone: (text: string) => void;
  onEnd: () => void;
}

/** Asks which pieces travel in which part, and shows the parts before they are made. */
export function SplitOrder({ orderId, onDone, onEnd }: SplitProps) {
  const queries = useQueryClient();
  const { current: key } = useRef(crypto.randomUUID());
  const [parts, setParts] = useState<readonly Pieces[][]>([[]]);
  // Read again: the page may show the state of a moment ago.
  const plan = useQuery({
    queryKey: ['order', orderId, 'split'],
    queryFn: () => body(api.GET('/api/v1/external/orders/{id}', { params: { path: { id: orderId } } })),
    staleTime: 0,
    gcTime: 0,
  });
  const open = plan.data ? openPieces(plan.data) : [];
  const rest = open.map(({ itemId, quantity }) => ({ itemId, quantity: quantity - piecesOf(parts.flat(), itemId) }));
  const named = parts.map((lines) => lines.filter(({ quantity }) => quantity > 0)).filter(({ length }) => length > 0);
  const split = useMutation({
    mutationFn: async () => {
      const { data, response } = await api.POST('/api/v1/external/orders/{id}/split', {
        params: { path: { id: orderId }, header: { 'Idempotency-Key': key } },
        body: { parts: named.map((lines) => ({ lines })) },
      });
      return { count: data?.parts.length ?? 0, id: response.headers.get('X-Request-Id') ?? '' };
    },
    onSuccess: (values) => onDone(`${t('split.done', values)} ${t('problem.request', values)}`),
    onSettled: () => queries.invalidateQueries({ queryKey: ['order', orderId] }),
  });
  const set = (at: number, itemId: number, quantity: number): void =>
    setParts(
      parts.map((lines, index) =>
        index === at ? [...lines.filter((line) => line.itemId !== itemId), { itemId, quantity }] : lines,
      ),
    );
  return (
    <AskDialog
      title={t('split.title')}
      confirm={t('split.confirm')}
      isPending={split.isPending || !plan.isSuccess || named.length === 0}
      error={split.error ?? plan.error}
      onConfirm={() => split.mutate()}
      onEnd={onEnd}
    >
      <p>{t('split.sure')}</p>
      {plan.isPending && <p>{t('app.loading')}</p>}
      {plan.data && (
        <>
          <Quantities detail={plan.data} open={open} parts={parts} onChange={set} />
          <button type="button" onClick={() => setParts([...parts, []])}>
            {t('split.add')}
          </button>
          <ul aria-label={t('split.preview')}>
            {named.map((lines, index) => (
              <li key={index}>{t('split.part', { number: index + 1, lines: wordsOf(lines, plan.data) })}</li>
            ))}
            {rest.some(({ quantity }) => quantity > 0) && (
              <li>{t('split.rest', { lines: wordsOf(rest, plan.data) })}</li>
            )}
          </ul>
        </>
      )}
    </AskDialog>
  );
}

interface QuantitiesProps {
  detail: Schema['OrderDetail'];
  open: readonly Pieces[];
  parts: readonly Pieces[][];
  onChange: (at: number, itemId: number, quantity: number) => void;
}

function Quantities({ detail, open, parts, onChange }: QuantitiesProps) {
  return (
    <Scrolled label={t('order.lines')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('order.product')}</th>
            {parts.map((_lines, at) => (
              <th key={at} scope="col">
                {t('split.column', { number: at + 1 })}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {open.map((line) => (
            <tr key={line.itemId}>
              <td class="wrapped">{wordsOf([line], detail)}</td>
              {parts.map((lines, at) => (
                <td key={at}>
                  <input
                    type="number"
                    min={0}
                    max={line.quantity - piecesOf(parts.flat(), line.itemId) + piecesOf(lines, line.itemId)}
                    step={1}
                    aria-label={t('split.pieces', { lines: wordsOf([line], detail), number: at + 1 })}
                    value={piecesOf(lines, line.itemId)}
                    onInput={({ currentTarget }) => onChange(at, line.itemId, Math.trunc(Number(currentTarget.value)))}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}
