import type { CarrierContext, FoundShipment, ShipmentDraft } from '../adapter.ts';
import { unclearAt } from '../refusals.ts';
import { PROVIDER } from './codes.ts';
import { lossesOf, numericReferenceOf } from './mapping.ts';
import { type Account, isPadding, type Tracked } from './schema.ts';
import { callSoap, esitoFailure, esitoOf, NOT_FOUND } from './soap.ts';
import { trackShipment } from './tracking.ts';

type Context = CarrierContext<Account>;

export const NO_LABEL =
  'BRT does not give a label a second time: cancel this shipment and create it again before the parcel leaves';

/**
 * Looks for our numeric reference. Null only when BRT says that it has none (outcome -11). With several (-22) BRT names none of
 * them, and neither confirms nor deletes any (-154): a person has to ask the depot.
 */
export async function findByReference(context: Context, draft: ShipmentDraft): Promise<FoundShipment | null> {
  const { account } = context;
  const answer = await callSoap(context, 'GetIdSpedizioneByRMN', {
    CLIENTE_ID: account.senderCustomerCode.padStart(7, '0'),
    RIFERIMENTO_MITTENTE_NUMERICO: String(numericReferenceOf(draft.reference)),
  });
  const esito = esitoOf(answer.ESITO);
  if (esito === NOT_FOUND) return null;
  if (esito !== 0) throw esitoFailure(esito);

  const shipmentId = shipmentIdOf(answer.SPEDIZIONE_ID);
  const tracked = await trackShipment(context, shipmentId, Number(answer.SPEDIZIONE_ANNO ?? 0) || 0);
  if (tracked === null)
    throw unclearAt(PROVIDER, `has shipment ${shipmentId} under the reference, but does not show it yet`);
  const alphanumeric = tracked.bolla?.riferimenti?.riferimento_mittente_alfabetico ?? '';
  if (!isOurs(tracked, draft.reference))
    throw unclearAt(PROVIDER, `showed shipment ${shipmentId}, which has another reference`);
  const parcelCount = tracked.bolla?.merce?.colli || draft.parcels.length;
  return {
    trackingNumber: shipmentId,
    carrierReference: alphanumeric,
    parcelCount,
    labels: [],
    warnings: [
      NO_LABEL,
      ...lossesOf(draft),
      ...(parcelCount === draft.parcels.length
        ? []
        : [`BRT counts ${parcelCount} parcels in this shipment, ${draft.parcels.length} were sent`]),
    ],
    // Every event comes after the transmission to BRT (700), also one that cannot be read.
    canBeTakenBack: account.confirmation !== 'automatic' && tracked.lista_eventi.every(isPadding),
  };
}

/** Depot, series and number; written as a number it loses the zeros in front. */
function shipmentIdOf(value: unknown): string {
  const id = String(value ?? '').trim();
  if (!/^\d{1,12}$/.test(id) || Number(id) === 0) throw new Error('BRT found a shipment and gave no id');
  return id.padStart(12, '0');
}

function isOurs({ bolla }: Tracked, reference: string): boolean {
  const { riferimento_mittente_numerico: numeric = '', riferimento_mittente_alfabetico: alphanumeric = '' } =
    bolla?.riferimenti ?? {};
  const isSameNumber = /^\d+$/.test(numeric) && Number(numeric) === numericReferenceOf(reference);
  // Four characters after the reference are the mark of one call.
  return isSameNumber && (alphanumeric === '' || alphanumeric.slice(0, -4) === reference);
}
