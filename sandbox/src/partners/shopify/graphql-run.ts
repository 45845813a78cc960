import { argumentsOf, flat } from './graphql-check.ts';
import type { Document, Selection } from './graphql-parse.ts';
import { namedOf, TYPES } from './graphql-schema.ts';

/** An object of the interface: plain values, or what computes them from the arguments of the field. */
export interface Node {
  [field: string]: unknown;
}

type Resolver = (given: Record<string, unknown>) => unknown;

interface Run {
  document: Document;
  variables: Record<string, unknown>;
}

/** Selects the requested fields of an object, under the requested names. */
export function select(node: Node, selections: readonly Selection[], run: Run): Record<string, unknown> {
  return Object.fromEntries(
    flat(selections, run.document).map((field) => {
      const at = node[field.name];
      const value = typeof at === 'function' ? (at as Resolver)(argumentsOf(field.arguments, run.variables)) : at;
      return [field.alias, field.selections ? shaped(value, field.selections, run) : (value ?? null)];
    }),
  );
}

function shaped(value: unknown, selections: readonly Selection[], run: Run): unknown {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value.map((each) => shaped(each, selections, run));
  return select(value as Node, selections, run);
}

const MUTATION_COST = 10;
const CONNECTION_COST = 2;

/** Returns the cost by the published rule: an object 1, a connection its requested size and 2, a mutation 10, the rest nothing. */
export function costOf({ document, variables }: Run): number {
  const root = document.kind === 'query' ? 'QueryRoot' : 'Mutation';
  const inside = costIn(document.selections, { type: root, document, variables });
  // The payload of a mutation is in its price.
  return document.kind === 'mutation' ? inside - 1 + MUTATION_COST : inside;
}

function costIn(selections: readonly Selection[], run: Run & { type: string }): number {
  return flat(selections, run.document).reduce((total, field) => {
    const type = namedOf(TYPES.get(run.type)?.fields.get(field.name)?.type ?? '');
    if (!field.selections) return total;
    if (!type.endsWith('Connection')) return total + 1 + costIn(field.selections, { ...run, type });
    const { first } = argumentsOf(field.arguments, run.variables);
    const nodes = flat(field.selections, run.document).find(({ name }) => name === 'nodes');
    const each = nodes?.selections
      ? 1 + costIn(nodes.selections, { ...run, type: type.replace(/Connection$/, '') })
      : 0;
    return total + CONNECTION_COST + Number(first ?? 0) * each;
  }, 0);
}

/** Returns the cost of the actual answer: every object 1. */
export function actualCost(data: unknown): number {
  if (Array.isArray(data)) return data.reduce((total: number, each) => total + actualCost(each), 0);
  if (typeof data !== 'object' || data === null) return 0;
  return Object.values(data).reduce((total: number, each) => total + actualCost(each), 1);
}
