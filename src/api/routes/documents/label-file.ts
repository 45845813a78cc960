import { z } from 'zod';
import { mergeLabels } from '../../../documents/merge-labels.ts';
import { placesPerSheet, SHEET_LAYOUTS } from '../../../documents/sheet-layout.ts';
import { sha256 } from '../../../lib/crypto.ts';
import { type LabelLayout, type LabelPlan, readPlanned } from '../../../usecases/documents/print-labels.ts';
import type { ApiDeps, ReplyFile } from '../../http/route.ts';
import { startedStream } from '../../http/started-stream.ts';

export const LabelLayoutText = z
  .enum(['original', ...SHEET_LAYOUTS, 'zpl'])
  .default('original')
  .describe(
    'original: as the carrier made it; a6: one per A6 sheet; a4-1, a4-2, a4-4: one, two or four per A4 sheet; zpl: for a label printer',
  );

export const StartAt = z
  .string()
  .regex(/^[1-9]$/, 'must be from 1 to 4')
  .transform(Number)
  .default(1)
  .meta({ override: { type: 'integer', minimum: 1, maximum: 4, default: 1 } })
  .describe('First free position on a partly used sheet');

/** Returns a message when the sheet lacks the first position, else null. */
export function startFault(layout: LabelLayout, startAt: unknown): string | null {
  if (typeof startAt !== 'number') return null; // its own violation is reported already
  const places = layout === 'original' || layout === 'zpl' ? 1 : placesPerSheet(layout);
  return startAt <= places ? null : `must be at most ${places} with ${layout}`;
}

/** Returns the labels of a plan as one file, which is built while it is sent. */
export async function labelFile(
  deps: ApiDeps,
  plan: LabelPlan,
  options: {
    layout: LabelLayout;
    startAt: number;
    name: string;
    /** Runs when the client has taken everything else. The file ends after it, so a client with the whole file sees its effect. */
    onGiven?: () => Promise<void>;
  },
): Promise<ReplyFile> {
  const { layout, startAt, name, onGiven } = options;
  const { contentType } = plan;
  const content = async (chunks: AsyncIterable<Buffer>) => startedStream(onGiven ? thenCall(chunks, onGiven) : chunks);
  // A file that marks its labels as printed is never answered with 304.
  const version = onGiven ? {} : { version: versionOf(plan, options) };
  const [only] = plan.labels;
  const isAsItIs = layout === 'zpl' || contentType === 'application/zpl';
  if (isAsItIs || (layout === 'original' && only && plan.labels.length === 1)) {
    const extension = contentType === 'application/zpl' ? 'zpl' : 'pdf';
    return { contentType, name: `${name}.${extension}`, content: await content(bytesOf(deps, plan)), ...version };
  }
  const chunks = mergeLabels(readPlanned(deps, plan), {
    layout,
    startAt,
    onUnreadable: (label, err) => deps.log.warn({ err, label }, 'label cannot be read'),
  });
  return { contentType, name: `${name}.pdf`, content: await content(chunks), ...version };
}

function versionOf({ labels }: LabelPlan, { layout, startAt }: { layout: LabelLayout; startAt: number }): string {
  return sha256(JSON.stringify([layout, startAt, labels.map((label) => label.sha256)]));
}

async function* thenCall(chunks: AsyncIterable<Buffer>, call: () => Promise<void>): AsyncGenerator<Buffer> {
  yield* chunks;
  await call();
}

async function* bytesOf(deps: ApiDeps, plan: LabelPlan): AsyncGenerator<Buffer> {
  for await (const { bytes } of readPlanned(deps, plan)) yield bytes;
}
