import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** Shows its content when a person opens it. Before that, nothing is asked for. */
export function Disclosure({ title, content }: { title: string; content: () => ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && content()}
    </details>
  );
}
