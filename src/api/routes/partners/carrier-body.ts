import type { ManifestView } from '../../../usecases/manifests/read-manifests.ts';
import { iso, logoUrl } from '../../http/format.ts';

type CarrierRow = ManifestView['carrier'];

export function carrierBody(row: CarrierRow, publicUrl: string) {
  return {
    id: row.id,
    name: row.name,
    code: row.code,
    marketplaceCarrierCode: row.marketplaceCarrierCode,
    logoUrl: logoUrl(row.logoUrl, publicUrl),
    sortOrder: row.sortOrder,
    isNew: row.isNew,
    isActive: row.isActive,
    createdAt: iso(row.createdAt),
    updatedAt: iso(row.updatedAt),
  };
}
