import { IntegrationError } from '../../lib/errors.ts';
import type { Effect } from '../../lib/http.ts';
import type { CarrierContext } from '../contract.ts';
import type { Account } from './schema.ts';
import { decodeXml, findAll, parseXml, type XmlNode } from './xml.ts';

export const PROVIDER = 'GLS Italy';

type Context = CarrierContext<Account>;

export interface FormCall {
  method: string;
  effect: Effect;
  form: Record<string, string | number>;
  timeoutMs?: number;
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

/** The tracking document; it knows no password, the contract code is its only key. */
export async function callTracking(context: Context, query: Record<string, string>): Promise<XmlNode> {
  const base = `${context.account.baseUrl ?? 'https://infoweb.gls-italy.com'}/XML/get_xml_track.php`;
  const { body } = await context.http.send({
    operation: 'Tracking',
    effect: 'read',
    method: 'GET',
    url: `${base}?${new URLSearchParams(query)}`,
  });
  return parseXml(decodeXml(body, 'iso-8859-1'));
}

/** The credentials as the methods with flat parameters want them; mind that the label getters name them otherwise. */
export function flatCredentials({ sedeGls, codiceClienteGls, passwordClienteGls }: Account): Record<string, string> {
  return { SedeGls: sedeGls, CodiceClienteGls: codiceClienteGls, PasswordClienteGls: passwordClienteGls };
}

async function callForm({ http }: Context, base: string, call: FormCall): Promise<XmlNode> {
  const form = Object.entries(call.form).map(([name, value]): [string, string] => [name, String(value)]);
  const { body, headers } = await http.send({
    operation: call.method,
    effect: call.effect,
    method: 'POST',
    url: `${base}/${call.method}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
    body: new URLSearchParams(form).toString(),
    ...(call.timeoutMs === undefined ? {} : { timeoutMs: call.timeoutMs }),
  });
  const charset = /charset=["']?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1];
  const root = parseXml(decodeXml(body, charset ?? 'utf-8'));
  refuseWholeCall(root);
  return root;
}

const LOGIN = /\blogin\b|password|credenzial|autenticaz/i;
/** GLS asks to repeat, so it does not say that nothing was done. */
const TRANSIENT = /anomalia|ripet|riprov|non raggiungibile|irraggiungibile/i;
/** DeleteSped answers its success in the field that is the error of other methods. */
const NOT_AN_ERROR = /^OK$|^Eliminazione |non presente\.?$/i;

/** A fault of the whole call hides behind a 200 in `DescrizioneErrore`. */
function refuseWholeCall(root: XmlNode): void {
  const words = findAll(root, ({ name }) => name === 'DescrizioneErrore')
    .map((node) => node.text)
    .find((text) => text !== '' && !NOT_AN_ERROR.test(text));
  if (words !== undefined) throw refusal(words);
}

/** The carrier's words as a failure: permanent, unless it asks to try again. */
export function refusal(words: string): IntegrationError {
  const [kind, code] = LOGIN.test(words)
    ? (['permanent', 'credentials-refused'] as const)
    : TRANSIENT.test(words)
      ? (['retryable', 'partner-broken'] as const)
      : (['permanent', 'refused'] as const);
  const isAuthoritative = code === 'refused';
  const options = { kind, provider: PROVIDER, code, body: words, isAuthoritative };
  return new IntegrationError(`${PROVIDER} refused: ${words}`, options);
}
