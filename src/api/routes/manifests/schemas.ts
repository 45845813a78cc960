import { z } from 'zod';
import { DateTime, Decimal, Id, NullableDateTime, NullableText, Text } from '../../http/schemas.ts';
import { AccountFields, Carrier } from '../partners/schemas.ts';
import { SHIPMENT_STATUS_WORDS } from '../shipments/schemas.ts';

export const ManifestDetail = z
  .object({
    manifestNumber: Text,
    manifestDate: DateTime,
    totalParcels: z.number().int(),
    totalWeight: Decimal,
    totalShipments: z.number().int(),
    company: z.object({
      name: Text,
      address: Text,
      postalCode: Text,
      city: Text,
      country: Text,
      vatNumber: Text,
    }),
    carrier: z.object({ id: Id, code: Text, name: Text, logoUrl: Text }),
    carrierCompany: z.object({ configFields: AccountFields }),
    manifestItems: z.array(
      z.object({
        id: Id,
        orderRef: Text,
        shipment: z.object({
          id: Id,
          status: Text.describe(SHIPMENT_STATUS_WORDS),
          reference: NullableText.describe('The reference that the carrier knows'),
        }),
        order: z.object({
          sentToMarketplace: z.boolean(),
          sentToCarrier: z.boolean(),
          sentToErp: z.boolean(),
          dateSendToMarketplace: NullableDateTime,
          dateSendToCarrier: NullableDateTime,
        }),
        trackingNumber: Text,
        recipientName: Text,
        recipientCity: Text,
        recipientAddress: Text,
        recipientState: Text,
        recipientZip: Text,
        recipientPhone: Text,
        parcelsCount: z.number().int(),
        weight: Decimal,
        codAmount: Decimal,
        shipmentValue: Decimal,
      }),
    ),
  })
  .meta({ id: 'ManifestDetail' });

export const ManifestListItem = z
  .object({
    id: Id,
    companyId: Text,
    manifestNumber: Text,
    manifestDate: DateTime,
    createdAt: DateTime,
    updatedAt: DateTime,
    totalParcels: z.number().int(),
    totalShipments: z.number().int(),
    totalWeight: Decimal,
    codAmount: Decimal,
    sentToMarketplace: z.boolean(),
    sentToCarrier: z.boolean(),
    sentToErp: z.boolean(),
    warehouse: z.array(
      z.object({
        id: Id,
        name: Text,
        address: Text,
        city: Text,
        province: Text,
        zip: Text,
        countryCode: Text,
      }),
    ),
    carrier: Carrier.omit({ marketplaceCarrierCode: true }),
  })
  .meta({ id: 'ManifestListItem' });

const ManifestMade = { manifestId: Id, manifestNumber: Text, manifestCode: Text, totalShipments: z.number().int() };

export const ManifestCreated = z
  .object({
    ...ManifestMade,
    manifests: z
      .array(z.object({ ...ManifestMade, carrierCompanyId: Id }))
      .describe('An addition to the contract: all new borderos, one per contract; the fields above describe the first'),
  })
  .meta({ id: 'ManifestCreated' });

const OpenTotals = {
  shipments: z.number().int(),
  parcels: z.number().int(),
  weight: Decimal.describe('Kilograms'),
  codAmount: Decimal,
};

export const OpenShipments = z
  .object({
    carrier: z.object({ id: Id, name: Text }),
    carrierCompanyId: Id,
    contractLabel: Text,
    warehouse: z.object({ id: Id, name: Text }).nullable().describe('Null: the company has no warehouse'),
    takesPickups: z.boolean().describe('True: POST /pickups accepts this contract'),
    open: z.object(OpenTotals).describe('Transmitted, on no bordero, and not scanned by the carrier yet'),
    onBordero: z.object(OpenTotals).describe('On a bordero, and not scanned by the carrier yet'),
    untransmitted: z
      .array(
        z.object({
          shipmentId: Id,
          orderId: Id,
          orderNumber: Text,
          trackingNumber: Text,
          isCreated: z.boolean().describe('True: POST /shipment/transmit accepts it; false: not created yet'),
          status: Text.describe(SHIPMENT_STATUS_WORDS),
          error: NullableText.describe('The last failure'),
        }),
      )
      .describe('Booked or being booked, and not transmitted'),
  })
  .meta({ id: 'OpenShipments' });

export const ManifestDeleted = z
  .object({
    success: z.boolean(),
    message: Text,
    mode: Text,
    targetStatus: Text,
    restoredOrders: z.number().int(),
    keptOrders: z.number().int(),
    manifestId: Id,
    remainingOrders: z.number().int(),
  })
  .meta({ id: 'ManifestDeleted' });
