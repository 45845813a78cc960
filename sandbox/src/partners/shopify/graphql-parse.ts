/** A GraphQL document as far as the pretend interface understands it: one operation, and fragments on named types. */
export interface Document {
  kind: 'query' | 'mutation';
  variables: Variable[];
  selections: Selection[];
  fragments: ReadonlyMap<string, Fragment>;
}

export interface Variable {
  name: string;
  /** The type as written, such as `[ID!]!`. */
  type: string;
}

export type Selection = Field | { spread: string };

export interface Field {
  name: string;
  alias: string;
  arguments: Record<string, Value>;
  /** Null for a field that is taken as it is. */
  selections: Selection[] | null;
}

export interface Fragment {
  on: string;
  selections: Selection[];
}

export type Value = { variable: string } | { literal: unknown };

/** The document is not GraphQL. */
export class SyntaxFault extends Error {}

const TOKEN =
  /[\s,\uFEFF]*(?:#[^\n]*[\s,]*)*(?:("(?:[^"\\\n]|\\.)*")|(-?\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(\.\.\.|[!$():=@[\]{}|&]))/y;

/** Reads a document. Throws `SyntaxFault`. */
export function parseDocument(text: string): Document {
  const tokens = tokensOf(text);
  let at = 0;
  const peek = (): string => tokens[at] ?? '';
  const next = (): string => tokens[at++] ?? '';
  const is = (token: string): boolean => peek() === token && ++at > 0;
  const expect = (token: string): void => {
    if (!is(token))
      throw new SyntaxFault(`syntax error, unexpected "${peek() || 'end of file'}", expecting "${token}"`);
  };
  const name = (): string => {
    if (!/^[A-Za-z_]/.test(peek())) throw new SyntaxFault(`syntax error, unexpected "${peek() || 'end of file'}"`);
    return next();
  };

  function type(): string {
    let closed = '';
    if (is('[')) {
      closed = `[${type()}]`;
      expect(']');
    } else {
      closed = name();
    }
    return is('!') ? `${closed}!` : closed;
  }

  function value(): Value {
    if (is('$')) return { variable: name() };
    return { literal: literal() };
  }

  function literal(): unknown {
    if (is('[')) {
      const list: unknown[] = [];
      while (!is(']')) list.push(literal());
      return list;
    }
    const token = next();
    if (token.startsWith('"') || /^-?\d/.test(token)) return JSON.parse(token);
    if (token === 'true' || token === 'false') return token === 'true';
    if (token === 'null') return null;
    if (/^[A-Za-z_]/.test(token)) return token;
    throw new SyntaxFault(`syntax error, unexpected "${token || 'end of file'}"`);
  }

  function field(): Field {
    const first = name();
    const own = is(':') ? name() : first;
    const given: Record<string, Value> = {};
    if (is('(')) {
      while (!is(')')) {
        const argument = name();
        expect(':');
        given[argument] = value();
      }
    }
    return { name: own, alias: first, arguments: given, selections: peek() === '{' ? selections() : null };
  }

  function selections(): Selection[] {
    expect('{');
    const list: Selection[] = [];
    while (!is('}')) list.push(is('...') ? { spread: name() } : field());
    return list;
  }

  function variables(): Variable[] {
    const list: Variable[] = [];
    if (!is('(')) return list;
    while (!is(')')) {
      expect('$');
      const variable = name();
      expect(':');
      list.push({ name: variable, type: type() });
    }
    return list;
  }

  const fragments = new Map<string, Fragment>();
  let operation: Omit<Document, 'fragments'> | null = null;
  while (at < tokens.length) {
    if (is('fragment')) {
      const called = name();
      expect('on');
      fragments.set(called, { on: name(), selections: selections() });
      continue;
    }
    const kind = peek() === '{' ? 'query' : next();
    if (kind !== 'query' && kind !== 'mutation') throw new SyntaxFault(`syntax error, unexpected "${kind}"`);
    if (/^[A-Za-z_]/.test(peek())) next();
    operation = { kind, variables: variables(), selections: selections() };
  }
  if (!operation) throw new SyntaxFault('syntax error, unexpected end of file');
  return { ...operation, fragments };
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  for (let end = 0; end < text.trimEnd().length; end = TOKEN.lastIndex) {
    TOKEN.lastIndex = end;
    const token = TOKEN.exec(text.trimEnd())?.slice(1).find(Boolean);
    if (token === undefined) throw new SyntaxFault(`syntax error, unexpected "${text.trimStart()[end] ?? ''}"`);
    tokens.push(token);
  }
  return tokens;
}
