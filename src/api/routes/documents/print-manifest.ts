import { z } from 'zod';
import { renderBordero } from '../../../documents/bordero.ts';
import { sha256 } from '../../../lib/crypto.ts';
import {
  planCarrierManifest,
  readManifestToPrint,
  requireCarrierManifest,
} from '../../../usecases/documents/print-manifest.ts';
import { type ApiDeps, defineRoute, type ReplyFile } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { startedStream } from '../../http/started-stream.ts';
import { labelFile } from './label-file.ts';

type Asked = { companyId: number; manifestId: number };

export const printManifestRoute = defineRoute({
  method: 'get',
  scope: 'documents:read',
  path: '/bordero/{id}/pdf',
  tag: 'Manifests',
  summary: 'Print a bordero for the driver to sign',
  description:
    "An addition to the contract. The carrier's own list where it gave one of exactly these shipments, else ours; `source` picks.",
  params: IdPath,
  query: z.object({ source: z.enum(['carrier', 'ours']).optional() }),
  responses: { 200: { description: 'A4', contentTypes: ['application/pdf'] } },
  async handle(deps, { companyId, params, query }) {
    const asked = { companyId, manifestId: params.id };
    const plan =
      query.source === 'carrier'
        ? await requireCarrierManifest(deps, asked)
        : query.source === undefined
          ? await planCarrierManifest(deps, { ...asked, mayListMore: false })
          : null;
    if (!plan) return { status: 200, file: await ownFile(deps, asked) };
    const print = { layout: 'original', startAt: 1, name: `distinta-${params.id}` } as const;
    return { status: 200, file: await labelFile(deps, plan, print) };
  },
});

async function ownFile(deps: ApiDeps, asked: Asked): Promise<ReplyFile> {
  const { manifest, company, carrier, contract, items } = await readManifestToPrint(deps, asked);
  const customerCode = deps.carriers.get(carrier.code)?.customerCode?.(contract.configFields) ?? null;
  const bordero = {
    number: manifest.number,
    date: manifest.manifestDate,
    timeZone: company.settings.timeZone,
    company,
    carrier,
    contract: { label: contract.label, customerCode },
    items,
  };
  const content = await startedStream(renderBordero(bordero));
  const version = sha256(JSON.stringify(bordero));
  return { contentType: 'application/pdf', name: `${manifest.number}.pdf`, content, version };
}
