/**
 * Texts that were typed and not applied, by person and company. They are only in memory, because a text may hold secrets. They outlive
 * the end of a session: after the login of the same person they are there again.
 */
const drafts = new Map<string, string>();

addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});

export function draftOf(owner: string): string | null {
  return drafts.get(owner) ?? null;
}

/** Keeps a text; null forgets it. */
export function keepDraft(owner: string, text: string | null): void {
  if (text === null) drafts.delete(owner);
  else drafts.set(owner, text);
}
