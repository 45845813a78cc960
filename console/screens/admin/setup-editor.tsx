import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api/client.ts';
import { t } from '../../i18n/index.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { type Reported, sendDeclaration } from './setup-api.ts';
import { SetupReport } from './setup-report.tsx';

interface SetupEditorProps {
  text: string;
  /** Keeps the text; null discards it. */
  write: (text: string | null) => void;
  onDone: (reported: Reported) => void;
}

/** A dry run of a text, and whether it came because an earlier one was outdated. */
interface Preview extends Reported {
  text: string;
  hasMoved: boolean;
}

/** Takes a declaration as text. Only the text that was previewed is applied, while the preview still holds. */
export function SetupEditor({ text, write, onDone }: SetupEditorProps) {
  const queries = useQueryClient();
  const box = useRef<HTMLTextAreaElement>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(0, 0);
  }, []);
  const tried = useMutation({
    gcTime: 0,
    mutationFn: async () => ({ ...(await sendDeclaration(text, { isDryRun: true })), text, hasMoved: false }),
    onSuccess: setPreview,
  });
  const applied = useMutation({
    gcTime: 0,
    mutationFn: (seen: Preview) => applySeen(seen),
    onSuccess: (result) => {
      if ('hasMoved' in result) setPreview(result);
      else onDone(result);
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['list'] });
      // A new company, or another name, is in the menu then.
      void queries.invalidateQueries({ queryKey: ['session'] });
    },
  });
  const isBusy = tried.isPending || applied.isPending;
  const shown = preview?.text === text ? preview : null;
  const error = tried.error ?? applied.error;
  return (
    <>
      <p class="doubts">{t('admin.setup.draft')}</p>
      <label>
        {t('admin.setup.text')}
        <textarea
          ref={box}
          class="declaration"
          rows={24}
          spellcheck={false}
          value={text}
          readOnly={isBusy}
          onInput={({ currentTarget }) => {
            tried.reset();
            applied.reset();
            write(currentTarget.value);
          }}
        />
      </label>
      {error instanceof ApiError && <Faults error={error} text={text} box={box.current} />}
      {error && !(error instanceof ApiError) && (
        <p class="problem" role="alert">
          {t('admin.setup.lost')}
        </p>
      )}
      {shown && (
        <section aria-live="polite">
          {shown.hasMoved && <p class="doubts">{t('admin.setup.moved')}</p>}
          <h3>{t('admin.setup.would')}</h3>
          <SetupReport report={shown.report} />
        </section>
      )}
      {isBusy && <p role="status">{t('admin.setup.asking')}</p>}
      <div class="actions">
        <button
          type="button"
          class={shown ? '' : 'main'}
          aria-disabled={isBusy}
          onClick={() => !isBusy && tried.mutate()}
        >
          {t('admin.setup.preview')}
        </button>
        {shown && (
          <button type="button" class="main" aria-disabled={isBusy} onClick={() => !isBusy && applied.mutate(shown)}>
            {t('admin.setup.apply')}
          </button>
        )}
        <button type="button" class="danger" onClick={() => write(null)}>
          {t('admin.setup.discard')}
        </button>
      </div>
    </>
  );
}

/** Applies what was previewed. Returns a new preview instead when the server would do something else now. */
async function applySeen(seen: Preview): Promise<Reported | Preview> {
  const now = await sendDeclaration(seen.text, { isDryRun: true });
  if (JSON.stringify(now.report) !== JSON.stringify(seen.report)) return { ...now, text: seen.text, hasMoved: true };
  return sendDeclaration(seen.text, { isDryRun: false });
}

interface FaultsProps {
  error: ApiError;
  text: string;
  box: HTMLTextAreaElement | null;
}

/** Lists the faults with their lines; a line leads to its place in the text. */
function Faults({ error, text, box }: FaultsProps) {
  const placed = error.violations.filter(({ line }) => line !== undefined);
  if (placed.length === 0) return <ProblemNote error={error} />;
  return (
    <div class="problem" role="alert">
      <p>{t('admin.setup.faults')}</p>
      <ul class="plain">
        {placed.map(({ line = 1, pointer, message }) => (
          <li key={`${line} ${pointer} ${message}`}>
            <button type="button" onClick={() => box && goTo(box, text, line)}>
              {t('admin.setup.line', { line })}
            </button>{' '}
            {pointer && <code>{pointer}</code>} {message}
          </li>
        ))}
      </ul>
      <p class="quiet">{t('problem.request', { id: error.requestId })}</p>
    </div>
  );
}

/** Selects a line, counted from one. */
function goTo(box: HTMLTextAreaElement, text: string, line: number): void {
  const lines = text.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  box.focus();
  box.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
}
