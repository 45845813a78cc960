import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api, body } from '../../api/client.ts';
import { type FileHere, readFile } from '../../api/files.ts';
import { stationsOf, usePrinters } from '../../api/printers.ts';
import { t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { ServerLabel } from './server-label.tsx';

interface LabelProps {
  shipmentId: number;
  /** Name of the packing station whose printers print; empty: the browser does. */
  printsAt: string;
  /** True: print as soon as it is here. */
  printsAtOnce: boolean;
  /** True: it was printed before it was opened. */
  isPrinted: boolean;
  /** Runs after each print, with the focus for the next scan. */
  onPrinted: () => void;
  /** Runs when a person must look after the label. */
  onTrouble: () => void;
}

/** Shows the whole label where the browser knows these parameters of PDF. */
const WITHOUT_TOOLBAR = '#toolbar=0&view=Fit';

/** Shows a label in place, and prints it on a printer of the station or with the browser: never with both. */
export function Label({ printsAt, onTrouble, ...props }: LabelProps) {
  const { shipmentId } = props;
  const label = useQuery({
    queryKey: ['label', shipmentId],
    queryFn: () => readFile(`/api/v1/external/shipment/${shipmentId}/label`),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const printers = usePrinters();
  const url = label.data?.url;
  useEffect(() => () => url && URL.revokeObjectURL(url), [url]);
  if (label.isError) return <ProblemNote error={label.error} retry={() => void label.refetch()} />;
  if (printsAt !== '' && printers.isError && !printers.data)
    return <ProblemNote error={printers.error} retry={() => void printers.refetch()} />;
  if (label.isPending || (printsAt !== '' && printers.isPending)) return <p>{t('app.loading')}</p>;
  const file = label.data;
  if (printsAt === '') return <BrowserLabel {...props} file={file} />;
  const format = file.isPdf ? 'pdf' : 'zpl';
  const printer = stationsOf(printers.data ?? [])
    .get(printsAt)
    ?.find((one) => one.format === format);
  if (!printer) {
    return (
      <>
        <p class="doubts" role="alert">
          {t('ship.noPrinter', { station: printsAt, format: format.toUpperCase() })}
        </p>
        <BrowserLabel {...props} printsAtOnce={false} file={file} />
      </>
    );
  }
  return (
    <section aria-label={t('order.label')}>
      <ServerLabel {...props} printer={printer} onTrouble={onTrouble} />
      {file.isPdf && (
        // The viewer of a PDF may take the focus when it opens.
        <iframe
          class="paper"
          title={t('order.label')}
          src={`${file.url}${WITHOUT_TOOLBAR}`}
          tabIndex={-1}
          onLoad={props.onPrinted}
        />
      )}
    </section>
  );
}

type BrowserLabelProps = Omit<LabelProps, 'printsAt' | 'onTrouble'> & { file: FileHere };

/** Prints a label with the browser. The page of the PDF decides the size of the paper. */
function BrowserLabel({ shipmentId, printsAtOnce, isPrinted, onPrinted, file }: BrowserLabelProps) {
  const queries = useQueryClient();
  const frame = useRef<HTMLIFrameElement>(null);
  const isFirst = useRef(true);
  const [prints, setPrints] = useState(0);
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
    if (!file.isPdf) return;
    frame.current?.contentWindow?.print();
    setPrints((before) => before + 1);
    if (prints === 0 && !isPrinted) mark.mutate();
    onPrinted();
  };
  useTypedKey('F9', print);
  if (!file.isPdf) {
    return (
      <p>
        {t('ship.zpl')}{' '}
        <a href={file.url} download={`label-${shipmentId}.zpl`} onClick={() => !isPrinted && mark.mutate()}>
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
        src={`${file.url}${WITHOUT_TOOLBAR}`}
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
  // Before the next key: a button that is seen can be pressed.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key !== key || event.repeat) return;
      event.preventDefault();
      newest.current();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [key]);
}
