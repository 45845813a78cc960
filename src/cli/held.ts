import { type Command, Option } from 'commander';
import { HELD_ACTIONS } from '../domain/held-actions.ts';
import { HELD_REASONS, type HeldReason } from '../domain/held-reasons.ts';
import type { HeldPage, HeldView } from '../usecases/held/read-held.ts';
import { asUsage, positiveNumber } from './arguments.ts';
import { columns, printable } from './table.ts';
import type { WithCore } from './with-core.ts';

interface ListOptions {
  status: HeldPage['status'];
  limit: number;
  json?: boolean;
}

/** Adds `smista shipments held` and `done-in-portal`: parcels in giacenza, of all companies. */
export function heldCommands(shipments: Command, withCore: WithCore): void {
  const statuses = ['open', 'warning', 'decided', 'all'];
  shipments
    .command('held')
    .description('parcels in giacenza, and those that are about to be; with an id, everything about one')
    .argument('[id]', 'of a shipment', positiveNumber)
    .addOption(new Option('--status <status>', 'which of them').choices(statuses).default('all'))
    .option('--limit <n>', 'how many', positiveNumber, 50)
    .option('--json', 'for programs')
    .action(async (id: number | undefined, { status, limit, json }: ListOptions) => {
      const { listHeldCases, readHeldShipment } = await import('../usecases/held/read-held.ts');
      await withCore({}, async ({ deps }) => {
        const views = id
          ? [await readHeldShipment(deps, id).catch(asUsage)]
          : await listHeldCases(deps, { companyId: null, status, limit, beforeId: null });
        if (json) console.log(JSON.stringify(views.map(summary), null, 2));
        else console.log(id && views[0] ? shown(views[0]) : listed(views));
      });
    });
  shipments
    .command('done-in-portal')
    .description("say what was decided about a held parcel in the carrier's portal")
    .argument('<id>', 'of the shipment', positiveNumber)
    .addOption(new Option('--action <action>', 'what was decided').choices([...HELD_ACTIONS]).makeOptionMandatory())
    .option('--note <text>', 'why, for the record', '')
    .action(async (id: number, { action, note }: { action: string; note: string }) => {
      const { decideInPortal } = await import('../usecases/held/decide-held.ts');
      const { readHeldShipment } = await import('../usecases/held/read-held.ts');
      await withCore({}, async ({ deps }) => {
        const { shipment } = await readHeldShipment(deps, id).catch(asUsage);
        const origin = { companyId: shipment.companyId, requestId: 'command-line' };
        await decideInPortal(deps, { ...origin, shipmentId: id, action, note }).catch(asUsage);
        console.log('Done: it counts as decided until tracking shows it.');
      });
    });
}

function summary({ held, facts, shipment, order, carrier }: HeldView) {
  return {
    shipmentId: shipment.id,
    companyId: shipment.companyId,
    orderId: order.id,
    carrier: carrier.code,
    trackingNumber: shipment.trackingNumber,
    status: facts.status,
    reason: { code: held.reasonCode, text: held.reasonText, cause: held.cause },
    warnedAt: held.warnedAt,
    opensAt: held.opensAt,
    since: held.openedAt,
    deadline: facts.deadline,
    deadlineSource: facts.deadlineSource,
    byDefault: facts.byDefault,
    allowedActions: facts.actions,
    portalSteps: facts.portalSteps,
    decision: held.decidedAction && {
      action: held.decidedAction,
      via: held.decidedVia,
      decidedAt: held.decidedAt,
      isOverdue: facts.isOverdue,
    },
  };
}

function listed(views: readonly HeldView[]): string {
  if (views.length === 0) return 'Nothing is held.';
  const head = ['SHIPMENT', 'CARRIER', 'NUMBER', 'STATUS', 'SINCE', 'UNTIL', 'THEN', 'DECIDED', 'WHY'];
  return columns([
    head,
    ...views.map(({ held, facts, shipment, carrier }) => [
      String(shipment.id),
      carrier.code,
      shipment.trackingNumber ?? '',
      facts.status,
      day(held.openedAt ?? held.warnedAt),
      day(facts.deadline),
      facts.byDefault ?? 'unknown',
      held.decidedAction ? `${held.decidedAction}${facts.isOverdue ? ' (unconfirmed)' : ''}` : '',
      printable(`${held.reasonCode} ${held.reasonText}`.trim()),
    ]),
  ]);
}

function day(at: Date | null): string {
  return at?.toISOString().slice(0, 16) ?? 'unknown';
}

function shown(view: HeldView): string {
  const { explanation, advice } = HELD_REASONS[view.held.cause as HeldReason];
  const actions = view.facts.actions?.map(({ action, via, billed }) => [
    `  ${action}`,
    via === 'api' ? `POST /shipment/${view.shipment.id}/release-held` : 'in the portal, then done-in-portal',
    billed === null ? 'cost unknown' : billed ? 'billed' : 'free',
  ]);
  return [
    listed([view]),
    '',
    `${explanation.en} ${advice.en}`,
    '',
    'What can be decided:',
    actions ? columns(actions) : '  unknown: ask the carrier',
    ...(view.facts.portalSteps ? ['', 'In the portal:', ...view.facts.portalSteps.map((step) => `  ${step}`)] : []),
  ].join('\n');
}
