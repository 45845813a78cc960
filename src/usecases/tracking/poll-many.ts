import { setTimeout as pause } from 'node:timers/promises';
import { OperationItem, Shipment } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { Problem, UsageError } from '../../lib/errors.ts';
import { requestPoll } from './poll-shipment.ts';

/** The command line polls the rows, because it does not listen for notifications. */
const REREAD_MS = 250;

export interface PolledLine {
  shipmentId: number;
  text: string;
  /** True: the carrier was not called, or did not answer. */
  isRefused: boolean;
}

/** Queues a poll of each shipment, of any company, and waits for the workers' answers. */
export async function pollMany(deps: Deps, shipmentIds: readonly number[], waitMs: number): Promise<PolledLine[]> {
  const em = systemEm(deps.orm);
  const shipments = await em.find(Shipment, { id: { $in: [...shipmentIds] } });
  const unknown = shipmentIds.find((id) => !shipments.some((shipment) => shipment.id === id));
  if (unknown !== undefined) throw new UsageError(`There is no shipment ${unknown}`);
  const asked: { shipmentId: number; operationId: number | null; refused: string }[] = [];
  for (const { id: shipmentId, companyId } of shipments) {
    const request = requestPoll(deps, { companyId, requestId: 'command-line', shipmentId });
    asked.push(
      await request.then(
        (operationId) => ({ shipmentId, operationId, refused: '' }),
        (error: unknown) => {
          if (!(error instanceof Problem)) throw error;
          return { shipmentId, operationId: null, refused: error.message };
        },
      ),
    );
  }
  const items = await settledItems(deps, { operationIds: asked.flatMap((one) => one.operationId ?? []), waitMs });
  return Promise.all(
    asked.map(async ({ shipmentId, operationId, refused }) => {
      if (operationId === null) return { shipmentId, text: refused, isRefused: true };
      const item = items.find((one) => one.operationId === operationId);
      if (item?.status === 'failed') return { shipmentId, text: item.message, isRefused: true };
      if (item?.status !== 'succeeded') {
        const text = `queued as operation ${operationId}; the workers have not answered yet`;
        return { shipmentId, text, isRefused: false };
      }
      const { trackingStatus } = await em.findOneOrFail(Shipment, shipmentId, { refresh: true });
      const count = Number(item.result?.newEvents ?? 0);
      const text = `${trackingStatus ?? 'the carrier has no news'}, ${count} new ${count === 1 ? 'event' : 'events'}`;
      return { shipmentId, text, isRefused: false };
    }),
  );
}

/** Reads the items repeatedly until none is open or the time is over. */
async function settledItems(
  deps: Deps,
  { operationIds, waitMs }: { operationIds: number[]; waitMs: number },
): Promise<OperationItem[]> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const items = await systemEm(deps.orm).find(OperationItem, { operationId: { $in: operationIds } });
    if (items.every((item) => item.settledAt !== null) || Date.now() >= deadline) return items;
    await pause(REREAD_MS);
  }
}
