import { z } from 'zod';
import { ATTENTION_REASONS } from '../../../domain/attention.ts';
import { PICKUP_STATUSES } from '../../../domain/pickup-status.ts';
import { ORDER_STAGES } from '../../../domain/shipment-stages.ts';
import { OPERATION_KINDS } from '../../../usecases/operations/list-operations.ts';
import { Count, Counted, DateTime, Id } from '../../http/schemas.ts';

const Stages = z
  .array(z.object({ stage: z.enum(ORDER_STAGES), ...Counted.shape }))
  .describe('In the order of the day; `stage` of GET /orders and GET /shipments lists them');

const Contract = {
  carrierCompanyId: Id,
  contractLabel: z.string(),
  carrier: z.object({ id: Id, name: z.string() }),
};

const FunnelFields = z.object({
  total: Stages,
  refused: Counted.describe('Orders that a carrier refused: GET /orders?status=error'),
  withoutContract: Counted.describe('Orders to ship for which no contract is chosen yet'),
  contracts: z.array(
    z.object({
      ...Contract,
      stages: Stages,
      pickups: z
        .array(z.object({ id: Id, status: z.enum(PICKUP_STATUSES), from: z.string(), to: z.string() }))
        .describe("Today's couriers, HH:mm"),
    }),
  ),
});

const HeldFields = z.object({
  open: Counted.describe('They need a decision'),
  decided: Counted.describe('A decision was taken, and tracking has not shown it'),
  days: Count.describe('All full days of all of them'),
  oldestSince: DateTime.nullable(),
  nextDeadline: DateTime.nullable().describe('When a carrier next decides by itself; null: unknown'),
  billed: z
    .object({ charged: Count, free: Count, unknown: Count })
    .describe('Open ones by whether their carrier charges for a decision. No carrier publishes how much'),
});

const HealthFields = z.object({
  ...Contract,
  calls: Count,
  failures: Count.describe('No answer, 5xx, or a refusal of the account. Other refusals are answers'),
  succeeded: z.number().min(0).max(1).nullable().describe('The share of calls that did; null: there were none'),
  p50Ms: Count.nullable(),
  p95Ms: Count.nullable(),
  outage: z.object({ since: DateTime, nextPollAt: DateTime }).nullable().describe('Its polls are not answered'),
  pollBudgetUsed: z.number().min(0).max(1).nullable().describe('Null: it is not polled'),
  points: z.array(z.object({ calls: Count, failures: Count })).describe('Twelve times five minutes, oldest first'),
});

const WorkFields = z.object({
  carrierCompanyId: Id.nullable().describe('Null: it waits for a shop, or for no partner'),
  connectionId: Id.nullable(),
  kind: z.enum(OPERATION_KINDS),
  ...Counted.shape,
  oldestAt: DateTime,
});

const ImportFields = z.object({
  connectionId: Id,
  label: z.string(),
  marketplace: z.object({ id: Id, name: z.string() }),
  isEnabled: z.boolean(),
  isRunning: z.boolean(),
  importedUntil: DateTime.nullable().describe('Orders that changed before are here; null: none was imported yet'),
  error: z.string().nullable().describe('Why the last run failed'),
  since: DateTime,
  imported: Counted.describe('Orders since then'),
  failed: Counted.describe('Orders that could not be imported, and are tried again'),
  newestFailures: z.array(
    z.object({ marketplaceOrderId: z.string(), message: z.string(), tries: Count, nextTryAt: DateTime }),
  ),
});

export const OverviewFields = z
  .object({
    at: DateTime,
    day: z.iso.date().describe("Today on the company's wall clock"),
    hasOrders: z.boolean().describe('False: the company has none at all'),
    funnel: FunnelFields,
    attention: z
      .array(
        z.object({
          reason: z.enum(ATTENTION_REASONS),
          ...Counted.shape,
          oldest: z.object({ shipmentId: Id, since: DateTime }),
        }),
      )
      .describe('The cases of GET /attention by reason, oldest first; a case may have several'),
    held: HeldFields,
    carriers: z.object({
      since: DateTime,
      isCapped: z.boolean().describe('True: only the last calls were read'),
      contracts: z.array(HealthFields),
    }),
    queues: z.array(WorkFields).describe("The company's own work that waits, oldest first"),
    imports: z.array(ImportFields),
    untold: Counted.describe('Shipments that a shop does not know, or knows by a cancelled number'),
  })
  .meta({ id: 'Overview' });
