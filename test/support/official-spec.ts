import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parseDocument } from 'yaml';

/** Where the partners' own interface descriptions lie; they are not ours to publish. */
const FOLDER = path.resolve(import.meta.dirname, '../../../shared/specs');

type Json = { [key: string]: unknown };

/** Headers that HTTP itself gives a meaning to, for any interface. */
const STANDARD_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
  'user-agent',
]);

/** One call as it went over the wire; the texts of bodies are empty where there was none. */
export interface OfficialCall {
  url: string;
  headers: Readonly<Record<string, string>>;
  requestBody: string;
  status: number;
  responseBody: string;
}

export interface OfficialSpec {
  /** Everything that is wrong with a call: query, headers, request body and answer. A body that is not JSON is not looked at. */
  faultsOfCall(method: string, template: string, call: OfficialCall): string[];
  /** Lists the faults of an operation's request body, in ajv's words; fields that the description lacks count. */
  faultsOfRequest(method: string, template: string, body: unknown): string[];
  /** The same for a query, whose lists are joined by commas. */
  faultsOfQuery(method: string, template: string, query: URLSearchParams): string[];
  /** The same for headers, apart from those of HTTP itself. */
  faultsOfHeaders(method: string, template: string, headers: Readonly<Record<string, string>>): string[];
  /** The same for an answer; the body of an empty one is `null`. */
  faultsOfAnswer(method: string, template: string, answer: { status: number; body: unknown }): string[];
}

/** Reads a partner's description in OpenAPI 3 or Swagger 2. Prints one line and returns null when it is not here. */
export function officialSpec(file: string): OfficialSpec | null {
  const full = path.join(FOLDER, file);
  if (!existsSync(full)) {
    console.log(`${file} is not here: nothing is compared with the official description.`);
    return null;
  }
  const text = readFileSync(full, 'utf8');
  return specOf((file.endsWith('.json') ? JSON.parse(text) : lenient(text)) as Json, file);
}

export function specOf(document: Json, file: string): OfficialSpec {
  const isSwagger = document.swagger === '2.0';
  const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, validateFormats: true, logger: false });
  // biome-ignore lint/suspicious/noExplicitAny: the package's types are those of CommonJS
  (addFormats as any)(ajv);
  ajv.addSchema(modernised(document) as Json, 'spec');

  const faults = (pointer: string, value: unknown): string[] => {
    const validate = ajv.compile({ $ref: `spec#${pointer}` });
    const unknown = unknownFields(value, [{ $ref: `#${pointer}` }], { document, path: '' });
    if (validate(value)) return unknown;
    const broken = (validate.errors ?? []).map(
      (error) => `${error.instancePath || '/'} ${error.message ?? 'is wrong'}`,
    );
    return [...broken, ...unknown];
  };
  const operation = (method: string, template: string): string => {
    const paths = document.paths as Json;
    if (!(paths[template] as Json | undefined)?.[method]) throw new Error(`${file} has no ${method} ${template}`);
    return `/paths/${template.replaceAll('~', '~0').replaceAll('/', '~1')}/${method}`;
  };
  const at = (pointer: string): Json | undefined => {
    let here: unknown = document;
    for (const part of pointer.split('/').slice(1)) {
      here = (here as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
      const ref = (here as Json | undefined)?.$ref;
      if (typeof ref === 'string') here = at(ref.slice(1));
    }
    return here as Json | undefined;
  };
  const jsonSchema = (pointer: string): string => {
    const content = at(`${pointer}/content`) ?? {};
    const type = Object.keys(content).find((name) => name.includes('json')) ?? '';
    // Swagger 2 has the schema right there.
    const where = isSwagger ? `${pointer}/schema` : `${pointer}/content/${type.replaceAll('/', '~1')}/schema`;
    const schema = (isSwagger ? at(pointer) : (content[type] as Json | undefined))?.schema;
    if (!schema) throw new Error(`${file} has no JSON at ${pointer}`);
    const ref = (schema as Json).$ref;
    return typeof ref === 'string' ? ref.slice(1) : where;
  };
  /** Those of the operation and of its path. */
  const parametersOf = (pointer: string): Json[] =>
    [pointer, pointer.slice(0, pointer.lastIndexOf('/'))]
      .flatMap((where) => (at(`${where}/parameters`) ?? []) as unknown as Json[])
      .map((parameter) => (typeof parameter.$ref === 'string' ? (at(parameter.$ref.slice(1)) ?? {}) : parameter));
  const spec: OfficialSpec = {
    faultsOfCall: (method, template, { url, headers, requestBody, status, responseBody }) => [
      ...spec.faultsOfQuery(method, template, new URL(url).searchParams),
      ...spec.faultsOfHeaders(method, template, headers),
      ...(requestBody.startsWith('{') ? spec.faultsOfRequest(method, template, JSON.parse(requestBody)) : []),
      ...spec.faultsOfAnswer(method, template, {
        status,
        body: responseBody === '' ? null : JSON.parse(responseBody),
      }),
    ],
    faultsOfHeaders: (method, template, headers) => {
      const known = parametersOf(operation(method, template)).filter((parameter) => parameter.in === 'header');
      const names = new Set(known.map(({ name }) => String(name).toLowerCase()));
      const missing = known.filter(
        ({ name, required }) => required === true && !Object.hasOwn(headers, String(name).toLowerCase()),
      );
      const unknown = Object.keys(headers).filter((name) => !names.has(name) && !STANDARD_HEADERS.has(name));
      return [
        ...missing.map(({ name }) => `header ${String(name).toLowerCase()} is missing`),
        ...unknown.map((name) => `header ${name} is not known`),
      ];
    },
    faultsOfRequest: (method, template, body) => {
      const pointer = operation(method, template);
      const place = parametersOf(pointer).findIndex((parameter) => parameter.in === 'body');
      return faults(jsonSchema(isSwagger ? `${pointer}/parameters/${place}` : `${pointer}/requestBody`), body);
    },
    faultsOfQuery: (method, template, query) => {
      const known = parametersOf(operation(method, template)).filter((parameter) => parameter.in === 'query');
      const missing = known.filter(({ name, required }) => required === true && !query.has(String(name)));
      return [
        ...missing.map(({ name }) => `/${name} is missing`),
        ...[...query].flatMap(([name, text]) => {
          const parameter = known.find((each) => each.name === name);
          if (!parameter) return [`/${name} is not known`];
          const { required: _required, ...schema } = (parameter.schema ?? parameter) as Json;
          const value = readQuery(text, schema.type);
          return ajv.validate(schema, value) ? [] : [`/${name} ${ajv.errorsText()}`];
        }),
      ];
    },
    faultsOfAnswer: (method, template, { status, body }) => {
      const pointer = `${operation(method, template)}/responses/${status}`;
      const isEmpty = !at(`${pointer}/${isSwagger ? 'schema' : 'content'}`);
      if (at(pointer) && isEmpty) return body === null ? [] : ['/ must be empty'];
      return faults(jsonSchema(pointer), body);
    },
  };
  return spec;
}

