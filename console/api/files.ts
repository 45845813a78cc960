import { asCompany } from './batches.ts';
import { errorOf } from './client.ts';

/** A file of the API, under an address of this page until that is revoked. */
export interface FileHere {
  url: string;
  isPdf: boolean;
}

/** Reads a file here and not by its address: a frame could not name the company. */
export async function readFile(path: string): Promise<FileHere> {
  const response = await fetch(path, { headers: asCompany() });
  if (!response.ok) throw await errorOf(response);
  const file = await response.blob();
  return { url: URL.createObjectURL(file), isPdf: file.type.startsWith('application/pdf') };
}
