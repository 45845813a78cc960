import type { Placeholders } from './placeholders.ts';

/** Fields that hold personal data in every answer, also data that neither our rows nor our request had. */
const PERSONAL =
  /(first|last|full|contact|attention|consignee|recipient|sender|shipper|company|customer|person|buyer|signed_?by)_?name|surname|cognome|ragionesociale|^indirizzo|^address(line)?_?\d?$|street|phone|telefono|cellulare|mobile|e?-?mail$|firma(tario)?$|signature|^destinatario$|codicefiscale|partitaiva|tax_?(code|id|number)|vat_?number/i;
const SECRET = /token$|password|secret|authorization|api_?-?key|^pwd$/i;
/** A label's shape without its content, which adapters still parse. */
const EMPTY_PDF = '%PDF-1.4\n%%EOF\n';
const EMPTY_ZPL = '^XA^XZ';
const LEFT_OUT = '[left out: a text that is not whole cannot be redacted]';
const TAG = /(<!\[CDATA\[[\s\S]*?\]\]>|<[^>]*>)/;
const FORM = /^[\w.[\]%+-]+=[^\n]*$/;

/** Replaces known personal values in a request or an answer, in any encoding of the text; cuts out label bytes. */
export function redactBody(text: string, placeholders: Placeholders): string {
  if (text.startsWith('%PDF')) return EMPTY_PDF;
  const body = text.replaceAll(/\^XA[\s\S]*?(?:\^XZ|$)/g, EMPTY_ZPL);
  const start = body.trimStart();
  if (/^[[{]/.test(start)) return redactJson(body, placeholders);
  if (start.startsWith('<')) return redactXml(body, placeholders);
  const [first = '', ...rest] = body.split('\n');
  if (!FORM.test(first)) return placeholders.text(body);
  // A stored request is its query, then its body.
  const form = redactForm(first, placeholders);
  return rest.length === 0 ? form : `${form}\n${redactBody(rest.join('\n'), placeholders)}`;
}

function redactJson(text: string, placeholders: Placeholders): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return LEFT_OUT;
  }
  return JSON.stringify(redactValue(value, placeholders));
}

/** Returns the same value with placeholders in its texts and numbers; names of fields stay. */
export function redactValue(value: unknown, placeholders: Placeholders, name = ''): unknown {
  if (typeof value === 'string') return redactLeaf(value, placeholders, name);
  if (typeof value === 'number') {
    const text = String(value);
    const replaced = placeholders.text(text);
    return replaced === text ? value : Number(replaced);
  }
  if (Array.isArray(value)) return value.map((one) => redactValue(one, placeholders, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redactValue(one, placeholders, key)]));
}

function redactLeaf(text: string, placeholders: Placeholders, name: string): string {
  if (SECRET.test(name) && text !== '') return '***';
  if (PERSONAL.test(name)) return placeholders.whole(text);
  // A document inside a field.
  if (/^\s*(<[\w?!]|[[{]["[{])/.test(text) || text.startsWith('%PDF') || text.includes('^XA')) {
    return redactBody(text, placeholders);
  }
  return placeholders.text(text);
}

function redactXml(text: string, placeholders: Placeholders): string {
  let name = '';
  return text
    .split(TAG)
    .map((part) => {
      if (part.startsWith('<![CDATA[')) {
        return `<![CDATA[${redactLeaf(part.slice(9, -3), placeholders, name)}]]>`;
      }
      if (!part.startsWith('<')) return encodeXml(redactLeaf(decodeXml(part), placeholders, name));
      name = /^<([\w.-]+:)?([\w.-]+)/.exec(part)?.[2] ?? '';
      return part.replaceAll(/([\w.-]+)="([^"]*)"/g, (_whole, attribute: string, value: string) =>
        attribute.startsWith('xmlns') || part.startsWith('<?')
          ? `${attribute}="${value}"`
          : `${attribute}="${encodeXml(redactLeaf(decodeXml(value), placeholders, attribute)).replaceAll('"', '&quot;')}"`,
      );
    })
    .join('');
}

function redactForm(text: string, placeholders: Placeholders): string {
  const pairs = [...new URLSearchParams(text)];
  return new URLSearchParams(
    pairs.map(([key, value]): [string, string] => [key, redactLeaf(value, placeholders, key)]),
  ).toString();
}

function decodeXml(text: string): string {
  return text
    .replaceAll(/&#x([\da-f]+);/gi, (_whole, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/&#(\d+);/g, (_whole, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

function encodeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
