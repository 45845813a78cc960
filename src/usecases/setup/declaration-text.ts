import { isMap, isScalar, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import type { Fault } from './declaration-faults.ts';

/** A place in a text, counted from one. */
export interface Place {
  line: number;
  column: number;
}

/** A fault in a YAML text. Its message has a hint about the text. */
export type PlacedFault = Fault & Place;

/** A parsed YAML text that can map a fault to its place. */
export interface DeclarationText {
  declared: unknown;
  /** Returns faults in the order of the text. */
  placed(faults: readonly Fault[]): PlacedFault[];
}

/** Thrown for a text that is not YAML. */
export class YamlError extends Error {
  readonly faults: readonly (Place & { message: string })[];

  constructor(faults: readonly (Place & { message: string })[]) {
    super('The text is not YAML');
    this.name = 'YamlError';
    this.faults = faults;
  }
}

/** Parses a YAML text. Throws a `YamlError` with the place of every syntax error. */
export function readDeclarationText(text: string): DeclarationText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number): Place => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  if (document.errors.length > 0) {
    throw new YamlError(document.errors.map(({ pos: [offset], message }) => ({ ...placeOf(offset), message })));
  }
  return {
    declared: plainOf(document),
    placed: (faults) =>
      faults
        .map((fault) => ({ fault, node: nodeOf(document, fault) }))
        .toSorted((a, b) => startOf(a.node) - startOf(b.node))
        .map(({ fault, node }) => ({
          ...fault,
          ...placeOf(startOf(node)),
          message: `${fault.message}${hintOf(fault, node)}`,
        })),
  };
}

/** Unknown aliases, and too many of them, show only now. */
function plainOf(document: Parsed): unknown {
  try {
    return document.toJS();
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw new YamlError([{ line: 1, column: 1, message: error.message }]);
  }
}

type Parsed = ReturnType<typeof parseDocument>;

/** Returns the node of the faulty value, of the unknown field's name, or the nearest node around a missing field. */
function nodeOf(document: Parsed, { path, isUnknownField }: Fault): Node | null {
  if (isUnknownField) {
    const around = document.getIn(path.slice(0, -1), true);
    const pair = isMap(around)
      ? around.items.find((one: Pair) => isScalar(one.key) && one.key.value === path.at(-1))
      : null;
    if (isScalar(pair?.key)) return pair.key;
  }
  const node = document.getIn(path, true) as Node | null | undefined;
  if (node) return node;
  return path.length > 0 ? nodeOf(document, { path: path.slice(0, -1), message: '' }) : document.contents;
}

function startOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

/** YAML reads 00123 as a number and loses its zeros. */
function hintOf({ wantsText, isSecret }: Fault, node: Node | null): string {
  if (!wantsText || !isScalar(node)) return '';
  return isSecret || node.source === undefined ? '; put it in quotes' : `; quote it: "${node.source}"`;
}
