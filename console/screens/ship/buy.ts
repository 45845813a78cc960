import { sendBatch } from '../../api/batches.ts';
import { ApiError, api } from '../../api/client.ts';
import { persist } from '../../api/persist.ts';
import { judge, type Pack, readPack } from './pack.ts';
import type { Parcel } from './station.ts';

export interface Bought {
  shipmentId: number;
  trackingNumber: string;
}

/** The carrier did not sell, or it is unknown whether it did. */
export class NotBought extends Error {
  /** The shipment that waits at the desk; null: none does. */
  readonly deskId: number | null;

  constructor(message: string, deskId: number | null) {
    super(message);
    this.name = 'NotBought';
    this.deskId = deskId;
  }
}

interface Purchase {
  pack: Pack;
  parcels: readonly Parcel[];
  /** One per packed order: a repetition after a lost answer changes and buys nothing twice. */
  key: string;
  onLost: (isLost: boolean) => void;
}

/** Corrects the parcels where they differ, and buys the label. */
export async function buy({ pack, parcels, key, onLost }: Purchase): Promise<Bought> {
  const orderId = pack.detail.order.id;
  if (!areSame(parcels, pack.packing.parcels)) {
    const headers = { 'If-Match': pack.etag, 'Idempotency-Key': `${key}-parcels` };
    await persist(
      () =>
        api.PATCH('/api/v1/external/orders/{id}', {
          params: { path: { id: orderId } },
          body: { parcels: [...parcels] },
          headers,
        }),
      onLost,
    );
  }
  const result = await sendBatch('/shipment/create', [{ orderId }], { key, onLost });
  const [bought] = result.details.shipments ?? [];
  if (bought && result.details.errors.length === 0) return bought;
  throw new NotBought(result.details.errors[0]?.message ?? result.message, await deskIdOf(orderId));
}

/** Finds the shipment of an order that needs a person now. */
async function deskIdOf(orderId: number): Promise<number | null> {
  const pack = await readPack(orderId);
  const verdict = judge(pack);
  if (verdict.name === 'refused') return verdict.deskId;
  return pack.detail.shipments.find(({ status }) => status === 'failed')?.id ?? null;
}

export function areSame(some: readonly Parcel[], others: readonly Parcel[]): boolean {
  const text = (parcels: readonly Parcel[]): string =>
    JSON.stringify(parcels.map((one) => [one.weight_kg, one.length_cm, one.width_cm, one.height_cm]));
  return text(some) === text(others);
}

/** Tells whether the same key may ask again: after an answer that refuses, only a new one reaches the carrier. */
export function isAnswered(error: Error): boolean {
  return error instanceof NotBought || error instanceof ApiError;
}
