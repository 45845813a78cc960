import { readFileSync } from 'node:fs';
import { UsageError } from '../lib/errors.ts';
import { type DeclarationError, pathText } from '../usecases/setup/declaration-faults.ts';
import {
  type DeclarationText,
  type Place,
  readDeclarationText,
  YamlError,
} from '../usecases/setup/declaration-text.ts';

/** A parsed YAML file. */
export interface DeclarationFile {
  declared: unknown;
  /** Words every fault with file, line, column, path and a hint. */
  explain(error: DeclarationError): UsageError;
}

/** Reads a YAML file. Throws a `UsageError` with the place of every syntax error. */
export function readDeclarationFile(file: string): DeclarationFile {
  const at = ({ line, column }: Place) => `${file}:${line}:${column}`;
  const text = parse(file, at);
  return {
    declared: text.declared,
    explain({ faults }) {
      const told = text
        .placed(faults)
        .map(({ path, message, ...place }) => `${at(place)} ${pathText(path)}: ${message}`);
      return new UsageError(`${file} is not right:\n${told.join('\n')}`);
    },
  };
}

function parse(file: string, at: (place: Place) => string): DeclarationText {
  try {
    return readDeclarationText(readText(file));
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    const told = error.faults.map(({ message, ...place }) => `${at(place)} ${message}`);
    throw new UsageError(`${file} cannot be read:\n${told.join('\n')}`);
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
