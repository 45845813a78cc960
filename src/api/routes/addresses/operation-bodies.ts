import { answerTo } from '../../http/operation-reply.ts';
import type { OperationBody } from '../../http/route.ts';

const PENDING = { status: 'pending', message: 'The carrier has not answered yet', addresses: [] };

export const addressBodies = {
  'check-address': (_deps, view) => answerTo(view) ?? PENDING,
  'pickup-points': (_deps, view) => answerTo(view)?.points ?? [],
} satisfies Record<string, OperationBody>;
