import { IntegrationError } from '../lib/errors.ts';
import type { ConfirmedShipment } from './adapter.ts';

/** Either the platform has all of the shipment, or `write` writes only the missing part. */
export type Look =
  | { sent: ConfirmedShipment }
  | {
      write(): Promise<ConfirmedShipment>;
      /** Returns the failure when the shipment is not there after all. Absent: the refusal itself. */
      explain?(refusal: IntegrationError): IntegrationError;
    };

export interface Confirming {
  look(): Promise<Look>;
  /** True: the refusal may be about an earlier call of ours whose answer was lost. */
  mayBeDone(refusal: IntegrationError): boolean;
}

/** Confirms a shipment so that a repeat writes nothing: looks, writes, and looks again where the refusal may be ours. */
export async function confirmOnce({ look, mayBeDone }: Confirming): Promise<ConfirmedShipment> {
  const before = await look();
  if ('sent' in before) return before.sent;
  try {
    return await before.write();
  } catch (error) {
    if (!(error instanceof IntegrationError) || !mayBeDone(error)) throw error;
    const after = await look();
    if ('sent' in after) return after.sent;
    throw before.explain?.(error) ?? error;
  }
}
