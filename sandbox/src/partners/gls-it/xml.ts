import { XMLParser, XMLValidator } from 'fast-xml-parser';

type Value = string | number;
export type Pairs = readonly (readonly [name: string, value: Value])[];

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Writes one leaf per pair, empty ones included, as the services do. */
export function leaves(pairs: Pairs): string {
  return pairs.map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`).join('');
}

export function element(name: string, markup: string, attributes: Record<string, string> = {}): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`);
  return `<${name}${written.join('')}>${markup}</${name}>`;
}

export type Fields = Record<string, string>;

/** Parses an `<Info>` document: its own leaves and the leaves of every `<item>`; null when it is not one. */
export function parseInfo(xml: string, item: string): { head: Fields; items: Fields[] } | null {
  if (XMLValidator.validate(xml.trim()) !== true) return null;
  const parser = new XMLParser({ parseTagValue: false, ignoreDeclaration: true, isArray: (name) => name === item });
  const info: unknown = parser.parse(xml.trim()).Info;
  if (typeof info !== 'object' || info === null) return null;
  const { [item]: items = [], ...head } = info as { [name: string]: unknown };
  return { head: stringsOf(head), items: (items as unknown[]).map(stringsOf) };
}

function stringsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
