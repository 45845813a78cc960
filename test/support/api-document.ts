import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../src/api/openapi/document.ts';

export interface ApiAnswer {
  method: string;
  /** Below the base path, with its query. */
  path: string;
  status: number;
  contentType: string;
  body: unknown;
}

const BASE = '/api/v1/external';
/** The document as clients read it, but closed: a field that it does not list is a fault. */
export const document = closed(openApiDocument('0.0.0')) as unknown as Document;
const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(document, 'api');
formats.default(ajv);

interface Document {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { in: string; name: string; required?: boolean; example?: unknown }[];
        requestBody?: { content: Record<string, Media> };
        responses: Record<string, Response>;
      }
    >
  >;
  components: { responses: Record<string, Response> };
}
type Response = {
  $ref?: string;
  headers?: Record<string, { schema: { example?: unknown } }>;
  content?: Record<string, Media>;
};
type Media = { schema: unknown; example?: unknown; examples?: Record<string, { value: unknown }> };

const paths = Object.keys(document.paths)
  // `/shipment/create` before `/shipment/{id}`, which it would pass for.
  .toSorted((one, other) => Number(one.includes('{')) - Number(other.includes('{')))
  .map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

/** Says how an answer differs from what the document promises for it; empty when it does not. */
export function answerFaults({ method, path, status, contentType, body }: ApiAnswer): string[] {
  const asked = `${BASE}${path.replace(/[?#].*/s, '')}`;
  const known = paths.find(({ pattern }) => pattern.test(asked))?.path;
  const operation = known && document.paths[known]?.[method.toLowerCase()];
  if (!known || !operation || status === 304) return [];
  const at = ['paths', known, method.toLowerCase(), 'responses', String(status)];
  const stated = operation.responses[String(status)];
  if (!stated) return [`answered ${status}, which is not documented`];
  const ref = stated.$ref?.replace('#/', '').split('/') ?? at;
  const response = stated.$ref ? document.components.responses[ref.at(-1) ?? ''] : stated;
  const type = contentType.replace(/;.*/, '');
  if (!response?.content?.[type]) return [`answered ${status} with ${type}, which is not documented`];
  if (!type.includes('json')) return [];
  const validate = validator([...ref, 'content', type, 'schema']);
  return validate(body)
    ? []
    : (validate.errors ?? []).map((error) => `${error.instancePath} ${ajv.errorsText([error])}`);
}

const validators = new Map<string, ValidateFunction>();

function validator(place: readonly string[]): ValidateFunction {
  const ref = `api#/${place.map((key) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  const known = validators.get(ref) ?? ajv.compile({ $ref: ref });
  validators.set(ref, known);
  return known;
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, closed(child)]));
  const isObjectSchema = copy.type === 'object' && 'properties' in copy;
  return isObjectSchema ? { additionalProperties: false, ...copy } : copy;
}
