/** Reads a list to its end. Throws `stuck()` when the next page is the one that was just read: the list would never end. */
export async function allPages<Element>(
  read: (token: string | null) => Promise<{ elements: readonly Element[]; next: string | null }>,
  { from = null, stuck }: { from?: string | null; stuck: () => Error },
): Promise<Element[]> {
  const elements: Element[] = [];
  let token = from;
  do {
    const page = await read(token);
    elements.push(...page.elements);
    if (page.next !== null && page.next === token) throw stuck();
    token = page.next;
  } while (token !== null);
  return elements;
}

/**
 * Reads a page by its offset. Orders that changed meanwhile have left the window and moved the rest forward. So a
 * list that shrank since the page before is read again from further ahead.
 */
export async function pageByOffset<Page>(
  { offset, total }: { offset: number; total: number },
  read: (offset: number) => Promise<{ page: Page; total: number }>,
): Promise<{ page: Page; offset: number; total: number }> {
  const answer = await read(offset);
  if (answer.total >= total) return { ...answer, offset };
  const earlier = Math.max(0, offset - (total - answer.total));
  return { ...(await read(earlier)), offset: earlier };
}
