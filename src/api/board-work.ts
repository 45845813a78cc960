/** Actions on a whole queue, by the segment behind its name. Anything else there is the id of a job. */
const QUEUE_ACTIONS: ReadonlySet<string> = new Set([
  'add',
  'clean',
  'concurrency',
  'empty',
  'job-schedulers',
  'obliterate',
  'pause',
  'promote',
  'rate-limit',
  'resume',
  'retry',
]);

const ACTION = /^[a-z-]{1,40}$/;
const NAME = /^[\w.:-]{1,200}$/;

/** Returns what a request to the board does, for the audit log. `path` is below the board, such as `/api/queues/events/7/retry`. */
export function boardWork(method: string, path: string): { operation: string; isWrite: boolean; targets: string[] } {
  const isWrite = method !== 'GET' && method !== 'HEAD';
  if (!isWrite) return { operation: 'openBoard', isWrite, targets: [] };
  const [queue = '', second = '', third] = path.split('/').slice(3).map(decoded);
  if (third === undefined && second === '') return { operation: called('queues', queue), isWrite, targets: [] };
  const onQueue = named('queue', queue);
  if (QUEUE_ACTIONS.has(second)) return { operation: called('queue', second), isWrite, targets: onQueue };
  return { operation: called('job', third ?? ''), isWrite, targets: [...onQueue, ...named('job', second)] };
}

function called(kind: string, action: string): string {
  return `${kind} ${ACTION.test(action) ? action : 'other'}`;
}

function named(kind: string, name: string): string[] {
  return NAME.test(name) ? [`${kind}:${name}`] : [];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // The board answers such a path with 400, and the row has no name of it.
    return '';
  }
}
