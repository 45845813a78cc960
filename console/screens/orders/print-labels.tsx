import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import { readFile } from '../../api/files.ts';
import { type Printer, usePrinters } from '../../api/printers.ts';
import { t } from '../../i18n/index.ts';
import { AskDialog } from '../../ui/ask-dialog.tsx';

/** Places on one sheet of each layout. */
const PLACES = { original: 1, a6: 1, 'a4-1': 1, 'a4-2': 2, 'a4-4': 4 } as const;
type Layout = keyof typeof PLACES;

/** The layout of this browser: each station has its own paper. */
const KEPT = 'smista.labels';

interface PrintProps {
  /** Numbers of the orders, by id. */
  orders: ReadonlyMap<number, string>;
  /** Gets the file, as an address of this page. */
  onFile: (url: string) => void;
  /** Gets the printer of the server that is to print, instead of a file. */
  onPrinter: (printer: Printer) => void;
  onEnd: () => void;
}

/** Asks for the paper and its first free place, and makes one file of all labels. They count as printed then. */
export function PrintLabels({ orders, onFile, onPrinter, onEnd }: PrintProps) {
  const queries = useQueryClient();
  const orderIds = [...orders.keys()];
  const [layout, choose] = useState<Layout>(keptLayout);
  const printers = usePrinters();
  const [printerKey, choosePrinter] = useState('');
  const printer = printers.data?.find(({ key }) => key === printerKey);
  const [startAt, startFrom] = useState(1);
  const places = PLACES[layout];
  const make = useMutation({
    mutationFn: (ids: readonly number[]) => readLabels(ids, { layout, startAt: Math.min(startAt, places) }),
    onSuccess: (url) => {
      localStorage.setItem(KEPT, layout);
      onFile(url);
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['list'] });
      void queries.invalidateQueries({ queryKey: ['order'] });
    },
  });
  const refused = refusedAmong(make.error, make.variables ?? []);
  const others = orderIds.filter((id) => !refused.includes(id));
  const instead =
    refused.length > 0 && others.length > 0
      ? { name: t('print.others', { count: others.length }), onConfirm: () => make.mutate(others) }
      : undefined;
  return (
    <AskDialog
      title={t('print.title', { count: orderIds.length })}
      confirm={t('print.confirm')}
      isPending={make.isPending}
      error={make.error}
      instead={instead}
      onConfirm={() => (printer ? onPrinter(printer) : make.mutate(orderIds))}
      onEnd={onEnd}
    >
      <p>{t(printer ? 'print.oneByOne' : 'print.sure')}</p>
      {printers.data && printers.data.length > 0 && (
        <label>
          {t('ship.printsAt')}
          <select value={printerKey} onChange={({ currentTarget }) => choosePrinter(currentTarget.value)}>
            <option value="">{t('ship.thisBrowser')}</option>
            {printers.data.map(({ key, name, format }) => (
              <option key={key} value={key}>
                {name} ({format.toUpperCase()})
              </option>
            ))}
          </select>
        </label>
      )}
      {refused.length > 0 && (
        <p class="doubts">{t('print.refused', { orders: refused.map((id) => orders.get(id) ?? id).join(', ') })}</p>
      )}
      {!printer && (
        <label>
          {t('print.layout')}
          <select value={layout} onChange={({ currentTarget }) => choose(layoutOf(currentTarget.value))}>
            {Object.keys(PLACES).map((one) => (
              <option key={one} value={one}>
                {t(`print.layout.${layoutOf(one)}`)}
              </option>
            ))}
          </select>
        </label>
      )}
      {!printer && places > 1 && (
        <label>
          {t('print.startAt')}
          <select value={startAt} onChange={({ currentTarget }) => startFrom(Number(currentTarget.value))}>
            {Array.from({ length: places }, (_, at) => (
              <option key={at} value={at + 1}>
                {at + 1}
              </option>
            ))}
          </select>
        </label>
      )}
    </AskDialog>
  );
}

/** Shows the file of many labels and sends it to the printer. */
export function PrintedLabels({ url }: { url: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const isFirst = useRef(true);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const print = (): void => frame.current?.contentWindow?.print();
  return (
    <section aria-label={t('print.labels')}>
      <button type="button" onClick={print}>
        {t('ship.printAgain')}
      </button>
      <iframe
        ref={frame}
        class="paper"
        title={t('print.labels')}
        src={url}
        tabIndex={-1}
        onLoad={() => {
          if (isFirst.current) print();
          isFirst.current = false;
        }}
      />
    </section>
  );
}

/** Returns the orders that an error names as those without a label that can be printed so. */
function refusedAmong(error: Error | null, asked: readonly number[]): number[] {
  if (!(error instanceof ApiError)) return [];
  return error.violations.flatMap(({ pointer = '' }) => {
    const at = /^\/orderIds\/(\d+)$/.exec(pointer)?.[1];
    return at === undefined ? [] : (asked[Number(at)] ?? []);
  });
}

function keptLayout(): Layout {
  return layoutOf(localStorage.getItem(KEPT) ?? '');
}

function layoutOf(text: string): Layout {
  return Object.hasOwn(PLACES, text) ? (text as Layout) : 'original';
}

async function readLabels(
  orderIds: readonly number[],
  { layout, startAt }: { layout: Layout; startAt: number },
): Promise<string> {
  const query = new URLSearchParams({ orderIds: orderIds.join(','), layout, startAt: String(startAt), mark: 'true' });
  return (await readFile(`/api/v1/external/labels?${query}`)).url;
}
