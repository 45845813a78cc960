import { IntegrationError } from '../../lib/errors.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, FoundShipment, ShipmentDraft } from '../adapter.ts';
import { fetchLabel, fetchLabels } from './labels.ts';
import { isClosed, listShipments } from './list.ts';
import { lossesOf } from './mapping.ts';
import { isNumber } from './numbers.ts';
import { type Account, ListedShipment } from './schema.ts';
import { countedOtherwise, otherNumbers, withoutLabel } from './warnings.ts';
import { callTracking, PROVIDER } from './wire.ts';
import { fieldsOf, findAll } from './xml.ts';

type Context = CarrierContext<Account>;

/**
 * Looks for our reference in the list of routed shipments. One that waits at "GLS Check" is recognised by its label
 * instead.
 */
export async function findByReference(context: Context, draft: ShipmentDraft): Promise<FoundShipment | null> {
  const matches = await listedUnder(context, draft.reference);
  const [first] = matches;
  if (!first) return findUnlisted(context, draft);
  const parcelCount = matches.reduce((sum, item) => sum + item.TotaleColli, 0);
  const labels = await fetchLabels(context, draft, first.NumSpedizione);
  return {
    trackingNumber: `${context.account.sedeGls}${first.NumSpedizione}`,
    carrierReference: first.NumSpedizione,
    parcelCount,
    labels,
    warnings: [
      ...countedOtherwise(draft, parcelCount),
      ...otherNumbers(matches.map((item) => item.NumSpedizione)),
      ...withoutLabel(labels, draft.parcels.length),
      ...lossesOf(draft),
    ],
    canBeTakenBack: !isClosed(first),
  };
}

/** An item that cannot be read and may be ours would pass for an absence, so it throws. */
async function listedUnder(context: Context, reference: string): Promise<ListedShipment[]> {
  const raws = await listShipments(context);
  const candidates = raws.filter((raw) => mayCarry(raw, reference));
  const own = readEach(ListedShipment, candidates, ({ count, fields }) => {
    throw new Error(`${count} listed shipments that may be ours have an odd ${fields.join(', ')}`);
  });
  readEach(
    ListedShipment,
    raws.filter((raw) => !candidates.includes(raw)),
    warnOf(context.log, 'shipments'),
  );
  return own.filter((item) => carriesReference(item, reference));
}

/** Also true for an item that shows no reference and cannot be read. */
function mayCarry(raw: Record<string, string>, reference: string): boolean {
  const { Ddt = '', RiferimentiCliente = '' } = raw;
  if (Ddt.trim() === '' && RiferimentiCliente.trim() === '') return true;
  return carriesReference({ Ddt, RiferimentiCliente }, reference);
}

function carriesReference(item: Pick<ListedShipment, 'Ddt' | 'RiferimentiCliente'>, reference: string): boolean {
  return item.Ddt.trim() === reference || item.RiferimentiCliente.split(/[^A-Za-z0-9]+/).includes(reference);
}

/** Null only when GLS has no label for the first parcel either: a shipment without a route is missing from the list. */
async function findUnlisted(context: Context, draft: ShipmentDraft): Promise<FoundShipment | null> {
  if ((await fetchLabel(context, draft, 1)) === null) return null;
  const { sedeGls, codiceContrattoGls } = context.account;
  const document = await callTracking(context, {
    locpartenza: sedeGls,
    bda: draft.reference,
    CodCli: codiceContrattoGls,
  });
  const [shipment] = findAll(document, ({ name }) => name === 'SPEDIZIONE');
  const { NumSped = '', NumeroColli = '' } = shipment ? fieldsOf(shipment) : {};
  const number = NumSped.replace(/\D/g, '').slice(-9);
  if (!isNumber(number)) {
    throw new IntegrationError(`${PROVIDER} has a label for ${draft.reference} but shows no shipment number`, {
      kind: 'unknown-outcome',
      provider: PROVIDER,
      code: 'shipment-unlisted',
    });
  }
  const parcelCount = Number(NumeroColli) || draft.parcels.length;
  return {
    trackingNumber: `${sedeGls}${number}`,
    carrierReference: number,
    parcelCount,
    labels: await fetchLabels(context, draft, number),
    warnings: [
      'GLS Check: the destination is not routed yet',
      ...countedOtherwise(draft, parcelCount),
      ...lossesOf(draft),
    ],
    canBeTakenBack: true,
  };
}
