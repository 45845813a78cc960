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
  .describe('original: as the carrier made it; a6, a4-1, a4-2, a4-4: so many per sheet; zpl: for a label printer');

export const StartAt = z
  .string()
  .regex(/^[1-9]$/, 'must be from 1 to 4')
  .transform(Number)
  .default(1)
  .meta({ override: { type: 'integer', minimum: 1, maximum: 4, default: 1 } })
  .describe('First free place on a sheet that is partly used');

/** What is wrong with a first place that its sheet does not have; null when nothing is. */
export function startFault(layout: LabelLayout, startAt: unknown): string | null {
  if (typeof startAt !== 'number') return null; // told already
  const places = layout === 'original' || layout === 'zpl' ? 1 : placesPerSheet(layout);
  return startAt <= places ? null : `must be at most ${places} with ${layout}`;
}

/** The labels of a plan as one file, made while it is sent. */
export async function labelFile(
  deps: ApiDeps,
  plan: LabelPlan,
  options: {
    layout: LabelLayout;
    startAt: number;
    name: string;
    /** Called when all of it was taken; the file ends after it, so that a client that has the whole file sees what it did. */
    onGiven?: () => Promise<void>;
  },
): Promise<ReplyFile> {
  const { layout, startAt, name, onGiven } = options;
  const { contentType } = plan;
  const content = async (chunks: AsyncIterable<Buffer>) => startedStream(onGiven ? thenCall(chunks, onGiven) : chunks);
  // A file that marks its labels is always given, never answered by 304.
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
