import { IntegrationError } from './errors.ts';
import type { TokenStore } from './tokens.ts';
import type { Effect, HttpRequest, TransportAnswer } from './transport.ts';

/** One recorded request and its answer. */
export interface TapedExchange {
  operation: string;
  effect: Effect;
  method: string;
  /** Address without host and query. */
  path: string;
  /** Null when no answer began. */
  status: number | null;
  /** The failure on the wire; null for a complete answer. */
  error: string | null;
  /** ISO 8601. */
  startedAt: string;
  /** Query, then body. */
  request: string;
  response: string;
}

const CUT_LABEL = /\[\d+ characters of base64\]/g;
const CUT_TEXT = /\[cut after \d+ of \d+ (?:characters|bytes)\]$/;
const PDF = '%PDF-1.4\n% a label that was cut out of the recording\n%%EOF\n';
const ZPL = '^XA^FXa label that was cut out of the recording^FS^XZ';

/** Returns true when only a part of the answer was kept. An answer that is itself a label is replaced anyway. */
export function isCut({ response }: TapedExchange): boolean {
  return CUT_TEXT.test(response) && !isLabel(response);
}

function isLabel(text: string): boolean {
  return text.startsWith('%PDF') || text.trimStart().startsWith('^XA');
}

/** A transport that plays recorded answers, each once, in their order. It never reaches the network. */
export class Tape {
  /** Requests that the recording does not have. */
  readonly missing: string[] = [];
  readonly #left: TapedExchange[];
  readonly #taken: TapedExchange[] = [];
  readonly #label: string;

  constructor(exchanges: readonly TapedExchange[], { isZpl }: { isZpl: boolean }) {
    this.#left = [...exchanges];
    this.#label = isZpl ? ZPL : PDF;
  }

  /** The exchanges played so far. */
  get taken(): readonly TapedExchange[] {
    return this.#taken;
  }

  readonly transport = async (request: HttpRequest): Promise<TransportAnswer> => {
    const exchange = this.#take(request);
    if (!exchange) {
      const { pathname } = new URL(request.url);
      this.missing.push(`${request.operation} (${request.method} ${pathname})`);
      throw new Error(`The recording has no answer to ${request.operation}`);
    }
    if (exchange.status === null) throw wireError(exchange.error);
    const { bytes, contentType } = this.#bodyOf(exchange);
    return {
      statusCode: exchange.status,
      headers: { 'content-type': contentType },
      body: bodyOf(bytes, exchange.error),
    };
  };

  /** Tokens are cached for hours, so a recording seldom has the request for one. */
  readonly tokens: TokenStore = {
    get: async (_key, fetch) => {
      const before = this.missing.length;
      try {
        return (await fetch()).value;
      } catch (error) {
        if (!(error instanceof IntegrationError) || this.missing.length === before) throw error;
        this.missing.splice(before);
        return 'recorded';
      }
    },
    forget: async () => undefined,
  };

  /** Prefers the same path: requests about several parcels are sent side by side. */
  #take({ operation, method, url }: HttpRequest): TapedExchange | undefined {
    const { pathname } = new URL(url);
    const fits = this.#left.filter((one) => one.operation === operation && one.method === method);
    const exchange = fits.find(({ path }) => path === pathname) ?? fits[0];
    if (!exchange) return undefined;
    this.#left.splice(this.#left.indexOf(exchange), 1);
    this.#taken.push(exchange);
    return exchange;
  }

  #bodyOf({ response }: TapedExchange): { bytes: Buffer; contentType: string } {
    if (isLabel(response)) return { bytes: Buffer.from(this.#label), contentType: 'application/octet-stream' };
    const text = response.replaceAll(CUT_LABEL, Buffer.from(this.#label).toString('base64'));
    // The recording holds text, which is encoded again as its header says.
    const isLatin1 = /^\s*<\?xml[^>]*encoding=["']iso-8859-1/i.test(text);
    const charset = isLatin1 ? 'iso-8859-1' : 'utf-8';
    const type = /^\s*[[{]/.test(text) ? 'application/json' : /^\s*</.test(text) ? 'text/xml' : 'text/plain';
    return { bytes: Buffer.from(text, isLatin1 ? 'latin1' : 'utf8'), contentType: `${type}; charset=${charset}` };
  }
}

async function* bodyOf(bytes: Buffer, error: string | null): AsyncGenerator<Buffer> {
  yield bytes;
  if (error !== null) throw wireError(error);
}

function wireError(code: string | null): Error {
  return Object.assign(new Error(`The recording says ${code}`), { code: code ?? 'UNKNOWN' });
}
