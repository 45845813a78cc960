import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface DisclosureProps {
  title: string;
  /** The name of a set of which one is open at a time. */
  group?: string;
  content: () => ComponentChildren;
}

/** Shows its content when a person opens it. Before that, nothing is asked for. */
export function Disclosure({ title, group, content }: DisclosureProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details name={group} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && content()}
    </details>
  );
}
