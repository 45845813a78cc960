import { IntegrationError } from '../../lib/errors.ts';
import type { Effect } from '../../lib/http.ts';
import type { CarrierContext } from '../adapter.ts';
import type { Account } from './schema.ts';
import { decodeXml, findAll, PROVIDER, parseXml, type XmlNode } from './xml.ts';

export { PROVIDER };

/** Bytes of an answer without files or lists. */
const MAX_BYTES = 1024 * 1024;

type Context = CarrierContext<Account>;

export interface FormCall {
  method: string;
  effect: Effect;
  form: Record<string, string | number>;
  timeoutMs?: number;
  /** Limits of the answer, where it holds files or a long list: its bytes, and its tags. */
  maxBytes?: number;
  maxMarkup?: number;
  /** GLS's words about a shipment come in the field that is the error of the whole call elsewhere. */
  answersInErrorField?: true;
}

/** Calls one method of the label service by its HTTP POST form transport. */
export function callLabelService(context: Context, call: FormCall): Promise<XmlNode> {
  return callForm(
    context,
    `${context.account.baseUrl ?? 'https://labelservice.gls-italy.com'}/ilswebservice.asmx`,
    call,
  );
}

export function callAddressService(context: Context, call: FormCall): Promise<XmlNode> {
  return callForm(
    context,
    `${context.account.baseUrl ?? 'https://checkaddress.gls-italy.com'}/wscheckaddress.asmx`,
    call,
  );
}

/** Fetches the tracking document; it knows no password, the contract code is its only key. */
export async function callTracking(context: Context, query: Record<string, string>): Promise<XmlNode> {
  const base = `${context.account.baseUrl ?? 'https://infoweb.gls-italy.com'}/XML/get_xml_track.php`;
  const { body } = await context.http.send({
    operation: 'Tracking',
    effect: 'read',
    method: 'GET',
    url: `${base}?${new URLSearchParams(query)}`,
    maxBytes: MAX_BYTES,
  });
  return parseXml(decodeXml(body, 'iso-8859-1'));
}

/** Returns the credentials as methods with flat parameters want them; the label getters name them otherwise. */
export function flatCredentials({ sedeGls, codiceClienteGls, passwordClienteGls }: Account): Record<string, string> {
  return { SedeGls: sedeGls, CodiceClienteGls: codiceClienteGls, PasswordClienteGls: passwordClienteGls };
}

async function callForm({ http }: Context, base: string, call: FormCall): Promise<XmlNode> {
  const form = Object.entries(call.form).map(([name, value]): [string, string] => [name, String(value)]);
  const { status, body, headers } = await http.send({
    operation: call.method,
    effect: call.effect,
    method: 'POST',
    url: `${base}/${call.method}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: new URLSearchParams(form).toString(),
    ...(call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs }),
    maxBytes: call.maxBytes ?? MAX_BYTES,
  });
  // GLS answers with 200, whatever it says: anything else is the answer of something in between.
  if (status !== 200) throw new Error(`${status} is no answer`);
  const charset = /charset=["']?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1];
  const root = parseXml(decodeXml(body, charset ?? 'utf-8'), call.maxMarkup);
  refuseWholeCall(root, call);
  return root;
}

/** The login, or a function that the depot has not enabled for the account. */
const ACCOUNT = /\blogin\b|password|credenzial|autenticaz|funzion(e|alit[aà]['’]?) non abilitata/i;
/**
 * GLS asks to repeat, or its own parts cannot reach each other: neither says that nothing was done. "Impossibile
 * connettersi al web server centrale." is from the label manual, read on 2026-11-22.
 */
const TRANSIENT = /anomalia|ripet|riprov|non raggiungibile|irraggiungibile|impossibile connettersi/i;
const OF_A_SHIPMENT = /\bspedizione\b/i;

export function isTransient(words: string): boolean {
  return TRANSIENT.test(words);
}

/** Returns the words of `DescrizioneErrore`; empty when there are none. */
export function errorFieldOf(root: XmlNode): string {
  const errors = findAll(root, ({ name }) => name === 'DescrizioneErrore').map((node) => node.text);
  return errors.find((text) => text !== '' && text !== 'OK') ?? '';
}

/** A fault of the whole call hides behind a 200. It is about the account or the request, so it settles no earlier try. */
function refuseWholeCall(root: XmlNode, { answersInErrorField }: FormCall): void {
  const words = errorFieldOf(root);
  if (words === '' || (answersInErrorField && OF_A_SHIPMENT.test(words))) return;
  throw refusal(words);
}

/**
 * Makes an error of GLS's words: permanent, unless they ask to try again. `isOfShipment`: they are about that one
 * alone.
 */
export function refusal(words: string, { isOfShipment = false } = {}): IntegrationError {
  const [kind, code] = ACCOUNT.test(words)
    ? (['permanent', 'credentials-refused'] as const)
    : TRANSIENT.test(words)
      ? (['retryable', 'partner-broken'] as const)
      : (['permanent', 'refused'] as const);
  const isAuthoritative = isOfShipment && code === 'refused';
  const options = { kind, provider: PROVIDER, code, body: words, isAuthoritative };
  return new IntegrationError(`${PROVIDER} refused: ${words}`, options);
}
