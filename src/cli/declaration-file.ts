import { readFileSync } from 'node:fs';
import { isMap, isScalar, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import { UsageError } from '../lib/errors.ts';
import { type DeclarationError, type Fault, pathText } from '../usecases/setup/declaration-faults.ts';

/** A parsed YAML file that can map a fault to its line. */
export interface DeclarationFile {
  declared: unknown;
  /** Words every fault with file, line, column, path and a hint. */
  explain(error: DeclarationError): UsageError;
}

/** Reads a YAML file. Throws a `UsageError` with the place of every syntax error. */
export function readDeclarationFile(file: string): DeclarationFile {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    const faults = document.errors.map(({ pos: [offset], message }) => `${at(offset)} ${message}`);
    throw new UsageError(`${file} cannot be read:\n${faults.join('\n')}`);
  }
  return {
    declared: document.toJS(),
    explain({ faults }) {
      const found = faults
        .map((fault) => ({ fault, node: nodeOf(document, fault) }))
        .toSorted((a, b) => startOf(a.node) - startOf(b.node));
      const told = found.map(
        ({ fault, node }) => `${at(startOf(node))} ${pathText(fault.path)}: ${fault.message}${hintOf(fault, node)}`,
      );
      return new UsageError(`${file} is not right:\n${told.join('\n')}`);
    },
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`, { cause });
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
