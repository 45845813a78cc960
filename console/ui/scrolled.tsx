import type { ComponentChildren } from 'preact';

/** Shows content that may be wider than the screen. The keyboard reaches it too, to scroll it. */
export function Scrolled({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: only a focused region scrolls by keyboard
    <section class="scrolled" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
