import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { z } from 'zod';
import { hasMuchMarkup } from '../../lib/markup.ts';

const parser = new XMLParser({ parseTagValue: false, ignoreDeclaration: true, isArray: (name) => name === 'error' });

const Errors = z.object({ prestashop: z.object({ errors: z.object({ error: z.array(z.unknown()) }) }) });

/** Returns the body of a write: one resource with its fields. */
export function documentOf(resource: string, fields: Readonly<Record<string, string>>): string {
  const leaves = Object.entries(fields).map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`);
  return `<?xml version="1.0" encoding="UTF-8"?><prestashop><${resource}>${leaves.join('')}</${resource}></prestashop>`;
}

/** Returns the errors of an XML answer; null when it is none of the webservice. */
export function errorsIn(text: string): unknown[] | null {
  const xml = text.trim();
  if (!xml.startsWith('<') || hasMuchMarkup(xml) || XMLValidator.validate(xml) !== true) return null;
  return Errors.safeParse(parser.parse(xml)).data?.prestashop.errors.error ?? null;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
