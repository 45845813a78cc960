import { renderBordero } from '../../documents/bordero.ts';
import { readManifest } from '../../usecases/read-manifests.ts';
import { defineRoute } from '../route.ts';
import { IdPath } from '../schemas.ts';

export const printManifestRoute = defineRoute({
  method: 'get',
  path: '/bordero/{id}/pdf',
  tag: 'Manifests',
  summary: 'The bordero as a document for the driver to sign',
  description: 'An addition of ours.',
  params: IdPath,
  responses: { 200: { description: 'A4', contentType: 'application/pdf' } },
  async handle(deps, { companyId, params }) {
    const { manifest, company, carrier, contract, lines } = await readManifest(deps, {
      companyId,
      manifestId: params.id,
    });
    const customerCode = deps.carriers.get(carrier.code)?.customerCode?.(contract.configFields) ?? null;
    const bytes = await renderBordero({
      number: manifest.number,
      date: manifest.manifestDate,
      timeZone: company.settings.timeZone,
      company,
      carrier,
      contract: { label: contract.label, customerCode },
      items: lines.map(({ shipment, order, address }) => ({
        trackingNumber: shipment.trackingNumber ?? '',
        orderRef: order.orderNumber,
        recipientName: address.company || address.fullName,
        recipientAddress: [address.address, address.address2].filter(Boolean).join(', '),
        recipientCity: address.city,
        recipientProvince: address.state,
        recipientZip: address.zip,
        recipientCountryCode: address.countryCode,
        parcelsCount: shipment.parcelCount,
        weightGrams: shipment.weightGrams,
        codCents: shipment.codCents,
      })),
    });
    return { status: 200, file: { contentType: 'application/pdf', name: `${manifest.number}.pdf`, bytes } };
  },
});
