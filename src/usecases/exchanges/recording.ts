import { z } from 'zod';
import { UsageError } from '../../lib/errors.ts';
import type { TapedExchange } from '../../lib/tape.ts';
import type { Made } from './made.ts';
import { neutralInput } from './neutral-input.ts';
import { isReplayable } from './play-method.ts';
import { judge, playCall, type Registries, type Replayed } from './replay-call.ts';
import { notReplayable } from './replay-group.ts';

const MadeSchema = z.object({
  kind: z.enum([
    'booked',
    'found',
    'absent',
    'done',
    'transmitted',
    'labels',
    'report',
    'address',
    'failed',
    'unknown',
  ]),
  code: z.string().default(''),
  message: z.string().default(''),
  trackingNumber: z.string().default(''),
  details: z.array(z.string()).default([]),
}) satisfies z.ZodType<Made>;

const ExchangeSchema = z.object({
  operation: z.string(),
  effect: z.enum(['read', 'write']),
  method: z.string(),
  path: z.string(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  startedAt: z.iso.datetime(),
  request: z.string(),
  response: z.string(),
}) satisfies z.ZodType<TapedExchange>;

const CallSchema = z.object({
  partner: z.string(),
  /** The adapter's method; null: unknown, with the reason. */
  method: z.string().nullable(),
  reason: z.string().default(''),
  /** Absent: a neutral input is invented. */
  input: z.record(z.string(), z.unknown()).optional(),
  /** The result; null: not recorded. */
  made: MadeSchema.nullable(),
  /** Tells whether `made` was recorded at the time of the call, or computed by the adapter during the export. */
  isFromThen: z.boolean().default(true),
  exchanges: z.array(ExchangeSchema).min(1),
});
export type RecordedCall = z.infer<typeof CallSchema>;

/** The file that `smista exchanges export` writes and `replay` reads. */
export const Recording = z.object({
  format: z.literal(1),
  /** `pretend`: recorded from a simulated partner, so it proves nothing about the real one. */
  source: z.enum(['real', 'pretend']),
  recordedOn: z.iso.date(),
  notes: z.array(z.string()).default([]),
  /** Accounts by partner, with placeholders for everything that identifies the company. */
  accounts: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  calls: z.array(CallSchema).min(1),
});
export type Recording = z.infer<typeof Recording>;

export function readRecording(text: string, name: string): Recording {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${name} is not JSON: ${(cause as Error).message}`, { cause });
  }
  const parsed = Recording.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${name} is not a recording:\n${z.prettifyError(parsed.error)}`);
}

/** Replays the recorded answers of a file with today's adapters, without database and network. */
export async function replayRecording(registries: Registries, recording: Recording): Promise<Replayed[]> {
  const replayed: Replayed[] = [];
  for (const call of recording.calls) replayed.push(await replayRecorded(registries, recording, call));
  return replayed;
}

async function replayRecorded(
  registries: Registries,
  recording: Recording,
  { partner, method, reason, input, made: before, exchanges }: RecordedCall,
): Promise<Replayed> {
  const group = { partner, shipmentId: null, exchanges };
  if (method === null) return notReplayable(group, reason);
  if (!isReplayable(method)) return notReplayable(group, `answers to ${method} cannot be run again`);
  if (!registries.carriers.has(partner) && !registries.marketplaces.has(partner)) {
    return notReplayable(group, `there is no adapter ${partner}`);
  }
  const given = input ?? neutralInput(method, before);
  if (!given) return notReplayable(group, `the recording has no input for ${method}`);
  const account = recording.accounts[partner];
  if (!account) return notReplayable(group, `the recording has no account for ${partner}`);
  const played = await playCall(registries, { partner, account, method, input: given }, exchanges);
  return { ...group, method, input: given, before, today: played.today, ...judge(before, played) };
}
