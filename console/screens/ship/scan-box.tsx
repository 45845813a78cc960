import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import type { Packing, Phase } from './use-packing.ts';

/** A scanner sends its next key within this time, so a digit that stays alone is a person's choice. */
const ALONE_MS = 150;
const TYPED = 'input:not([type=checkbox]), select, textarea, dialog *';

interface ScanBoxProps {
  box: RefObject<HTMLInputElement>;
  phase: Phase;
  packing: Packing;
}

/** Takes what the scanner types, wherever the focus was, and single digits as choices. */
export function ScanBox({ box, phase, packing }: ScanBoxProps) {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => {
    box.current?.focus();
    const toBox = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
      if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return;
      if (target instanceof Element && !target.matches(TYPED)) box.current?.focus();
    };
    // A pressed button has done its work: the next key is the scanner's.
    const afterClick = ({ target }: MouseEvent): void => {
      if (target instanceof Element && target.closest('main button')) box.current?.focus();
    };
    const back = (): void => keepFocus(box.current);
    addEventListener('keydown', toBox);
    addEventListener('click', afterClick);
    addEventListener('focus', back);
    return () => {
      removeEventListener('keydown', toBox);
      removeEventListener('click', afterClick);
      removeEventListener('focus', back);
    };
  }, [box]);
  const choose = (): void => {
    clearTimeout(timer.current);
    const input = box.current;
    const takesDigits = phase.name === 'choose' || phase.name === 'pack';
    if (!input || !takesDigits || !/^[1-9]$/.test(input.value)) return;
    timer.current = setTimeout(() => {
      if (!/^[1-9]$/.test(input.value)) return;
      packing.press(input.value);
      input.value = '';
    }, ALONE_MS);
  };
  return (
    <form
      class="scan"
      onSubmit={(event) => {
        event.preventDefault();
        clearTimeout(timer.current);
        const input = box.current;
        if (!input) return;
        const code = input.value.trim();
        input.value = '';
        packing.scan(code);
      }}
    >
      <label>
        {phase.name === 'pack' ? t('ship.scanProduct') : t('ship.scanOrder')}
        <input
          ref={box}
          name="code"
          autoComplete="off"
          autoCapitalize="off"
          spellcheck={false}
          maxLength={120}
          onInput={choose}
          onBlur={() => setTimeout(() => keepFocus(box.current))}
        />
      </label>
      <p class="quiet">{t('ship.keys')}</p>
    </form>
  );
}

/** Takes the focus back from where keys get lost: a click beside every field, a shown label, the dialog of the printer. */
function keepFocus(box: HTMLInputElement | null): void {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement instanceof HTMLIFrameElement) box?.focus();
}
