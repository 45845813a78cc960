import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../i18n/index.ts';
import { ProblemNote } from './problem-note.tsx';

interface AskDialogProps {
  title: string;
  /** The word on the button that does it. */
  confirm: string;
  isDangerous?: boolean;
  /** True while nothing can be confirmed. The button keeps its focus meanwhile, which a disabled one would lose. */
  isPending: boolean;
  /** Another thing that may be done instead. */
  instead?: { name: string; onConfirm: (form: FormData) => void } | undefined;
  error: Error | null;
  onConfirm: (form: FormData) => void;
  onEnd: () => void;
  children: ComponentChildren;
}

/** Says what will happen, asks for what it needs, and waits for Enter or Escape. */
export function AskDialog({
  title,
  confirm,
  isDangerous,
  isPending,
  error,
  instead,
  onConfirm,
  onEnd,
  children,
}: AskDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // Before the next key: fast typists press Enter at once.
  useLayoutEffect(() => {
    dialog.current?.showModal();
    (dialog.current?.querySelector<HTMLElement>('[required]') ?? button.current)?.focus();
  }, []);
  return (
    <dialog ref={dialog} aria-label={title} onClose={onEnd}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isPending) return;
          const isInstead = instead && event.submitter?.getAttribute('value') === 'instead';
          (isInstead ? instead.onConfirm : onConfirm)(new FormData(event.currentTarget));
        }}
      >
        <h2>{title}</h2>
        {children}
        {error && <ProblemNote error={error} />}
        <div class="actions">
          <button ref={button} type="submit" class={isDangerous ? 'danger' : 'main'} aria-disabled={isPending}>
            {confirm}
          </button>
          {instead && (
            <button type="submit" value="instead" aria-disabled={isPending}>
              {instead.name}
            </button>
          )}
          <button type="button" onClick={() => dialog.current?.close()}>
            {t('order.back')}
          </button>
        </div>
      </form>
    </dialog>
  );
}
