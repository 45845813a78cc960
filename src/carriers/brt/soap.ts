import { XMLParser, XMLValidator } from 'fast-xml-parser';
import iconv from 'iconv-lite';
import { z } from 'zod';
import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import { hasMuchMarkup, MAX_MARKUP } from '../../lib/markup.ts';
import type { CarrierContext } from '../adapter.ts';
import { PROVIDER } from './codes.ts';
import { type Account, wholeNumber } from './schema.ts';

/** The service descriptions name plain http on another port; TLS is served here. */
const HOST = 'https://wsr.brt.it:10052';

export type SoapOperation = 'GetIdSpedizioneByRMN' | 'BRT_TrackingByBRTshipmentID';

const parser = new XMLParser({
  removeNSPrefix: true,
  ignoreAttributes: true,
  parseTagValue: false,
  ignoreDeclaration: true,
  htmlEntities: true,
});

/** Asks the tracking services, which only read. Returns the content of `return`. */
export async function callSoap(
  { account, http }: CarrierContext<Account>,
  operation: SoapOperation,
  input: Record<string, string>,
): Promise<Record<string, unknown>> {
  const name = operation.toLowerCase();
  const fields = Object.entries(input).map(([field, value]) => `<${field}>${escapeXml(value)}</${field}>`);
  const { body } = await http.send({
    operation,
    effect: 'read',
    method: 'POST',
    url: `${account.soapBaseUrl ?? HOST}/web/${operation}Service/${operation}`,
    headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' },
    maxBytes: 1024 * 1024,
    body:
      `<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:brt="http://${name}.wsbeans.iseries/">` +
      `<soapenv:Body><brt:${name}><arg0>${fields.join('')}</arg0></brt:${name}></soapenv:Body></soapenv:Envelope>`,
  });
  return returnOf(decode(body));
}

function decode(body: Buffer): string {
  const declared = /^<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(body.toString('latin1', 0, 200))?.[1];
  return iconv.decode(body, declared && iconv.encodingExists(declared) ? declared : 'utf-8');
}

const Envelope = z.object({
  Envelope: z.object({ Body: z.record(z.string(), z.object({ return: z.record(z.string(), z.unknown()) })) }),
});

function returnOf(xml: string): Record<string, unknown> {
  if (hasMuchMarkup(xml)) throw tooLarge();
  if (XMLValidator.validate(xml.trim()) !== true) throw new Error('The answer is not XML');
  const [answer] = Object.values(Envelope.parse(parser.parse(xml.trim())).Envelope.Body);
  if (!answer) throw new Error('The answer is empty');
  return answer.return;
}

function tooLarge(): IntegrationError {
  const message = `${PROVIDER} answered more than ${MAX_MARKUP} tags`;
  return new IntegrationError(message, { kind: 'retryable', provider: PROVIDER, code: 'answer-too-large' });
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export const NOT_FOUND = -11;
const NOT_UNIQUE = -22;
/** Unknown language: the answer is there, in Italian. */
const IN_ITALIAN = 2;

/** ESITO of the tracking services, from public clients as read on 2026-11-21. */
export const ESITI: Readonly<Record<number, { kind: FailureKind; advice: string }>> = {
  [-1]: { kind: 'retryable', advice: 'a fault at BRT: it is asked again' },
  [-3]: { kind: 'retryable', advice: 'the database of BRT is not available: it is asked again' },
  [-4]: { kind: 'permanent', advice: 'a mandatory parameter is missing' },
  [-5]: { kind: 'permanent', advice: 'a parameter has an invalid value' },
  [-10]: { kind: 'permanent', advice: 'a shipment id has twelve digits' },
  [NOT_FOUND]: { kind: 'permanent', advice: 'BRT has no such shipment' },
  [-20]: { kind: 'permanent', advice: 'the numeric reference has more than fifteen digits' },
  [-21]: { kind: 'permanent', advice: 'senderCustomerCode is not a customer of BRT: correct the account' },
  [NOT_UNIQUE]: {
    kind: 'permanent',
    advice:
      'BRT has several shipments with this reference and cannot tell them apart: ask the depot to delete all of them',
  },
  [-23]: { kind: 'permanent', advice: 'the alphanumeric reference is missing or longer than fifteen characters' },
  [-30]: { kind: 'permanent', advice: 'the parcel id is missing or longer than 35 characters' },
};

/** Returns zero for every good answer. */
export function esitoOf(value: unknown): number {
  const esito = wholeNumber.parse(value);
  return esito === IN_ITALIAN ? 0 : esito;
}

export function esitoFailure(esito: number): IntegrationError {
  const meaning = ESITI[esito];
  return new IntegrationError(
    `${PROVIDER} answered outcome ${esito}: ${meaning?.advice ?? 'a code that is not known here'}`,
    {
      kind: meaning?.kind ?? 'retryable',
      provider: PROVIDER,
      code: meaning === undefined ? 'answer-unreadable' : meaning.kind === 'permanent' ? 'refused' : 'partner-broken',
    },
  );
}
