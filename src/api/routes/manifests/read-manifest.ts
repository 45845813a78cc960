import { centsToString } from '../../../lib/decimal.ts';
import { readManifest } from '../../../usecases/manifests/read-manifests.ts';
import { iso, isoOrNull, kilograms, logoUrl } from '../../http/format.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { shipmentStatus } from '../shipments/shipment-status.ts';
import { ManifestDetail } from './schemas.ts';

export const readManifestRoute = defineRoute({
  method: 'get',
  scope: 'manifests:read',
  path: '/bordero/{id}',
  tag: 'Manifests',
  summary: 'Read a bordero',
  description: 'Weights are in kilograms; amounts are in the currency of the order.',
  params: IdPath,
  responses: { 200: { description: 'The bordero and every order on it', schema: ManifestDetail } },
  async handle(deps, { companyId, params }) {
    const { manifest, company, carrier, contract, lines } = await readManifest(deps, {
      companyId,
      manifestId: params.id,
    });
    return {
      status: 200,
      body: {
        manifestNumber: manifest.number,
        manifestDate: iso(manifest.manifestDate),
        totalParcels: manifest.totalParcels,
        totalWeight: kilograms(manifest.totalWeightGrams),
        totalShipments: manifest.totalShipments,
        company: {
          name: company.name,
          address: company.address,
          postalCode: company.postalCode,
          city: company.city,
          country: company.country,
          vatNumber: company.vatNumber,
        },
        carrier: {
          id: carrier.id,
          code: carrier.code,
          name: carrier.name,
          logoUrl: logoUrl(carrier.logoUrl, deps.settings.publicUrl),
        },
        carrierCompany: { configFields: contract.configFields },
        manifestItems: lines.map(({ item, shipment, order, address }) => ({
          id: item.id,
          orderRef: order.orderNumber,
          shipment: { id: shipment.id, status: shipmentStatus(shipment), reference: shipment.reference },
          order: {
            sentToMarketplace: order.sentToMarketplaceAt !== null,
            sentToCarrier: order.sentToCarrierAt !== null,
            sentToErp: order.sentToErpAt !== null,
            dateSendToMarketplace: isoOrNull(order.sentToMarketplaceAt),
            dateSendToCarrier: isoOrNull(order.sentToCarrierAt),
          },
          trackingNumber: shipment.trackingNumber ?? '',
          recipientName: address.company || address.fullName,
          recipientCity: address.city,
          recipientAddress: [address.address, address.address2].filter(Boolean).join(', '),
          recipientState: address.state,
          recipientZip: address.zip,
          recipientPhone: address.phone,
          parcelsCount: shipment.parcelCount,
          weight: kilograms(shipment.weightGrams),
          codAmount: centsToString(shipment.codCents ?? 0),
          shipmentValue: centsToString(order.grossCents),
        })),
      },
    };
  },
});
