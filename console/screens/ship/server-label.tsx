import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, api, body } from '../../api/client.ts';
import { type Printer, type PrintJob, printOn } from '../../api/printers.ts';
import { t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { useTypedKey } from './label.tsx';
import { notPrintedWords } from './printer-words.ts';

interface ServerLabelProps {
  shipmentId: number;
  printer: Printer;
  printsAtOnce: boolean;
  isPrinted: boolean;
  onPrinted: () => void;
  /** Runs when a person must look after the label. */
  onTrouble: () => void;
}

/** The state of the paper. `doubted`: the label was printed, or may have been, before this page asked. */
type State = PrintJob['status'] | 'doubted' | 'marked' | 'new';

/** Prints a label on a printer of the server, and says what became of the paper. Only a person repeats what may be printed. */
export function ServerLabel({ shipmentId, printer, printsAtOnce, isPrinted, onPrinted, onTrouble }: ServerLabelProps) {
  const queries = useQueryClient();
  const [copies, setCopies] = useState(0);
  const onSettled = (): void => {
    void queries.invalidateQueries({ queryKey: ['list'] });
    // No event tells of a print, and the page of an order shows it.
    void queries.invalidateQueries({ queryKey: ['order'] });
  };
  const print = useMutation({
    mutationFn: (isCopy: boolean) => printOn({ shipmentId, printer: printer.key, isCopy, key: crypto.randomUUID() }),
    onSuccess: ({ status, isCopy }) => {
      if (status === 'printed' && isCopy) setCopies((before) => before + 1);
      if (status !== 'printed') onTrouble();
    },
    onError: onTrouble,
    onSettled,
  });
  const mark = useMutation({
    mutationFn: () =>
      body(
        api.POST('/api/v1/external/shipment/{id}/printed', {
          params: { path: { id: shipmentId } },
          body: { printed: true },
        }),
      ),
    onSettled,
  });
  const isKnown = print.error instanceof ApiError && print.error.code === 'already-printed';
  const state: State = mark.isSuccess ? 'marked' : isKnown ? 'doubted' : (print.data?.status ?? 'new');
  const mayExist = isPrinted || copies > 0 || ['printed', 'unknown', 'doubted', 'marked'].includes(state);
  const ask = (): void => {
    if (print.isPending) return;
    mark.reset();
    print.mutate(mayExist);
    onPrinted();
  };
  useTypedKey('F9', ask);
  useEffect(() => {
    if (printsAtOnce) ask();
  }, []);
  const isOpen = !print.isPending && (state === 'unknown' || state === 'doubted');
  return (
    <>
      <div class="actions">
        <button type="button" class="main" aria-keyshortcuts="F9" disabled={print.isPending} onClick={ask}>
          {t(isOpen ? 'ship.printCopy' : mayExist ? 'ship.printAgain' : 'ship.print')}
        </button>
        {isOpen && (
          <button type="button" disabled={mark.isPending} onClick={() => mark.mutate()}>
            {t('ship.isPrinted')}
          </button>
        )}
        <span role="status">{calmWords({ isPending: print.isPending, state, printer, copies, isPrinted })}</span>
      </div>
      <div role="alert" class={isOpen || state === 'not-printed' ? 'loud' : ''}>
        {isOpen && (
          <p>{t(state === 'unknown' ? 'ship.mayBePrinted' : 'ship.mayBePrintedBefore', { printer: printer.name })}</p>
        )}
        {!print.isPending && state === 'not-printed' && print.data && (
          <p>{notPrintedWords(print.data, printer.name)}</p>
        )}
      </div>
      {print.error && !isKnown && <ProblemNote error={print.error} />}
      {mark.error && <ProblemNote error={mark.error} />}
    </>
  );
}

function calmWords({
  isPending,
  state,
  printer,
  copies,
  isPrinted,
}: {
  isPending: boolean;
  state: State;
  printer: Printer;
  copies: number;
  isPrinted: boolean;
}): string {
  if (isPending) return t('ship.printing', { printer: printer.name });
  if (state === 'marked') return t('ship.marked');
  if (state !== 'printed') return '';
  return t(copies > 0 || isPrinted ? 'ship.printedTwice' : 'ship.printedOn', { printer: printer.name });
}
