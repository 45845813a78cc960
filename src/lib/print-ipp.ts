import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { decodeIpp, encodeIpp, IPP_OPERATIONS, type IppAnswer, type IppAttribute } from './ipp.ts';
import type { PrintResult } from './print-raw.ts';
import type { PrinterAddress } from './printer-address.ts';

export interface IppPrint {
  address: PrinterAddress;
  /** An IP address that was checked: every request of this job goes to it. */
  ip: string;
  bytes: Uint8Array;
  /** The MIME type of the document, such as `application/pdf`. */
  contentType: string;
  /** Names the job on the printer's display. */
  jobName: string;
  signal: AbortSignal;
  /** Milliseconds for one request. */
  requestMs?: number;
  /** Milliseconds until a job that is not finished counts as unknown: paper may be missing. */
  jobMs?: number;
  pollMs?: number;
}

const CONNECT_MS = 5000;
const REQUEST_MS = 30_000;
const JOB_MS = 120_000;
const POLL_MS = 500;
const MAX_ANSWER = 256 * 1024;

/** RFC 8011, appendix B: below this a request was carried out. */
const FIRST_ERROR = 0x0100;
/** RFC 8011, section 5.3.7. */
const STATE = { canceled: 7, aborted: 8, completed: 9 } as const;
/** Nothing was sent when a connection failed with one of these. */
const BEFORE_SENDING =
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/;

/**
 * Prints over IPP (RFC 8011) and waits until the printer says that the job is completed. A refusal means that nothing
 * was printed. A job that was accepted and did not complete may have been printed in part.
 */
export async function printIpp(print: IppPrint): Promise<PrintResult> {
  const { bytes, contentType, jobName, signal } = print;
  if (signal.aborted) return { outcome: 'not-printed', error: 'stopped' };
  const client = openClient(print);
  try {
    const accepted = await client.ask(
      IPP_OPERATIONS.printJob,
      [
        { tag: 'name', name: 'job-name', value: jobName },
        { tag: 'mime', name: 'document-format', value: contentType },
      ],
      bytes,
    );
    if (accepted.status >= FIRST_ERROR) {
      return { outcome: 'not-printed', error: 'refused', reason: wordsOf(accepted) };
    }
    const [jobId] = accepted.attributes.get('job-id') ?? [];
    if (typeof jobId !== 'number') return { outcome: 'unknown', error: 'connection-lost' };
    return await awaitJob(client, jobId, print);
  } catch (error) {
    if (isBeforeSending(error)) return { outcome: 'not-printed', error: 'unreachable' };
    return { outcome: 'unknown', error: signal.aborted ? 'stopped' : 'connection-lost' };
  } finally {
    await client.close();
  }
}

async function awaitJob(
  client: Client,
  jobId: number,
  { signal, jobMs = JOB_MS, pollMs = POLL_MS }: IppPrint,
): Promise<PrintResult> {
  const until = performance.now() + jobMs;
  let reason = '';
  while (performance.now() < until) {
    const answer = await client.ask(IPP_OPERATIONS.getJobAttributes, [
      { tag: 'integer', name: 'job-id', value: jobId },
      { tag: 'keyword', name: 'requested-attributes', value: ['job-state', 'job-state-reasons'] },
    ]);
    const [state] = answer.attributes.get('job-state') ?? [];
    reason = wordsOf(answer);
    if (state === STATE.completed) return { outcome: 'printed' };
    // Some printers forget a job as soon as it ends.
    if (answer.status >= FIRST_ERROR || state === STATE.canceled || state === STATE.aborted) {
      return { outcome: 'unknown', error: 'job-stopped', reason };
    }
    await delay(pollMs, undefined, { signal });
  }
  return { outcome: 'unknown', error: 'timed-out', reason };
}

/** Returns the printer's own words about a job, such as `media-empty-report`. */
function wordsOf({ status, attributes }: IppAnswer): string {
  const words = attributes.get('job-state-reasons') ?? attributes.get('status-message') ?? [];
  const said = words.filter((word) => word !== 'none').join(', ');
  return (said === '' ? `status 0x${status.toString(16).padStart(4, '0')}` : said).slice(0, 200);
}

interface Client {
  ask(operation: number, attributes: readonly IppAttribute[], document?: Uint8Array): Promise<IppAnswer>;
  close(): Promise<void>;
}

function openClient({ address, ip, signal, requestMs = REQUEST_MS }: IppPrint): Client {
  const { scheme, port, path } = address;
  const host = address.host.includes(':') ? `[${address.host}]` : address.host;
  const family = ip.includes(':') ? 6 : 4;
  const agent = new Agent({
    connections: 1,
    pipelining: 1,
    connect: {
      timeout: CONNECT_MS,
      lookup: (_name, options, done) => (options.all ? done(null, [{ address: ip, family }]) : done(null, ip, family)),
    },
  });
  let requestId = 0;
  return {
    async ask(operation, attributes, document = new Uint8Array()) {
      requestId += 1;
      const target: IppAttribute = { tag: 'uri', name: 'printer-uri', value: `${scheme}://${host}:${port}${path}` };
      const head = encodeIpp(operation, requestId, [target, ...inOrder(attributes)]);
      const answer = await request(`${scheme === 'ipps' ? 'https' : 'http'}://${host}:${port}${path}`, {
        dispatcher: agent,
        method: 'POST',
        headers: { 'content-type': 'application/ipp' },
        body: Buffer.concat([head, document]),
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
      });
      return decodeIpp(await readAnswer(answer.body));
    },
    close: () => agent.destroy(),
  };
}

/** RFC 8011, section 4.1.5: the job follows the printer directly. */
function inOrder(attributes: readonly IppAttribute[]): IppAttribute[] {
  const user: IppAttribute = { tag: 'name', name: 'requesting-user-name', value: 'smista' };
  const job = attributes.filter(({ name }) => name === 'job-id');
  return [...job, user, ...attributes.filter(({ name }) => name !== 'job-id')];
}

async function readAnswer(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER) throw new RangeError('The IPP answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isBeforeSending(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause ?? (at as AggregateError).errors?.[0]) {
    if (BEFORE_SENDING.test(String((at as { code?: unknown }).code ?? ''))) return true;
  }
  return false;
}
