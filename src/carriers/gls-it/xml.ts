import { XMLParser, XMLValidator } from 'fast-xml-parser';
import iconv from 'iconv-lite';
import { IntegrationError } from '../../lib/errors.ts';
import { hasMuchMarkup, MAX_MARKUP } from '../../lib/markup.ts';

export const PROVIDER = 'GLS Italy';

/** One element with its children in document order: GLS tracking repeats flat siblings, so the order carries meaning. */
export interface XmlNode {
  name: string;
  attributes: Record<string, string>;
  children: XmlNode[];
  text: string;
}

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  htmlEntities: true,
});

/** Decodes an answer in the encoding that its XML declaration names. */
export function decodeXml(body: Buffer, fallback: string): string {
  const declared = /^[^<]{0,4}<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(body.toString('latin1', 0, 200));
  const encoding = declared?.[1] ?? fallback;
  return iconv.decode(body, iconv.encodingExists(encoding) ? encoding : fallback);
}

/**
 * Returns the root element, out of the `<string>` in which asmx wraps some documents. Throws on anything but XML, and on
 * more than `maxMarkup` tags before it parses them.
 */
export function parseXml(text: string, maxMarkup = MAX_MARKUP): XmlNode {
  const trimmed = text.trim();
  if (hasMuchMarkup(trimmed, maxMarkup)) throw tooLarge(maxMarkup);
  const valid = XMLValidator.validate(trimmed);
  if (valid !== true) throw new Error(`The answer is not XML: ${valid.err.msg}`);
  const root = (parser.parse(trimmed) as RawNode[]).map(toNode).find((node) => node !== null);
  if (!root || root.name.toLowerCase() === 'html') throw new Error('The answer is not a document of the service');
  const inner = root.text.trimStart();
  return root.children.length === 0 && inner.startsWith('<') ? parseXml(inner, maxMarkup) : root;
}

function tooLarge(maxMarkup: number): IntegrationError {
  const message = `${PROVIDER} answered more than ${maxMarkup} tags`;
  return new IntegrationError(message, { kind: 'retryable', provider: PROVIDER, code: 'answer-too-large' });
}

/** Lists every element below (and including) `node` for which `wanted` holds, in document order. */
export function findAll(node: XmlNode, wanted: (node: XmlNode) => boolean): XmlNode[] {
  return [...(wanted(node) ? [node] : []), ...node.children.flatMap((child) => findAll(child, wanted))];
}

export function childOf(node: XmlNode, name: string): XmlNode | undefined {
  return node.children.find((child) => child.name === name);
}

/** Returns leaf children by name; where a name repeats, the first one. */
export function fieldsOf(node: XmlNode): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const child of node.children) {
    if (child.children.length === 0) fields[child.name] ??= child.text;
  }
  return fields;
}

export type XmlValue = string | readonly [name: string, value: string | number][];

/**
 * Writes `<name>` with escaped text, or with one child per pair. Empty values are left out, because GLS reads an empty
 * tag as "erase".
 */
export function element(name: string, content: XmlValue): string {
  if (typeof content === 'string') return `<${name}>${escapeXml(content)}</${name}>`;
  const children = content.filter(([, value]) => value !== '').map(([child, value]) => element(child, String(value)));
  return `<${name}>${children.join('')}</${name}>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

type RawNode = { ':@'?: Record<string, string>; '#text'?: string } & Record<string, unknown>;

function toNode(raw: RawNode): XmlNode | null {
  const name = Object.keys(raw).find((key) => key !== ':@' && key !== '#text');
  if (name === undefined) return null;
  const inside = raw[name] as RawNode[];
  return {
    name: name.replace(/^.*:/, ''),
    attributes: raw[':@'] ?? {},
    children: inside.map(toNode).filter((child) => child !== null),
    text: inside
      .map((child) => child['#text'] ?? '')
      .join('')
      .trim(),
  };
}

/** Writes `<name>` around escaped markup. */
export function wrap(name: string, ...markup: string[]): string {
  return `<${name}>${markup.join('')}</${name}>`;
}
