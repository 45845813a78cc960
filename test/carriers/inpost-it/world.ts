import { createInpostItSandbox } from '../../../sandbox/src/partners/inpost-it/index.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import type { FoundShipment, ShipmentDraft, ShipmentHandle } from '../../../src/carriers/adapter.ts';
import { inpostIt } from '../../../src/carriers/inpost-it/index.ts';
import { type CarrierCaller, callerOf } from '../../support/call-carrier.ts';
import { type SandboxClient, sandboxClient } from '../../support/sandbox-client.ts';
import { creating, finding, lockerDraft } from './replies.ts';

/** Long enough for everything but ATTESA to be confirmed, on the sandbox's clock. */
export const A_MOMENT_HOURS = 0.001;

export interface InpostWorld {
  sandbox: Sandbox;
  control: SandboxClient;
  inpost: CarrierCaller;
  /** Another account of the same sandbox. */
  as(overrides: Record<string, unknown>): CarrierCaller;
  /** Each with a reference of its own, since one sandbox serves a whole file. */
  newDraft(overrides?: Partial<ShipmentDraft>): ShipmentDraft;
  find(draft: ShipmentDraft): Promise<FoundShipment | null | undefined>;
  /** Ordered, and confirmed by the turn of the clock. */
  booked(draft: ShipmentDraft, caller?: CarrierCaller): Promise<FoundShipment>;
}

export async function startInpostWorld(): Promise<InpostWorld> {
  const sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createInpostItSandbox] });
  const control = sandboxClient(sandbox, 'inpost-it');
  const url = `${sandbox.url}/inpost-it`;
  const as: InpostWorld['as'] = (overrides) =>
    callerOf(inpostIt, {
      organizationId: '4711',
      token: 'sandbox-token',
      baseUrl: url,
      pointsBaseUrl: url,
      ...overrides,
    });
  const inpost = as({});
  let drafts = 0;
  return {
    sandbox,
    control,
    inpost,
    as,
    newDraft: (overrides = {}) => lockerDraft({ reference: `SM${String(++drafts).padStart(7, '0')}`, ...overrides }),
    find: (draft) => inpost.call(finding(draft)),
    async booked(draft, caller = inpost) {
      await caller.fail(creating(draft));
      await control.advance(A_MOMENT_HOURS);
      const found = await caller.call(finding(draft));
      if (!found) throw new Error('The shipment is not there');
      return found;
    },
  };
}

export function handleOf(draft: ShipmentDraft, { trackingNumber, carrierReference }: FoundShipment): ShipmentHandle {
  return { reference: draft.reference, trackingNumber, carrierReference };
}
