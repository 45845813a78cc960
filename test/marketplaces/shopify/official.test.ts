import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  buildClientSchema,
  type FragmentDefinitionNode,
  type GraphQLOutputType,
  getNamedType,
  getVariableValues,
  type IntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  validate,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../../sandbox/src/partners/shopify/graphql-parse.ts';
import { costOf } from '../../../sandbox/src/partners/shopify/graphql-run.ts';
import { TYPES } from '../../../sandbox/src/partners/shopify/graphql-schema.ts';
import { spellingsOf } from '../../../src/marketplaces/carrier-names.ts';
import * as operations from '../../../src/marketplaces/shopify/operations.ts';
import { ALWAYS, confirmationOf, ORDER, useShop } from './shop.ts';

/** Shopify's own description of the Admin API; see docs/decisions/0015. */
const FILE = path.resolve('test/data/shopify/admin_2026-10.json.gz');
const official = buildClientSchema(
  (JSON.parse(gunzipSync(readFileSync(FILE)).toString('utf8')) as { data: IntrospectionQuery }).data,
  { assumeValid: true },
);

const shop = useShop();

describe('the questions of the adapter', () => {
  test.each(Object.entries(operations))('in %s is valid in the official description', (_name, operation) => {
    expect(validate(official, parse(operation.document)).map(({ message }) => message)).toEqual([]);
  });

  test.each(Object.entries(operations))(
    'in %s costs what it reckons with, and less than the most',
    (_name, operation) => {
      const cost = costOf({ document: parseDocument(operation.document), variables: {} });

      expect(cost).toBe(operation.cost);
      expect(cost).toBeLessThan(1000);
    },
  );

  test('names carriers as the shop spells them', () => {
    const company = (official.getType('FulfillmentTrackingInfo') as never as { getFields(): Fields }).getFields()
      .company;
    const listed = ['brt', 'dhl-express', 'fedex', 'gls-it', 'poste-it', 'ups'];

    for (const name of listed.map((id) => spellingsOf(id, 'shopify')[0]))
      expect(company?.description).toMatch(new RegExp(`[*,:] ${name}[,\n]`));
  });
});

type Fields = Record<string, { description?: string | null }>;

describe('the pretend shop', () => {
  test.each([...TYPES])('has %s as in the official description', (name, { kind, fields }) => {
    const type = official.getType(name);

    for (const [field, { type: written, arguments: given }] of fields) {
      if (isEnumType(type)) expect(type.getValue(field), field).toBeDefined();
      else if (isInputObjectType(type)) expect(String(type.getFields()[field]?.type), field).toBe(written);
      else if (isObjectType(type)) {
        const real = type.getFields()[field];
        const args = Object.fromEntries(real?.args.map((each) => [each.name, String(each.type)]) ?? []);
        expect(String(real?.type), field).toBe(written);
        expect(args, field).toMatchObject(given);
      } else throw new Error(`${name} is no ${kind} there`);
    }
  });

  test('leaves out no field that an input demands', () => {
    const inputs = [...TYPES].filter(([, { kind }]) => kind === 'input');

    for (const [name, { fields }] of inputs) {
      const type = official.getType(name);
      const demanded = isInputObjectType(type) ? Object.values(type.getFields()) : [];
      for (const field of demanded.filter(({ type: each }) => isNonNullType(each)))
        expect(fields.has(field.name)).toBe(true);
    }
  });
});

test('a whole import and a shipment from two places are in the official shapes, asked and answered', async () => {
  const order = await shop.import({
    lineItems: [ORDER.lineItems[0], { ...ORDER.lineItems[1], locationId: 72 }],
    taxCode: 'MNTLRI80A41H501X',
  });
  const caller = shop.caller();

  await caller.verify();
  await caller.listAll(ALWAYS);
  await caller.confirm(confirmationOf(order));
  await caller.confirm(confirmationOf(order));

  const asked = caller.exchanges.map(({ requestBody, responseBody }) => ({
    ...(JSON.parse(requestBody) as { query: string; variables: Record<string, unknown> }),
    data: (JSON.parse(responseBody) as { data: unknown }).data,
  }));
  expect(new Set(asked.map(({ query }) => query)).size).toBe(7);
  for (const each of asked) expect(faultsOf(each)).toEqual([]);
});

/** What is wrong with a question and its answer, by the official description. */
function faultsOf({
  query,
  variables,
  data,
}: {
  query: string;
  variables: Record<string, unknown>;
  data: unknown;
}): string[] {
  const document = parse(query);
  const operation = document.definitions.find(
    (each) => each.kind === Kind.OPERATION_DEFINITION,
  ) as OperationDefinitionNode;
  const fragments = new Map(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [],
    ),
  );
  const { errors = [] } = getVariableValues(official, operation.variableDefinitions ?? [], variables) as {
    errors?: { message: string }[];
  };
  const root = operation.operation === 'query' ? official.getQueryType() : official.getMutationType();
  return [
    ...errors.map(({ message }) => message),
    ...(root ? shapeFaults(data, root, { selections: operation.selectionSet, fragments, path: '' }) : ['no root']),
  ];
}

interface Place {
  selections: SelectionSetNode | undefined;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  path: string;
}

function shapeFaults(value: unknown, type: GraphQLOutputType, place: Place): string[] {
  if (isNonNullType(type)) {
    return value === null || value === undefined ? [`${place.path} is null`] : shapeFaults(value, type.ofType, place);
  }
  if (value === null) return [];
  if (isListType(type)) {
    if (!Array.isArray(value)) return [`${place.path} is no list`];
    return value.flatMap((each, index) =>
      shapeFaults(each, type.ofType, { ...place, path: `${place.path}[${index}]` }),
    );
  }
  if (isObjectType(type)) return objectFaults(value, type.getFields(), place);
  if (isEnumType(type)) return type.getValue(String(value)) ? [] : [`${place.path} is "${value}", not a ${type.name}`];
  const isRight = {
    Int: Number.isInteger(value),
    Boolean: typeof value === 'boolean',
    Float: typeof value === 'number',
  }[getNamedType(type).name];
  return (isRight ?? typeof value === 'string') ? [] : [`${place.path} is no ${type}`];
}

function objectFaults(
  value: unknown,
  fields: Record<string, { type: GraphQLOutputType }>,
  { selections, fragments, path: at }: Place,
): string[] {
  const object = value as Record<string, unknown>;
  return (selections?.selections ?? []).flatMap((each): string[] => {
    if (each.kind === Kind.FRAGMENT_SPREAD) {
      return objectFaults(value, fields, {
        selections: fragments.get(each.name.value)?.selectionSet,
        fragments,
        path: at,
      });
    }
    if (each.kind !== Kind.FIELD) return [`${at} has a fragment without a name`];
    const field = fields[each.name.value];
    if (!field || !(each.name.value in object)) return [`${at}.${each.name.value} is missing`];
    const inside = { selections: each.selectionSet, fragments, path: `${at}.${each.name.value}` };
    return shapeFaults(object[each.name.value], field.type, inside);
  });
}
