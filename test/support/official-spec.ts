import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parseDocument } from 'yaml';

/** Where the partners' own interface descriptions lie; they are not ours to publish. */
const FOLDER = path.resolve(import.meta.dirname, '../../../shared/specs');

type Json = { [key: string]: unknown };

export interface OfficialSpec {
  /** What is wrong with a request body of an operation, in ajv's words; empty: nothing. */
  faultsOfRequest(method: string, template: string, body: unknown): string[];
  /** The same for a query, whose lists are joined by commas. */
  faultsOfQuery(method: string, template: string, query: URLSearchParams): string[];
  /** The same for an answer; the body of an empty one is `null`. */
  faultsOfAnswer(method: string, template: string, answer: { status: number; body: unknown }): string[];
}

/** A partner's description in OpenAPI 3 or Swagger 2, or null after saying in one line that it is not here. */
export function officialSpec(file: string): OfficialSpec | null {
  const full = path.join(FOLDER, file);
  if (!existsSync(full)) {
    console.log(`${file} is not here: nothing is compared with the official description.`);
    return null;
  }
  const text = readFileSync(full, 'utf8');
  const document = (file.endsWith('.json') ? JSON.parse(text) : lenient(text)) as Json;
  const isSwagger = document.swagger === '2.0';
  const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, validateFormats: true, logger: false });
  // biome-ignore lint/suspicious/noExplicitAny: the package's types are those of CommonJS
  (addFormats as any)(ajv);
  ajv.addSchema(modernised(document) as Json, 'spec');

  const faults = (pointer: string, value: unknown): string[] => {
    const validate = ajv.compile({ $ref: `spec#${pointer}` });
    if (validate(value)) return [];
    return (validate.errors ?? []).map((error) => `${error.instancePath || '/'} ${error.message ?? 'is wrong'}`);
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
  const parametersOf = (pointer: string): Json[] => (at(`${pointer}/parameters`) ?? []) as unknown as Json[];
  return {
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
          const value = schema.type === 'array' ? text.split(',') : schema.type === 'integer' ? Number(text) : text;
          return ajv.validate(schema, value) ? [] : [`/${name} ${ajv.errorsText()}`];
        }),
      ];
    },
    faultsOfAnswer: (method, template, { status, body }) => {
      const pointer = `${operation(method, template)}/responses/${status}`;
      if (isSwagger && at(pointer) && !at(`${pointer}/schema`)) return body === null ? [] : ['/ must be empty'];
      return faults(jsonSchema(pointer), body);
    },
  };
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
