import type { Request } from 'express';
import { Problem, type Violation } from '../../lib/errors.ts';
import { DeclarationError, type Fault } from '../../usecases/setup/declaration-faults.ts';
import { type DeclarationText, readDeclarationText, YamlError } from '../../usecases/setup/declaration-text.ts';
import { badRequest } from '../http/problem.ts';
import { JSON_TYPES, refuseOtherTypes } from '../http/read-request.ts';

const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml'];
/** Parsing takes about a microsecond per byte, and other requests wait for it. */
const MAX_YAML = 256 * 1024;

/** Reads a YAML body. Returns null for JSON. Throws a 400 with the place of every syntax error, and a 415 for another type. */
export function readYamlBody(request: Request, raw: Buffer): DeclarationText | null {
  if (raw.length > 0) refuseOtherTypes([...JSON_TYPES, ...YAML_TYPES], request);
  if (!request.is(YAML_TYPES)) return null;
  if (raw.length > MAX_YAML) {
    const detail = `The body is YAML above ${MAX_YAML / 1024} KB: send it as JSON`;
    throw new Problem(detail, { status: 413, code: 'too-large', title: 'Content too large' });
  }
  try {
    return readDeclarationText(new TextDecoder('utf-8', { fatal: true }).decode(raw));
  } catch (error) {
    if (error instanceof YamlError)
      throw badRequest(error.faults.map((fault) => ({ in: 'body', pointer: '', ...fault })));
    if (error instanceof TypeError) throw badRequest([{ in: 'body', pointer: '', message: 'The body is not UTF-8' }]);
    throw error;
  }
}

/**
 * Turns the faults of a declaration into a 422; rethrows any other error.
 * @param from where the body stands in the declaration, and its text when it is YAML
 */
export function asDeclarationProblem({ text, root = [] }: { text?: DeclarationText | null; root?: Fault['path'] }) {
  return (error: unknown): never => {
    if (!(error instanceof DeclarationError)) throw error;
    const violations = (text?.placed(error.faults) ?? error.faults).map((fault) => violationOf(fault, root.length));
    throw new Problem('The declaration cannot be applied', {
      status: 422,
      code: 'rule-broken',
      title: 'The request cannot be carried out',
      violations,
    });
  };
}

function violationOf(fault: Fault & { line?: number; column?: number }, depth: number): Violation {
  const { path, message, line, column } = fault;
  const pointer = path
    .slice(depth)
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
  const place = line === undefined || column === undefined ? {} : { line, column };
  return { in: 'body', pointer, message, ...kindOf(fault), ...place };
}

function kindOf({ isUnknownField, wantsText, isSecret }: Fault): Pick<Violation, 'kind'> {
  if (isUnknownField) return { kind: 'unknown-field' };
  if (wantsText) return { kind: isSecret ? 'secret-text-wanted' : 'text-wanted' };
  return {};
}
