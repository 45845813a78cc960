import { z } from 'zod';
import { type LabelSelection, planLabels } from '../../../usecases/documents/print-labels.ts';
import { markPlanPrinted } from '../../../usecases/shipments/mark-printed.ts';
import { defineRoute } from '../../http/route.ts';
import { Flag, IdText, MAX_ID } from '../../http/schemas.ts';
import { LabelLayoutText, labelFile, StartAt, startFault } from './label-file.ts';

const MAX_IDS = 5000;
const CHOICES = ['shipmentIds', 'orderIds', 'manifestId', 'printed'] as const;

/** `7,8,9`; what cannot be an id of ours becomes 0, which is nobody's. */
const IdList = z
  .string()
  .regex(/^\d{1,18}(,\d{1,18})*$/, 'must be numbers with commas between them')
  .transform((text) => text.split(',').map((id) => (Number(id) > MAX_ID ? 0 : Number(id))))
  .refine((ids) => ids.length <= MAX_IDS, `must be at most ${MAX_IDS} ids`)
  .meta({ override: { type: 'string', pattern: '^\\d+(,\\d+)*$' } })
  .optional();

const Query = z
  .object({
    shipmentIds: IdList,
    orderIds: IdList,
    manifestId: IdText.optional(),
    printed: z.literal('false').optional().describe('false: what was not printed yet, the oldest first'),
    mark: Flag.describe('true: the labels count as printed once the whole file was given'),
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
  path: '/labels',
  tag: 'Shipments',
  summary: 'The labels of many shipments, or of a bordero, as one file',
  description:
    'An addition of ours. All labels are printed, or none with the reasons. The file is made while it is sent. `printed=false` gives up to 5000 labels that are not marked as printed and whose parcels were not scanned yet, those of one kind (PDF or ZPL); with `mark=true` the next call goes on behind them.',
  query: Query,
  responses: { 200: { description: 'PDF or ZPL', contentTypes: ['application/pdf', 'application/zpl'] } },
  async handle(deps, { companyId, query }) {
    const { layout, startAt, mark } = query;
    const plan = await planLabels(deps, { companyId, selection: selectionOf(query), layout });
    const onGiven = mark ? { onGiven: () => markPlanPrinted(deps, plan) } : {};
    return { status: 200, file: await labelFile(deps, plan, { layout, startAt, name: 'labels', ...onGiven }) };
  },
});
