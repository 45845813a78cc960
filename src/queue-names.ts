import { closest } from 'fastest-levenshtein';
import { UsageError } from './lib/errors.ts';

/** Refuses a queue that no loaded adapter has: its worker would start and never work. */
export async function checkQueueNames(names: readonly string[], adapters: readonly string[]): Promise<void> {
  const [{ loadAdapters }, queues] = await Promise.all([import('./load-adapters.ts'), import('./queue/jobs.ts')]);
  const { carriers, marketplaces } = await loadAdapters(adapters);
  const known = [
    ...[...carriers.keys()].flatMap((code) => [queues.carrierQueue(code), queues.trackingQueue(code)]),
    ...[...marketplaces.keys()].map((code) => queues.marketplaceQueue(code)),
    queues.EVENTS_QUEUE,
  ];
  for (const name of names) {
    if (known.includes(name)) continue;
    // The beginning of a name says more than its distance: carrier-gls is nearer to carrier-ups than to carrier-gls-it.
    const nearest = known.find((one) => one.startsWith(name)) ?? closest(name, known);
    throw new UsageError(`There is no queue ${name}. Did you mean ${nearest}? The queues are ${known.join(', ')}`);
  }
}
