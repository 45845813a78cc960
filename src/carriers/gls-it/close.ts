import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, LabelFile, ShipmentHandle, TransmitResult } from '../adapter.ts';
import { manifestOf } from './labels.ts';
import { isClosed, listShipments } from './list.ts';
import { closeXml } from './mapping.ts';
import { isUnrouted } from './numbers.ts';
import { type Account, ListedShipment } from './schema.ts';
import { callLabelService, isTransient } from './wire.ts';
import { childOf, findAll, type XmlNode } from './xml.ts';

type Context = CarrierContext<Account>;

const CLOSE_BATCH = 500;

/** Closes shipments. A shipment that GLS no longer accepts is looked up, and a closed one is a success. */
export async function transmitShipments(context: Context, shipments: ShipmentHandle[]): Promise<TransmitResult[]> {
  const outcomes = new Map<string, string>();
  const manifests = new Map<string, LabelFile>();
  for (let start = 0; start < shipments.length; start += CLOSE_BATCH) {
    const numbers = shipments.slice(start, start + CLOSE_BATCH).map((shipment) => shipment.carrierReference);
    const answer = await callLabelService(context, {
      method: 'CloseWorkDayByShipmentNumber',
      effect: 'write',
      form: { _xmlRequest: closeXml(context.account, numbers) },
      // It holds the depot's list as a PDF.
      maxBytes: 4 * 1024 * 1024,
    });
    const manifest = manifestOf(answer);
    for (const number of manifest ? numbers : []) manifests.set(number, manifest as LabelFile);
    for (const [number, words] of readCloseAnswer(answer, numbers)) outcomes.set(number, words);
  }
  const isDoubtful = shipments.some((shipment) => outcomes.get(shipment.carrierReference) !== 'OK');
  const listed = isDoubtful ? await readStates(context) : NOTHING_LISTED;
  return shipments.map(({ reference, carrierReference }) => {
    const said = outcomes.get(carrierReference) ?? '';
    const words = said === '' ? 'GLS did not answer for this shipment' : said;
    const ok = words === 'OK' || listed.closed.has(carrierReference);
    const outcome = ok ? 'succeeded' : isDefinite(said, carrierReference, listed) ? 'failed' : 'unknown';
    // A shipment that was closed before is on the list of that time.
    const isListed = ok && (words === 'OK' || !outcomes.has(carrierReference));
    const manifest = isListed ? manifests.get(carrierReference) : undefined;
    return { reference, outcome, message: ok ? '' : words, ...(manifest ? { manifest } : {}) };
  });
}

interface ListedStates {
  closed: ReadonlySet<string>;
  open: ReadonlySet<string>;
  /** False when an item could not be read. */
  isWhole: boolean;
}

const NOTHING_LISTED: ListedStates = { closed: new Set(), open: new Set(), isWhole: true };

async function readStates(context: Context): Promise<ListedStates> {
  let isWhole = true;
  const warn = warnOf(context.log, 'shipments');
  const items = readEach(ListedShipment, await listShipments(context), (unreadable) => {
    isWhole = false;
    warn(unreadable);
  });
  const numbers = (wanted: boolean) =>
    new Set(items.filter((item) => isClosed(item) === wanted).map(({ NumSpedizione }) => NumSpedizione));
  return { closed: numbers(true), open: numbers(false), isWhole };
}

/**
 * GLS says the same of a shipment that it never had and of one that it closed before. Its list tells them apart, unless it leaves the
 * shipment out: it shows no shipments without a route.
 */
function isDefinite(said: string, number: string, { open, isWhole }: ListedStates): boolean {
  if (said === '' || isTransient(said)) return false;
  return open.has(number) || (isWhole && !isUnrouted(number));
}

/** The outcome of each number: by the number that GLS repeats, else by its place when the answer is complete. */
function readCloseAnswer(answer: XmlNode, numbers: readonly string[]): Map<string, string> {
  const items = findAll(answer, (node) => childOf(node, 'esito') !== undefined);
  // In the shape of CloseWorkDay, which has the list: what was closed is looked up.
  if (items.length === 0 && findAll(answer, ({ name }) => name === 'InfoErrore' || name === 'DistintaPDF').length > 0) {
    return new Map();
  }
  if (items.length === 0) throw new Error('The close answer names no shipment');
  const outcomes = new Map<string, string>();
  items.forEach((item, index) => {
    const values = item.children.map((child) => child.text.replace(/\D/g, '').slice(-9));
    const number =
      values.find((value) => numbers.includes(value)) ?? (items.length === numbers.length ? numbers[index] : undefined);
    if (number !== undefined) outcomes.set(number, childOf(item, 'esito')?.text ?? '');
  });
  return outcomes;
}
