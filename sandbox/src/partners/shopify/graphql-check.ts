import type { Document, Selection, Value } from './graphql-parse.ts';
import { namedOf, TYPES } from './graphql-schema.ts';

export interface GraphqlFault {
  message: string;
  path?: string[];
  extensions: Record<string, unknown>;
}

/** Flattens the selections of an operation or a fragment: fragments are put in their places. */
export function flat(selections: readonly Selection[], document: Document): Exclude<Selection, { spread: string }>[] {
  return selections.flatMap((each) =>
    'spread' in each ? flat(document.fragments.get(each.spread)?.selections ?? [], document) : [each],
  );
}

/** Returns the faults of a document before it runs; empty when there are none. */
export function faultsOf(document: Document): GraphqlFault[] {
  const root = document.kind === 'query' ? 'QueryRoot' : 'Mutation';
  return faultsIn(document.selections, { type: root, path: [document.kind], document });
}

function faultsIn(
  selections: readonly Selection[],
  { type, path, document }: { type: string; path: string[]; document: Document },
): GraphqlFault[] {
  const fields = TYPES.get(type)?.fields;
  return selections.flatMap((each): GraphqlFault[] => {
    if ('spread' in each) {
      const fragment = document.fragments.get(each.spread);
      if (fragment?.on !== type)
        return [fault(`Fragment ${each.spread} can't be spread on ${type}`, 'cannotSpread', path)];
      return faultsIn(fragment.selections, { type, path, document });
    }
    const at = [...path, each.alias];
    const field = fields?.get(each.name);
    if (!field) return [fault(`Field '${each.name}' doesn't exist on type '${type}'`, 'undefinedField', at)];
    const unknown = Object.keys(each.arguments).filter((name) => !(name in field.arguments));
    const missing = Object.entries(field.arguments).filter(
      ([name, kind]) => kind.endsWith('!') && !each.arguments[name],
    );
    const named = namedOf(field.type);
    const isObject = TYPES.get(named)?.kind === 'type';
    const wrong = [
      ...unknown.map((name) =>
        fault(`Field '${each.name}' doesn't accept argument '${name}'`, 'argumentNotAccepted', at),
      ),
      ...missing.map(([name]) =>
        fault(`Field '${each.name}' is missing required arguments: ${name}`, 'missingRequiredArguments', at),
      ),
    ];
    if (isObject !== (each.selections !== null)) {
      wrong.push(
        fault(`Field '${each.name}' and its selections do not match type '${named}'`, 'selectionMismatch', at),
      );
    }
    return [...wrong, ...faultsIn(each.selections ?? [], { type: named, path: at, document })];
  });
}

function fault(message: string, code: string, path: string[]): GraphqlFault {
  return { message, path, extensions: { code } };
}

/** Returns the faults of the variables. */
export function faultsOfVariables(document: Document, given: Record<string, unknown>): GraphqlFault[] {
  return document.variables.flatMap(({ name, type }) => {
    const problems = problemsOf(given[name], type, []);
    if (problems.length === 0) return [];
    const words = problems.map(({ path, explanation }) =>
      path.length > 0 ? `${path.join('.')} (${explanation})` : explanation,
    );
    const message = `Variable $${name} of type ${type} was provided invalid value for ${words.join(', ')}`;
    return [{ message, extensions: { value: given[name] ?? null, problems, code: 'INVALID_VARIABLE' } }];
  });
}

interface ValueProblem {
  path: (string | number)[];
  explanation: string;
}

function problemsOf(value: unknown, type: string, path: (string | number)[]): ValueProblem[] {
  if (value === undefined || value === null) {
    return type.endsWith('!') ? [{ path, explanation: 'Expected value to not be null' }] : [];
  }
  const nullable = type.replace(/!$/, '');
  if (nullable.startsWith('[')) {
    const list = Array.isArray(value) ? value : [value];
    if (list.length > 512) return [{ path, explanation: 'The input array size is greater than the maximum allowed' }];
    return list.flatMap((each, index) => problemsOf(each, nullable.slice(1, -1), [...path, index]));
  }
  const named = TYPES.get(nullable);
  if (named?.kind === 'enum') {
    return named.fields.has(String(value)) ? [] : [{ path, explanation: `Expected "${value}" to be one of the enum` }];
  }
  if (named?.kind === 'input') return problemsOfInput(value, { named: nullable, path });
  return problemOfScalar(value, nullable, path);
}

function problemsOfInput(
  value: unknown,
  { named, path }: { named: string; path: (string | number)[] },
): ValueProblem[] {
  if (typeof value !== 'object' || value === null) return [{ path, explanation: `Expected an object of ${named}` }];
  const fields = TYPES.get(named)?.fields ?? new Map();
  const given = value as Record<string, unknown>;
  const unknown = Object.keys(given).filter((name) => !fields.has(name));
  return [
    ...unknown.map((name) => ({ path: [...path, name], explanation: `Field is not defined on ${named}` })),
    ...[...fields].flatMap(([name, { type }]) => problemsOf(given[name], type, [...path, name])),
  ];
}

function problemOfScalar(value: unknown, type: string, path: (string | number)[]): ValueProblem[] {
  const isGood = {
    Int: () => Number.isInteger(value),
    Boolean: () => typeof value === 'boolean',
    String: () => typeof value === 'string',
    ID: () => typeof value === 'string' || Number.isInteger(value),
    URL: () => typeof value === 'string' && URL.canParse(value),
  }[type];
  if (!isGood || isGood()) return [];
  return [{ path, explanation: `Could not coerce value ${JSON.stringify(value)} to ${type}` }];
}

/** Fills the variables into the arguments of a field. */
export function argumentsOf(given: Record<string, Value>, variables: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      'variable' in value ? variables[value.variable] : value.literal,
    ]),
  );
}
