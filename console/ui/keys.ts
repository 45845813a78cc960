import { useEffect, useRef } from 'preact/hooks';

const TYPED = 'input:not([type=checkbox], [type=radio]), select, textarea, dialog *';

/** Runs an action for each key while the screen is shown. Keys that are typed into a field are text. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  // The newest actions, at once: the next key may come before the next frame.
  const newest = useRef(actions);
  newest.current = actions;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const { key, target } = event;
      if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.matches(TYPED)) {
        if (key === 'Escape') target.blur();
        return;
      }
      // Enter presses the button or follows the link that has the focus.
      const action = key === 'Enter' && target.matches('a, button') ? undefined : newest.current[key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}
