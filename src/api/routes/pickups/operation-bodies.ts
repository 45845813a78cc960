import { readPickup } from '../../../usecases/pickups/read-pickups.ts';
import { answerTo } from '../../http/operation-reply.ts';
import type { OperationBody } from '../../http/route.ts';
import { pickupBody } from './pickup-body.ts';

const readPickupBody: OperationBody = async (deps, view, companyId) => {
  answerTo(view);
  return pickupBody(await readPickup(deps, { companyId, pickupId: view.items[0]?.pickupId ?? 0 }));
};

export const pickupBodies = {
  'book-pickup': readPickupBody,
  'cancel-pickup': readPickupBody,
} satisfies Record<string, OperationBody>;
