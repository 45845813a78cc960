import { z } from 'zod';
import { type LabelSelection, planLabels } from '../../../usecases/documents/print-labels.ts';
import { markPlanPrinted } from '../../../usecases/shipments/mark-printed.ts';
import { defineRoute } from '../../http/route.ts';
import { Flag, IdText, MAX_ID } from '../../http/schemas.ts';
import { LabelLayoutText, labelFile, StartAt, startFault } from './label-file.ts';

const MAX_IDS = 5000;
const CHOICES = ['shipmentIds', 'orderIds', 'manifestId', 'printed'] as const;

/** Ids such as `7,8,9`. A number outside our range becomes 0, which no row has. */
const IdList = z
  .string()
  .regex(/^\d{1,18}(,\d{1,18})*$/, 'must be numbers separated by commas')
  .transform((text) => text.split(',').map((id) => (Number(id) > MAX_ID ? 0 : Number(id))))
  .refine((ids) => ids.length <= MAX_IDS, `must be at most ${MAX_IDS} ids`)
  .meta({ override: { type: 'string', pattern: '^\\d+(,\\d+)*$' } })
  .optional();

const Query = z
  .object({
    shipmentIds: IdList,
    orderIds: IdList,
    manifestId: IdText.optional(),
    printed: z.literal('false').optional().describe('false: only labels that are not printed yet, oldest first'),
    mark: Flag.describe(
      'true: mark the labels as printed once the client has the whole file; it also needs the scope shipments:write',
    ),
    layout: LabelLayoutText,
    startAt: StartAt,
  })
  .superRefine((query, context) => {
    const given = CHOICES.filter((name) => query[name] !== undefined);
    if (given.length !== 1) {
      const path = given.length === 0 ? [CHOICES[0]] : [given[1] ?? ''];
      context.addIssue({ code: 'custom', path, message: `give exactly one of ${CHOICES.join(', ')}` });
    }
    const fault = startFault(query.layout, query.startAt);
    if (fault !== null) context.addIssue({ code: 'custom', path: ['startAt'], message: fault });
  });

function selectionOf(query: z.output<typeof Query>): LabelSelection {
  if (query.shipmentIds) return { by: 'shipmentIds', ids: query.shipmentIds };
  if (query.orderIds) return { by: 'orderIds', ids: query.orderIds };
  if (query.printed) return { by: 'unprinted', limit: MAX_IDS };
  return { by: 'manifestId', id: query.manifestId ?? 0 };
}

export const printLabelsRoute = defineRoute({
  method: 'get',
  scope: 'documents:read',
  alsoNeeds: ({ query }) => (query.mark ? 'shipments:write' : null),
  path: '/labels',
  tag: 'Shipments',
  summary: 'Print the labels of many shipments or of a bordero',
  description:
    'An addition to the contract. The answer is one file with all labels, or the reasons why there is none. It is built while it is sent. `printed=false` selects up to 5000 labels of one kind (PDF or ZPL) that are not marked as printed and whose parcels are not scanned yet. With `mark=true` the next call continues after them.',
  query: Query,
  responses: { 200: { description: 'PDF or ZPL', contentTypes: ['application/pdf', 'application/zpl'] } },
  points: ({ query }) => (query.shipmentIds ?? query.orderIds ?? []).length,
  async handle(deps, { companyId, query }) {
    const { layout, startAt, mark } = query;
    const plan = await planLabels(deps, { companyId, selection: selectionOf(query), layout });
    const onGiven = mark ? { onGiven: () => markPlanPrinted(deps, plan) } : {};
    return { status: 200, file: await labelFile(deps, plan, { layout, startAt, name: 'labels', ...onGiven }) };
  },
});
