import type { DocumentHandle } from '../../../engine/document-store.ts';
import { linkTo } from '../../../usecases/documents/read-documents.ts';
import { BASE_PATH } from '../../http/base-path.ts';
import type { ApiDeps } from '../../http/route.ts';

/** Returns a URL of the document that needs no key and expires within a week. */
export function documentUrl(deps: ApiDeps, document: DocumentHandle): string {
  const { id, expires, signature } = linkTo(deps, document);
  return `${deps.settings.publicUrl}${BASE_PATH}/documents/${id}?expires=${expires}&signature=${signature}`;
}
