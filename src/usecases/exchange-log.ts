import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { Exchange } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import type { RecordedExchange } from '../lib/http.ts';

const compress = promisify(zstdCompress);

const MAX_BODY_CHARACTERS = 16_384;
/** Label bytes are kept as documents; in an exchange they are only weight. */
const LONG_BASE64 = /[A-Za-z0-9+/=]{400,}/g;

export interface ExchangeOwner {
  companyId: number;
  shipmentId: number | null;
  attemptId: number | null;
  requestId: string;
  provider: string;
}

/** Removes secrets, as written and as encoded in forms, and shortens what is long. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text.replace(LONG_BASE64, (found) => `[${found.length} characters of base64]`);
  for (const secret of secrets) {
    for (const form of formsOf(secret)) clean = clean.replaceAll(form, '***');
  }
  return clean.length > MAX_BODY_CHARACTERS ? `${clean.slice(0, MAX_BODY_CHARACTERS)}[cut]` : clean;
}

/** A secret as it may stand in an address, a form, XML, XML inside a form, JSON or base64; the longest first. */
function formsOf(secret: string): string[] {
  const xml = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = xml.replaceAll('"', '&quot;').replaceAll("'", '&apos;');
  const written = [secret, xml, quoted].flatMap((text) => [
    text,
    encodeURIComponent(text),
    new URLSearchParams([['', text]]).toString().slice(1),
  ]);
  const forms = new Set([...written, JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString('base64')]);
  return [...forms].toSorted((a, b) => b.length - a.length);
}

/** Writes down what was said on the wire. Called after the call, outside its transaction, whatever its outcome. */
export async function storeExchanges(
  em: Em,
  owner: ExchangeOwner,
  exchanges: readonly RecordedExchange[],
  secrets: readonly string[],
): Promise<void> {
  const rows = await Promise.all(
    exchanges.map(async (exchange) => ({
      ...owner,
      operation: exchange.operation,
      effect: exchange.effect,
      method: exchange.method,
      url: exchange.url.split('?')[0] ?? '',
      status: exchange.status,
      error: exchange.error,
      durationMs: exchange.durationMs,
      startedAt: exchange.startedAt,
      bodies: await compress(
        JSON.stringify({
          request: redact(exchange.requestBody || (exchange.url.split('?')[1] ?? ''), secrets),
          response: redact(exchange.responseBody, secrets),
        }),
      ),
    })),
  );
  if (rows.length > 0) await em.insertMany(Exchange, rows);
}
