import type { Carrier, CarrierContext, CarrierRegistry } from '../../src/carriers/adapter.ts';
import { Http } from '../../src/lib/http.ts';

/** What becomes of a process around one call to the carrier. */
export interface Interruption {
  /** Before the request leaves, or after the carrier did its work and before we know. */
  at: 'before' | 'after';
  /** Lets look-ups pass. */
  onlyWrites?: boolean;
  strike(): Promise<void>;
}

const INTERRUPTED = ['createShipment', 'transmitShipments', 'cancelShipment', 'findByReference'] as const;

/**
 * The real carriers, whose next call is interrupted when there is an interruption to take. A process that was interrupted before
 * its request left finds its lease over: a write is then refused by the real `Http`.
 */
export function interruptible(carriers: CarrierRegistry, take: Take): CarrierRegistry {
  return new Map([...carriers].map(([id, carrier]) => [id, interruptibleCarrier(carrier, take)]));
}

function interruptibleCarrier(carrier: Carrier, take: Take): Carrier {
  const methods = INTERRUPTED.flatMap((name) => {
    const method = carrier[name] as Method | undefined;
    return method ? [[name, interrupted(carrier, method.bind(carrier), () => take(name))]] : [];
  });
  return { ...carrier, ...Object.fromEntries(methods) };
}

/** The interruption meant for a call of this method, if there is one. */
export type Take = (method: string) => Interruption | null;
type Method = (context: CarrierContext<unknown>, input: unknown) => Promise<unknown>;

function interrupted(carrier: Carrier, method: Method, take: () => Interruption | null): Method {
  return async (context, input) => {
    const interruption = take();
    if (interruption?.at === 'before') {
      await interruption.strike();
      const http = new Http({ provider: carrier.label, signal: new AbortController().signal, writeBefore: 0 });
      return method({ ...context, http }, input);
    }
    if (interruption === null) return method(context, input);
    const outcome = await Promise.allSettled([method(context, input)]);
    await interruption.strike();
    if (outcome[0].status === 'rejected') throw outcome[0].reason;
    return outcome[0].value;
  };
}
