import { encodeIpp } from '../../src/lib/ipp.ts';
import type { Reply } from './fake-server.ts';

/** States of a job (RFC 8011, section 5.3.7). */
export const IPP_STATES = { pending: 3, processing: 5, stopped: 6, aborted: 8, completed: 9 } as const;

/** Returns an answer of a printer about its job. Its head is that of a request, with the status in place of the operation. */
export function ippReply(status: number, state: number, reason = 'none'): Reply {
  const body = encodeIpp(status, 1, [
    { tag: 'integer', name: 'job-id', value: 7 },
    { tag: 'enum', name: 'job-state', value: state },
    { tag: 'keyword', name: 'job-state-reasons', value: [reason] },
  ]);
  return { headers: { 'content-type': 'application/ipp' }, body };
}
