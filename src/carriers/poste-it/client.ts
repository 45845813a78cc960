import { IntegrationError } from '../../lib/errors.ts';
import type { BookedShipment, CarrierContext, ShipmentDraft } from '../adapter.ts';
import { joined } from '../parcels.ts';
import { failureOf, isFine, PROVIDER, type Said, wordsOf } from './codes.ts';
import { depositsBetween } from './deposits.ts';
import { downloadLabels } from './labels.ts';
import { contentsOf, notesOf, waybillBody } from './mapping.ts';
import { chosenPoint } from './pickup-points.ts';
import { type Account, type Waybill, WaybillAnswer } from './schema.ts';
import { plain } from './text.ts';
import { ask } from './wire.ts';

type Context = CarrierContext<Account>;

/** Poste draws a label per parcel while we wait. */
const MS_PER_PARCEL = 300;
/** How Poste words a used reference was not found. A reference with such words has a waybill already. */
const USED_REFERENCE =
  /duplicat|gi[aà]['’]?\s+(esist|present|utilizzat|usat|registrat)|already\s+(exist|used|present)/i;

/**
 * Books with one write for all parcels. Each parcel gets a waybill of its own, whose label is then fetched from the
 * address in the answer.
 */
export async function createShipment(context: Context, draft: ShipmentDraft): Promise<BookedShipment> {
  const point = draft.pickupPointId === null ? null : await chosenPoint(context, draft.pickupPointId);
  const answer = await ask(
    context,
    {
      operation: 'waybill',
      effect: 'write',
      method: 'POST',
      body: waybillBody(context.account, draft, { now: context.now(), point }),
      timeoutMs: 30_000 + MS_PER_PARCEL * draft.parcels.length,
    },
    WaybillAnswer,
  );
  const sold = soldOf(answer);
  const [first] = sold;
  if (!first) throw refusalOf(answer);
  const { labels, missing } = await downloadLabels(context, sold);
  return {
    trackingNumber: first.code,
    carrierReference: joined(sold.map(({ code }) => code)),
    parcelCount: sold.length,
    labels,
    ...(missing.length > 0 ? { lacksLabels: true } : {}),
    warnings: [...soldDifferently(draft, sold), ...saidOf(answer), ...lossesOf(draft), ...missing.map(withoutLabel)],
  };
}

/** A number that came is a waybill that exists, whatever else is said about it. */
function soldOf({ waybills }: WaybillAnswer): Waybill[] {
  return waybills.filter(({ code }, index) => code !== '' && waybills.findIndex((one) => one.code === code) === index);
}

function refusalOf(answer: WaybillAnswer): IntegrationError {
  const ofWaybill = answer.waybills.find((said) => !isFine(said));
  const refused = ofWaybill ?? saidBy(answer).find((said) => !isFine(said));
  if (!refused) throw new Error('The answer holds neither a waybill nor an error');
  const isUsed = saidBy(answer).some(({ errorDescription }) => USED_REFERENCE.test(errorDescription));
  if (!isUsed) return failureOf(refused, 'write', { isOfOne: ofWaybill !== undefined });
  return new IntegrationError(`${PROVIDER} knows the reference already: ${wordsOf(refused)}`, {
    kind: 'unknown-outcome',
    provider: PROVIDER,
    code: 'answer-unreadable',
  });
}

function saidBy({ waybills, result }: WaybillAnswer): Said[] {
  return [...waybills, ...(result ? [result] : [])];
}

/** Lists Poste's objections to waybills that it sold. */
function saidOf(answer: WaybillAnswer): string[] {
  const words = saidBy(answer)
    .map(wordsOf)
    .filter((said) => said !== '');
  return [...new Set(words)].map((said) => `${PROVIDER}: ${said}`);
}

function soldDifferently({ parcels }: ShipmentDraft, sold: readonly Waybill[]): string[] {
  return sold.length === parcels.length
    ? []
    : [`${PROVIDER} sold ${sold.length} waybills for ${parcels.length} parcels: call Poste before handing them over`];
}

/** Lists the texts that Poste got shortened. */
function lossesOf(draft: ShipmentDraft): string[] {
  const [contents, notes] = [contentsOf(draft), notesOf(draft).join(' ')];
  return [
    ...(contents === plain(draft.contents) ? [] : [`The contents were shortened for Poste to "${contents}"`]),
    ...(notes === plain(draft.note) ? [] : [`The note was shortened for Poste to "${notes}"`]),
  ];
}

function withoutLabel(code: string): string {
  return `${PROVIDER} sold waybill ${code}, and its label could not be fetched: print it from the portal of Poste`;
}

/** Asks for today's parcels in giacenza, which needs a login and a contract, and changes nothing. */
export async function verifyAccount(context: Context): Promise<void> {
  await depositsBetween(context, { first: 0, last: 0 });
}
