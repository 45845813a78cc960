import type { JudgeOrder } from '../../../usecases/imports/import-order-sheet.ts';
import { violationsOf } from '../../http/problem.ts';
import { newOrderOf, OrderBody } from './order-fields.ts';

/** Judges a body as `POST /orders` does, and converts it to the units that are stored. */
export const judgeOrder: JudgeOrder = (body) => {
  const parsed = OrderBody.safeParse(body);
  return parsed.success ? { order: newOrderOf(parsed.data) } : { faults: violationsOf(parsed.error, 'body') };
};
