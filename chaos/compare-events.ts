import type { Books, Finding } from './compare-books.ts';

/** Checks that each company's receiver got every event at least once, first in the order of their numbers, and no unknown one. */
export function checkEvents({ database, taken }: Books): Finding[] {
  const findings: Finding[] = [];
  const finding = (kind: Finding['kind'], text: string): void => void findings.push({ kind, orderId: null, text });
  const takenBy = Map.groupBy(taken, (event) => event.company);
  const bookOf = Map.groupBy(database.events, (event) => event.company);
  for (const [company, events] of bookOf) {
    const numbers = new Map(events.map(({ sequence, type }) => [sequence, type]));
    const missing = events.filter(({ sequence }) => sequence === null).length;
    if (missing > 0) finding('lost', `${missing} events of ${company} have no number`);
    for (let sequence = 1; sequence <= events.length - missing; sequence++) {
      if (!numbers.has(sequence)) finding('lost', `event ${sequence} of ${company} is not there: a gap`);
    }
    let last = 0;
    const ids = new Map<number, string>();
    for (const { sequence, type, id } of takenBy.get(company) ?? []) {
      if (numbers.get(sequence) !== type)
        finding('lie', `${company} was told of event ${sequence} (${type}), and has none`);
      if (ids.has(sequence) && ids.get(sequence) !== id) finding('lie', `event ${sequence} of ${company} has two ids`);
      if (!ids.has(sequence) && sequence !== last + 1) {
        finding('lie', `${company} was told of event ${sequence} after event ${last}`);
      }
      last = Math.max(last, sequence);
      ids.set(sequence, id);
    }
    const untold = events.length - missing - ids.size;
    if (untold > 0) finding('lost', `${company} was not told of ${untold} of ${events.length} events`);
  }
  return findings;
}
