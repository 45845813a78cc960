import type { CarrierContext, LabelFile, ShipmentDraft, ShipmentHandle } from '../adapter.ts';
import { labelFrom } from '../labels.ts';
import { parcelCounter } from './mapping.ts';
import type { Account, LabelledParcel } from './schema.ts';
import { callLabelService } from './wire.ts';
import { findAll, type XmlNode } from './xml.ts';

/** Returns the label inside one AddParcel answer, null when GLS sent none. */
export function labelOf(parcel: LabelledParcel): LabelFile | null {
  return readLabel(parcel.PdfLabel) ?? readLabel(parcel.Zpl);
}

/**
 * Reads base64, of which ASP.NET may break the lines, or plain ZPL. Returns null for anything else: how GLS words "no
 * such label" was not found.
 */
export function readLabel(text: string): LabelFile | null {
  const plain = text.trim();
  if (plain === '') return null;
  const bytes = plain.startsWith('^XA') ? Buffer.from(plain, 'utf8') : Buffer.from(plain.replace(/\s/g, ''), 'base64');
  return labelFrom(bytes);
}

/** Returns the depot's list of closed shipments, which GLS gives out once. */
export function manifestOf(answer: XmlNode): LabelFile | null {
  const [list] = findAll(answer, ({ name }) => name === 'DistintaPDF');
  const file = list ? readLabel(list.text) : null;
  return file?.contentType === 'application/pdf' ? file : null;
}

/** Fetches the kept label of one parcel by our own counter. ListSped need not show the shipment. */
export async function fetchLabel(
  context: CarrierContext<Account>,
  draft: ShipmentDraft,
  place: number,
): Promise<LabelFile | null> {
  const answer = await callLabelService(context, {
    method: draft.labelFormat === 'zpl' ? 'GetZpl' : 'GetPdf',
    effect: 'read',
    form: { ...getterCredentials(context.account), ContatoreProgressivo: parcelCounter(draft, place) },
  });
  return readLabel(textOf(answer));
}

/** The kept label of one parcel, by the number that GLS gave; labels of the last two months. */
async function fetchLabelByNumber(
  context: CarrierContext<Account>,
  draft: ShipmentDraft,
  { number, place }: { number: string; place: number },
): Promise<LabelFile | null> {
  const answer = await callLabelService(context, {
    method: draft.labelFormat === 'zpl' ? 'GetZplBySped' : 'GetPdfBySped',
    effect: 'read',
    form: {
      ...getterCredentials(context.account),
      NumeroSpedizione: number,
      Bda: draft.reference,
      NumeroCollo: place,
    },
  });
  return readLabel(textOf(answer));
}

/** Fetches one label per parcel of the draft, as far as GLS still has them. */
export async function fetchLabels(
  context: CarrierContext<Account>,
  draft: ShipmentDraft,
  number: string,
): Promise<LabelFile[]> {
  const labels: LabelFile[] = [];
  for (let place = 1; place <= draft.parcels.length; place++) {
    const label =
      (await fetchLabel(context, draft, place)) ?? (await fetchLabelByNumber(context, draft, { number, place }));
    if (label) labels.push(label);
  }
  return labels;
}

/** Fetches every label of a booked shipment, or none: half of the parcels cannot be shipped. */
export async function fetchAllLabels(
  context: CarrierContext<Account>,
  draft: ShipmentDraft,
  shipment: ShipmentHandle,
): Promise<LabelFile[]> {
  const labels = await fetchLabels(context, draft, shipment.carrierReference);
  return labels.length === draft.parcels.length ? labels : [];
}

/** The label getters call the same three credentials by other names. */
function getterCredentials(account: Account): Record<string, string> {
  return {
    SedeGls: account.sedeGls,
    CodiceCliente: account.codiceClienteGls,
    Password: account.passwordClienteGls,
    CodiceContratto: account.codiceContrattoGls,
  };
}

function textOf(node: XmlNode): string {
  return node.text !== '' ? node.text : (node.children.map(textOf).find((text) => text !== '') ?? '');
}
