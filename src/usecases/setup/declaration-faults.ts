import { closest, distance } from 'fastest-levenshtein';
import { z } from 'zod';
import type { Deps } from '../../engine/deps.ts';
import { secretFields } from '../../lib/call-partner.ts';
import { UsageError } from '../../lib/errors.ts';
import { ApplyDocument } from './apply-document.ts';
import { keptFields } from './keep-secrets.ts';

type Path = readonly (string | number)[];
type Registries = Pick<Deps, 'carriers' | 'marketplaces'>;

/** One fault in a declaration, with its path. */
export interface Fault {
  path: Path;
  message: string;
  /** The field needs text and the value is none: quotes are probably missing. */
  wantsText?: boolean;
  /** The value is a secret and must not be shown. */
  isSecret?: boolean;
  /** The path ends in an unknown field. */
  isUnknownField?: boolean;
}

/** All faults of a declaration. */
export class DeclarationError extends UsageError {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ path, message }) => `${pathText(path)}: ${message}`).join('\n'));
    this.name = 'DeclarationError';
    this.faults = faults;
  }
}

/** Formats a path, such as `companies[0].contracts[1].label`. */
export function pathText(path: Path): string {
  if (path.length === 0) return 'the file';
  return path.map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${step}`)).join('');
}

/**
 * Parses a declaration from a file. Throws a `DeclarationError` with all faults that need no database: shapes, accounts of
 * every partner, and placeholders of the example.
 */
export function readDeclaration(registries: Registries, declared: unknown): ApplyDocument {
  const placeholders = placeholderFaults(declared);
  const replaced = new Set(placeholders.map(({ path }) => pathText(path)));
  const parsed = ApplyDocument.safeParse(declared);
  const shapes = (parsed.error?.issues ?? []).flatMap((issue) => faultsOf(issue, { schema: ApplyDocument, declared }));
  // One fault per path: a placeholder explains more than a wrong format.
  const others = [...shapes, ...partnerFaults(registries, declared)].filter(
    ({ path }) => !replaced.has(pathText(path)),
  );
  const faults = [...placeholders, ...others];
  if (!parsed.success || faults.length > 0) throw new DeclarationError(faults);
  return parsed.data;
}

/** Finds faults of partners and their accounts, even if other parts of the declaration are faulty. */
export function partnerFaults({ carriers, marketplaces }: Registries, declared: unknown): Fault[] {
  return listOf(declared, 'companies').flatMap((company, at) => [
    ...listOf(company, 'contracts').flatMap((contract, index) =>
      oneFaults(contract, { kind: 'carrier', known: carriers, path: ['companies', at, 'contracts', index] }),
    ),
    ...listOf(company, 'connections').flatMap((connection, index) =>
      oneFaults(connection, {
        kind: 'marketplace',
        known: marketplaces,
        path: ['companies', at, 'connections', index],
      }),
    ),
  ]);
}

/** Checks an account with its adapter's schema, without kept secrets, which are not known here. */
export function accountFaults(schema: z.ZodType<unknown>, account: Record<string, unknown>, path: Path): Fault[] {
  const secrets = new Set(secretFields(schema));
  const kept = new Set(keptFields(schema, account));
  const unknown = schema instanceof z.ZodObject && !schema.def.catchall ? Object.keys(account) : [];
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const issues = schema.safeParse(account).error?.issues ?? [];
  return [
    ...unknown.filter((name) => !fields.includes(name)).map((name) => unknownField([...path, name], fields)),
    ...issues
      .filter((issue) => !kept.has(String(issue.path[0])))
      .flatMap((issue) => faultsOf(issue, { schema, declared: account }))
      .map((fault) => ({
        ...fault,
        path: [...path, ...fault.path],
        ...(secrets.has(String(fault.path[0])) ? { isSecret: true } : {}),
      })),
  ];
}

function oneFaults(
  declared: unknown,
  to: { kind: 'carrier' | 'marketplace'; known: ReadonlyMap<string, { account: z.ZodType<unknown> }>; path: Path },
): Fault[] {
  const { [to.kind]: code, account } = isObject(declared) ? declared : {};
  if (typeof code !== 'string') return []; // the schema has reported it already
  const partner = to.known.get(code);
  if (!partner) {
    const known = [...to.known.keys()];
    return [{ path: [...to.path, to.kind], message: `there is no ${to.kind} ${code}; known are ${known.join(', ')}` }];
  }
  return isObject(account) ? accountFaults(partner.account, account, [...to.path, 'account']) : [];
}

function faultsOf(issue: z.core.$ZodIssue, from: { schema: z.ZodType<unknown>; declared: unknown }): Fault[] {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => unknownField([...path, key], fieldsAt(from.schema, path)));
  }
  const isText =
    (issue.code === 'invalid_type' && issue.expected === 'string') || issue.message.startsWith('must be text');
  const value = path.reduce<unknown>(
    (at, step) => (isObject(at) || Array.isArray(at) ? at[step as never] : null),
    from.declared,
  );
  const wantsText = isText && (typeof value === 'number' || typeof value === 'boolean');
  const isSecret = path.at(-2) === 'secrets';
  return [{ path, message: issue.message, ...(wantsText ? { wantsText } : {}), ...(isSecret ? { isSecret } : {}) }];
}

const MAX_TYPING_MISTAKES = 3;

function unknownField(path: Path, fields: readonly string[]): Fault {
  const name = String(path.at(-1));
  const nearest = fields.length > 0 ? closest(name, fields) : null;
  const isNear = nearest !== null && distance(name, nearest) <= MAX_TYPING_MISTAKES;
  return { path, message: `is not a known field${isNear ? `; did you mean ${nearest}?` : ''}`, isUnknownField: true };
}

/** Returns the fields of a schema at a path, none when it is no object. */
function fieldsAt(schema: z.ZodType<unknown>, path: Path): string[] {
  const at = path.reduce<unknown>((outer, step) => {
    const { shape, element } = innermost(outer) as { shape?: Record<string, unknown>; element?: unknown };
    return element ?? shape?.[String(step)];
  }, schema);
  return Object.keys((innermost(at) as { shape?: object }).shape ?? {});
}

function innermost(schema: unknown): object {
  const { innerType, in: input } = (schema as { def?: { innerType?: unknown; in?: unknown } } | undefined)?.def ?? {};
  const inner = innerType ?? input;
  return inner ? innermost(inner) : ((schema as object | undefined) ?? {});
}

/** Placeholders in examples/company.yaml for values that only the reader knows. */
const PLACEHOLDERS: ReadonlySet<unknown> = new Set([
  'COMPANY NAME S.r.l.',
  'VIA AND NUMBER',
  'WAREHOUSE NAME',
  'PASSWORD',
  'SECRET',
  'ck_KEY',
  'cs_SECRET',
  'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=',
]);

function placeholderFaults(value: unknown, path: Path = []): Fault[] {
  if (PLACEHOLDERS.has(value)) return [{ path, message: `replace the placeholder ${value}` }];
  if (Array.isArray(value)) return value.flatMap((one, at) => placeholderFaults(one, [...path, at]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => placeholderFaults(one, [...path, name]));
}

function listOf(value: unknown, name: string): unknown[] {
  const list = isObject(value) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