/**
 * Fields that none of the schemas knows, whichever of the alternatives each of them leaves. An object without any described field, or
 * one that says it has others, is open.
 */
function unknownFields(
  value: unknown,
  schemas: readonly Json[],
  { document, path: where }: { document: Json; path: string },
): string[] {
  const all = schemas.flatMap((schema) => variantsOf(schema, document));
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items: item }) => (item ? [item as Json] : []));
    return value.flatMap((each, index) => unknownFields(each, items, { document, path: `${where}/${index}` }));
  }
  if (typeof value !== 'object' || value === null) return [];
  const described = all.flatMap(({ properties }) => (properties ? [properties as Record<string, Json>] : []));
  // UPS demands fields that it does not describe.
  const demanded = new Set(all.flatMap(({ required }) => (Array.isArray(required) ? required : [])));
  const isOpen =
    described.length === 0 || all.some(({ additionalProperties: more }) => more === true || typeof more === 'object');
  return Object.entries(value).flatMap(([name, each]) => {
    const own = described.flatMap((properties) => (properties[name] ? [properties[name]] : []));
    if (own.length === 0) return isOpen || demanded.has(name) ? [] : [`${where}/${name} is not known`];
    return unknownFields(each, own, { document, path: `${where}/${name}` });
  });
}

/** A value of a query as its schema sees it. */
function readQuery(text: string, type: unknown): unknown {
  if (type === 'array') return text.split(',');
  if (type === 'integer') return Number(text);
  return type === 'boolean' && /^(true|false)$/.test(text) ? text === 'true' : text;
}

/** A schema with all that it is put together from. */
function variantsOf(schema: Json, document: Json): Json[] {
  if (typeof schema.$ref === 'string') {
    const parts = schema.$ref.slice(2).split('/');
    let here: unknown = document;
    for (const part of parts) here = (here as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    return here ? variantsOf(here as Json, document) : [];
  }
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => (list ?? []) as Json[]);
  return [schema, ...parts.flatMap((part) => variantsOf(part, document))];
}

/** UPS indents with tabs and breaks quoted descriptions in the wrong column: what can be read is read. */
function lenient(text: string): unknown {
  return parseDocument(text.replaceAll('\t', '    ')).toJS();
}

/** OpenAPI 3.0 in the words of JSON Schema: exclusive limits as numbers, and examples that are no schemas left out. */
function modernised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(modernised);
  if (typeof value !== 'object' || value === null) return value;
  const schema = { ...(value as Json) };
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[flag] !== 'boolean') continue;
    if (schema[flag]) schema[flag] = schema[limit];
    else delete schema[flag];
  }
  delete schema.example;
  delete schema.examples;
  return Object.fromEntries(Object.entries(schema).map(([key, child]) => [key, modernised(child)]));
}
