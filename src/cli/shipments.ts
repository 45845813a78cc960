import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { ATTENTION_CHOICES, type AttentionChoice } from '../domain/attention.ts';
import { UsageError } from '../lib/errors.ts';
import { isPdf } from '../lib/is-pdf.ts';
import type { AttentionView } from '../usecases/attention/attention.ts';
import type { Decision } from '../usecases/attention/resolve-attention.ts';
import { asUsage, positiveNumber } from './arguments.ts';
import { heldCommands } from './held.ts';
import { columns, printable } from './table.ts';
import type { WithCore } from './with-core.ts';

/** Adds `smista shipments …`: the desk for shipments that need a person, of all companies. */
export function shipmentCommands(program: Command, withCore: WithCore): void {
  const shipments = program.command('shipments').description('what needs a person');
  heldCommands(shipments, withCore);
  shipments
    .command('attention')
    .description('shipments that need a person; with an id, everything about one')
    .argument('[id]', 'of a shipment', positiveNumber)
    .option('--limit <n>', 'how many', positiveNumber, 50)
    .option('--json', 'for programs')
    .action(async (id: number | undefined, options: { limit: number; json?: boolean }) => {
      const { listAttention, readAttention } = await import('../usecases/attention/attention.ts');
      await withCore({}, async ({ deps }) => {
        const views = id
          ? [await readAttention(deps, { companyId: null, shipmentId: id }).catch(asUsage)]
          : await listAttention(deps, { companyId: null, limit: options.limit, beforeId: null });
        if (options.json) console.log(JSON.stringify(views.map(summary), null, 2));
        else console.log(id && views[0] ? shown(views[0]) : listed(views));
      });
    });
  shipments
    .command('resolve')
    .description('decide about one of them; shipments attention says what each choice does')
    .argument('<id>', 'of the shipment', positiveNumber)
    .addOption(new Option('--choice <choice>', 'what to do').choices([...ATTENTION_CHOICES]).makeOptionMandatory())
    .option('--tracking <number>', 'adopt: the number the carrier gave', '')
    .option('--label <file>', 'adopt: its label as PDF')
    .option('--note <text>', 'why, for the record', '')
    .action(
      async (id: number, options: { choice: AttentionChoice; tracking: string; label?: string; note: string }) => {
        const { readAttention } = await import('../usecases/attention/attention.ts');
        const { resolveAttention } = await import('../usecases/attention/resolve-attention.ts');
        await withCore({}, async ({ deps }) => {
          const { shipment } = await readAttention(deps, { companyId: null, shipmentId: id }).catch(asUsage);
          const label = options.label ? readLabel(options.label) : null;
          const { operationId } = await resolveAttention(deps, {
            companyId: shipment.companyId,
            requestId: 'command-line',
            shipmentId: id,
            choice: options.choice,
            trackingNumber: options.tracking,
            label,
            note: options.note,
          }).catch(asUsage);
          console.log(operationId === null ? 'Done.' : `Queued as operation ${operationId}: the workers carry it out.`);
        });
      },
    );
}

function readLabel(file: string): Decision['label'] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (cause) {
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
  if (!isPdf(bytes)) throw new UsageError(`${file} is not a PDF`);
  return { contentType: 'application/pdf', bytes };
}

function summary({ shipment, order, carrier, notes, choices, releaseActions }: AttentionView) {
  return {
    id: shipment.id,
    companyId: shipment.companyId,
    orderId: order.id,
    carrier: carrier.code,
    reference: shipment.reference,
    trackingNumber: shipment.trackingNumber,
    processStatus: shipment.processStatus,
    reasons: notes,
    choices,
    releaseActions,
  };
}

function listed(views: readonly AttentionView[]): string {
  if (views.length === 0) return 'Nothing needs a person.';
  const head = ['SHIPMENT', 'ORDER', 'CARRIER', 'REFERENCE', 'SINCE', 'CHOICES', 'WHY'];
  return columns([
    head,
    ...views.map(({ shipment, carrier, notes, choices, releaseActions }) => [
      String(shipment.id),
      String(shipment.orderId),
      carrier.code,
      shipment.reference ?? '',
      notes[0]?.since.toISOString() ?? '',
      [...choices.map(({ choice }) => choice), ...(releaseActions.length > 0 ? ['release-held'] : [])].join(','),
      printable(notes.map(({ reason, message }) => `${reason}: ${message}`).join('; ')),
    ]),
  ]);
}

function shown(view: AttentionView): string {
  const attempts = view.attempts.map((attempt) => [
    `  ${attempt.startedAt.toISOString()}`,
    attempt.operation,
    attempt.outcome,
    printable([attempt.code, attempt.message].filter(Boolean).join(': ')),
  ]);
  const exchanges = view.exchanges.map((exchange) => [
    `  ${exchange.id}`,
    exchange.startedAt.toISOString(),
    exchange.operation,
    exchange.error ?? String(exchange.status ?? ''),
  ]);
  return [
    listed([view]),
    '',
    'What can be chosen:',
    columns(view.choices.map(({ choice, explanation }) => [`  ${choice}`, explanation.en])),
    ...(view.releaseActions.length > 0
      ? [`  POST /shipment/${view.shipment.id}/release-held: ${view.releaseActions.join(', ')}`]
      : []),
    ...(view.stay ? [`  smista shipments held ${view.shipment.id} says what becomes of it in giacenza`] : []),
    '',
    'What was tried:',
    columns(attempts),
    '',
    'What was said (smista exchanges show <id>):',
    columns(exchanges),
  ].join('\n');
}
