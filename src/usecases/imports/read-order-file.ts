import { readTableFile, readTableUpload, TableError } from '../../documents/table-file.ts';
import type { Sheet } from '../../domain/pricing/sheets/sheet.ts';
import { Problem } from '../../lib/errors.ts';

/** Reads the sheets of a file on disk. Throws a `UsageError` that names it when it is no table. */
export function readOrderFile(file: string): Promise<Sheet[]> {
  return readTableFile(file);
}

/** Reads the sheets of an uploaded file, told apart by its content. Throws a `Problem` (400) for bytes that are no table. */
export async function readOrderUpload(content: Buffer): Promise<Sheet[]> {
  try {
    return await readTableUpload(content);
  } catch (cause) {
    if (!(cause instanceof TableError)) throw cause;
    throw new Problem(`The file ${cause.message}`, {
      status: 400,
      code: 'invalid-request',
      title: 'Bad request',
      violations: [{ in: 'body', pointer: '', message: cause.message }],
      cause,
    });
  }
}
