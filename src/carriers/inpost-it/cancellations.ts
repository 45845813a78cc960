import { IntegrationError } from '../../lib/errors.ts';
import type { CarrierContext, ShipmentHandle } from '../adapter.ts';
import { PROVIDER, refusalOf } from './refusals.ts';
import { type Account, ShownShipment } from './schema.ts';
import { shipxId } from './shipment-list.ts';
import { ask, isUnknownThing, type Refused, send } from './wire.ts';

type Context = CarrierContext<Account>;

/** The one answer that ShipX names for a deletion that was carried out. */
const DELETED = 204;
const CANCELED = 'canceled';

/**
 * Cancels a shipment that InPost has not confirmed yet. Any answer but 204 or a refusal is checked by reading the
 * shipment back.
 */
export async function cancelShipment(context: Context, shipment: ShipmentHandle): Promise<void> {
  const path = `/v1/shipments/${encodeURIComponent(await shipxId(context, shipment))}`;
  const answer = await send(context, {
    operation: 'cancelShipment',
    effect: 'write',
    method: 'DELETE',
    path,
    promised: 'any',
  });
  if ('refusal' in answer) {
    if (isUnknownThing(answer) || isCancelled(answer)) return;
    throw refusalOf(answer);
  }
  if (answer.status === DELETED || (await isShownCancelled(context, path))) return;
  throw unproven('cancelShipment', answer.status);
}

/** With `invalid_action`, ShipX names the status that forbids it. */
function isCancelled({ refusal }: Refused): boolean {
  const { shipment_status: status } = (refusal.details ?? {}) as { shipment_status?: unknown };
  return refusal.error === 'invalid_action' && status === CANCELED;
}

/** False also when ShipX does not let it be read: the deletion may have been carried out all along. */
async function isShownCancelled(context: Context, path: string): Promise<boolean> {
  const shown = await ask(
    context,
    { operation: 'getShipment', effect: 'read', method: 'GET', path, promised: 'any' },
    ShownShipment,
  ).catch((error: unknown) => {
    context.log.warn({ err: error }, 'cancelled shipment not read back');
    return null;
  });
  if (shown === null) return false;
  return 'refusal' in shown ? isUnknownThing(shown) : shown.value.status === CANCELED;
}

/**
 * Cancels a dispatch order. ShipX documents no way to read one back, so anything but 204 or a refusal stays unknown.
 */
export async function cancelPickup(context: Context, confirmation: string): Promise<void> {
  const path = `/v1/dispatch_orders/${encodeURIComponent(confirmation)}`;
  const question = {
    operation: 'cancelDispatchOrder',
    effect: 'write',
    method: 'DELETE',
    path,
    promised: 'any',
  } as const;
  const answer = await send(context, question);
  if ('refusal' in answer) {
    if (isUnknownThing(answer)) return;
    throw refusalOf(answer);
  }
  if (answer.status !== DELETED) throw unproven(question.operation, answer.status);
}

function unproven(operation: string, status: number): IntegrationError {
  return new IntegrationError(`${PROVIDER} answered ${status} to ${operation}, which does not say that it was done`, {
    kind: 'unknown-outcome',
    provider: PROVIDER,
    code: 'answer-unreadable',
    status,
  });
}
