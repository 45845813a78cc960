import type {
  AddressQuestion,
  Carrier,
  CarrierContext,
  ReleaseRequest,
  ShipmentDraft,
  ShipmentHandle,
} from '../../carriers/adapter.ts';
import { supported } from '../../engine/call-contract.ts';
import { IntegrationError } from '../../lib/errors.ts';
import type { Marketplace, MarketplaceContext, ShipmentConfirmation } from '../../marketplaces/adapter.ts';
import { answerOfCarrier } from '../addresses/address-answers.ts';
import { surplusError } from '../shipments/book-shipment.ts';
import { refusalOf } from '../shipments/transmit-shipments.ts';
import { type Made, made, madeOfError, madeOfTransmit, transmittedLine } from './made.ts';

/** The arguments of a method by name, as in an exported recording. */
export type MethodInput = Record<string, unknown>;

type Play = (carrier: Carrier, context: CarrierContext<unknown>, input: MethodInput) => Promise<Made>;

function handle(input: MethodInput): ShipmentHandle {
  return revived(input.shipment);
}

/** A handle from JSON has its date as text. */
function revived(stored: unknown): ShipmentHandle {
  const shipment = stored as ShipmentHandle & { bookedAt?: string | Date | null };
  return { ...shipment, bookedAt: shipment.bookedAt ? new Date(shipment.bookedAt) : null };
}

function draft(input: MethodInput): ShipmentDraft {
  return input.draft as ShipmentDraft;
}

/** The adapter's methods that can replay recorded answers. Each returns its result. */
const CARRIER_METHODS: Readonly<Record<string, Play>> = {
  async createShipment(carrier, context, input) {
    const sold = await carrier.createShipment(context, draft(input));
    const surplus = surplusError(carrier, { draft: draft(input), sold });
    if (surplus) throw surplus;
    return made('booked', { trackingNumber: sold.trackingNumber, details: sold.warnings });
  },
  async findByReference(carrier, context, input) {
    const found = await supported(carrier.findByReference?.bind(carrier), carrier, 'look-up')(context, draft(input));
    return found ? made('found', { trackingNumber: found.trackingNumber }) : made('absent');
  },
  async withdrawByReference(carrier, context, input) {
    await supported(carrier.withdrawByReference?.bind(carrier), carrier, 'withdrawal')(context, draft(input));
    return made('done');
  },
  async fetchLabels(carrier, context, input) {
    const fetch = supported(carrier.fetchLabels?.bind(carrier), carrier, 'way to give a label out again');
    const labels = await fetch(context, draft(input), handle(input));
    return labels.length > 0 ? made('labels') : made('absent');
  },
  async transmitShipments(carrier, context, input) {
    const shipments = handles(input);
    const transmit = supported(carrier.transmitShipments?.bind(carrier), carrier, 'confirmation');
    const said = new Map((await transmit(context, shipments)).map((result) => [result.reference, result]));
    const lines = shipments.map(({ reference }) => {
      const result = said.get(reference);
      return transmittedLine(reference, madeOfTransmit(result, refusalOf(result)));
    });
    return made('transmitted', { details: lines });
  },
  async cancelShipment(carrier, context, input) {
    await supported(carrier.cancelShipment?.bind(carrier), carrier, 'cancellation')(context, handle(input));
    return made('done');
  },
  async releaseHeld(carrier, context, input) {
    const request = input.request as ReleaseRequest;
    const release = supported(carrier.releaseHeld?.bind(carrier), carrier, 'release of held shipments');
    const { ok, message } = await release(context, { ...request, shipment: revived(request.shipment) });
    return made(ok ? 'done' : 'failed', { message });
  },
  async track(carrier, context, input) {
    const one = handle(input);
    const [report] = carrier.trackMany
      ? await carrier.trackMany.track(context, [one])
      : [await supported(carrier.track?.bind(carrier), carrier, 'tracking')(context, one)];
    if (report instanceof IntegrationError) throw report;
    const events = (report?.events ?? []).map(({ at, code, status }) => `${at.toISOString()} ${code} ${status}`);
    return made('report', { details: [...new Set(events)].toSorted() });
  },
  async checkAddress(carrier, context, input) {
    const check = supported(carrier.checkAddress?.bind(carrier), carrier, 'address check');
    const question = input.question as AddressQuestion;
    const { status, message } = answerOfCarrier(carrier, question, await check(context, question));
    return made('address', { message, details: [status] });
  },
};

function handles(input: MethodInput): ShipmentHandle[] {
  return (input.shipments as unknown[]).map(revived);
}

/** Returns the result of a failed call. A call for several shipments failed for each of them. */
export function failedCall({ method, input }: { method: string; input: MethodInput }, error: unknown): Made {
  const end = madeOfError(error);
  if (method !== 'transmitShipments') return end;
  return made('transmitted', { details: handles(input).map(({ reference }) => transmittedLine(reference, end)) });
}

/** Tells whether recorded answers of a method can be replayed. */
export function isReplayable(method: string): boolean {
  return Object.hasOwn(CARRIER_METHODS, method) || method === 'confirmShipment';
}

export function playCarrier(
  carrier: Carrier,
  context: CarrierContext<unknown>,
  { method, input }: { method: string; input: MethodInput },
): Promise<Made> {
  const play = CARRIER_METHODS[method];
  if (!play) throw new Error(`Answers to ${method} cannot be run again`);
  return play(carrier, context, input);
}

export async function playMarketplace(
  marketplace: Marketplace,
  context: MarketplaceContext<unknown>,
  { method, input }: { method: string; input: MethodInput },
): Promise<Made> {
  if (method !== 'confirmShipment') throw new Error(`Answers to ${method} cannot be run again`);
  const { confirmation, detected } = input as unknown as {
    confirmation: ShipmentConfirmation;
    detected: Record<string, unknown>;
  };
  await marketplace.confirmShipment(context, { confirmation, detected });
  return made('done');
}
