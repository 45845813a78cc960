import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api, body } from '../../api/client.ts';
import { readFile } from '../../api/files.ts';
import { t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';

interface LabelProps {
  shipmentId: number;
  /** True: print as soon as it is here. */
  printsAtOnce: boolean;
  /** True: it was printed before it was opened. */
  isPrinted: boolean;
  /** Runs after each print, with the focus for the next scan. */
  onPrinted: () => void;
}

/** Shows the whole label where the browser knows these parameters of PDF. */
const WITHOUT_TOOLBAR = '#toolbar=0&view=Fit';

/** Shows a label in place, and prints it with the browser. The page of the PDF decides the size of the paper. */
export function Label({ shipmentId, printsAtOnce, isPrinted, onPrinted }: LabelProps) {
  const queries = useQueryClient();
  const frame = useRef<HTMLIFrameElement>(null);
  const isFirst = useRef(true);
  const [prints, setPrints] = useState(0);
  const label = useQuery({
    queryKey: ['label', shipmentId],
    queryFn: () => readFile(`/api/v1/external/shipment/${shipmentId}/label`),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const url = label.data?.url;
  useEffect(() => () => url && URL.revokeObjectURL(url), [url]);
  const mark = useMutation({
    mutationFn: () =>
      body(
        api.POST('/api/v1/external/shipment/{id}/printed', {
          params: { path: { id: shipmentId } },
          body: { printed: true },
        }),
      ),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['list'] });
      // No event tells of a print, and the page of an order shows it.
      void queries.invalidateQueries({ queryKey: ['order'] });
    },
  });
  const print = (): void => {
    if (!label.data?.isPdf) return;
    frame.current?.contentWindow?.print();
    setPrints((before) => before + 1);
    if (prints === 0 && !isPrinted) mark.mutate();
    onPrinted();
  };
  useTypedKey('F9', print);
  if (label.isPending) return <p>{t('app.loading')}</p>;
  if (label.isError) return <ProblemNote error={label.error} retry={() => void label.refetch()} />;
  if (!label.data.isPdf) {
    return (
      <p>
        {t('ship.zpl')}{' '}
        <a href={label.data.url} download={`label-${shipmentId}.zpl`} onClick={() => !isPrinted && mark.mutate()}>
          {t('ship.download')}
        </a>
      </p>
    );
  }
  return (
    <section aria-label={t('order.label')}>
      <div class="actions">
        <button type="button" class="main" aria-keyshortcuts="F9" onClick={print}>
          {t(prints > 0 || isPrinted ? 'ship.printAgain' : 'ship.print')}
        </button>
        <span role="status">{prints > 0 && t(prints > 1 || isPrinted ? 'ship.printedTwice' : 'ship.printed')}</span>
      </div>
      {mark.error && <ProblemNote error={mark.error} />}
      <iframe
        ref={frame}
        class="paper"
        title={t('order.label')}
        src={`${label.data.url}${WITHOUT_TOOLBAR}`}
        tabIndex={-1}
        onLoad={() => {
          if (isFirst.current && printsAtOnce) print();
          isFirst.current = false;
        }}
      />
    </section>
  );
}

/** Listens to one key wherever the focus is, also in the scan box. */
export function useTypedKey(key: string, action: () => void): void {
  const newest = useRef(action);
  newest.current = action;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== key || event.repeat) return;
      event.preventDefault();
      newest.current();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [key]);
}
