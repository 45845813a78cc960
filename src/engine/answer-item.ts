import { OperationItem } from '../db/entities/index.ts';
import { type Em, systemEm } from '../db/orm.ts';
import { claimItem, settleItem } from '../db/queries/operations.ts';
import { IntegrationError } from '../lib/errors.ts';
import { afterCall } from '../queue/retry.ts';
import type { Deps } from './deps.ts';

/** An item that a run holds. */
export interface HeldItem {
  item: OperationItem;
  held: { itemId: number; fence: number };
  em: Em;
}

interface Answer {
  /** Empty: it succeeded. */
  message: string;
  result: object;
}

/**
 * Answers a person's question to a partner that only reads, or that its schedule repeats. The person waits, so a failure is
 * reported without a retry; `resultOf` is what is stored with it. Does nothing when another run has the item.
 */
export async function answerItem(
  deps: Pick<Deps, 'orm'>,
  { itemId }: { itemId: number },
  { ask, resultOf }: { ask: (one: HeldItem) => Promise<Answer>; resultOf: (error: IntegrationError) => object },
): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, itemId);
  const claim = item && (await claimItem(em, item.id));
  if (!claim) return;
  const held = { itemId: item.id, fence: claim.fence };
  try {
    const { message, result } = await ask({ item, held, em });
    await settleItem(em, held, { status: message === '' ? 'succeeded' : 'failed', message, result: { ...result } });
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    const { message, kind: failureKind } = error;
    await settleItem(em, held, { status: 'failed', message, failureKind, result: { ...resultOf(error) } });
    throw afterCall(error, true);
  }
}
