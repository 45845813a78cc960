import fc from 'fast-check';
import type { AttentionChoice } from '../../../src/domain/attention.ts';
import { resolveAttention } from '../../../src/usecases/attention/resolve-attention.ts';
import { type Books, readBooks, type ShipmentRow } from '../books.ts';
import { liveLabels } from '../invariants.ts';
import { type Command, command, pickFrom } from './command.ts';

/** What somebody would decide who looks at the carrier's portal and says what is there. */
function honestChoices(books: Books, shipment: ShipmentRow): AttentionChoice[] {
  const labels = liveLabels(books, shipment);
  const hasItsLabel = labels === shipment.parcel_count;
  switch (shipment.process_status) {
    case 'unknown_outcome':
    case 'cancelling':
      return ['resubmit', ...(hasItsLabel ? ['adopt' as const] : []), ...(labels === 0 ? ['cancel' as const] : [])];
    case 'queued':
    case 'created':
      return ['resubmit', 'cancel'];
    default:
      return ['cancel'];
  }
}

export const deciding: fc.Arbitrary<Command> = fc.tuple(fc.nat(2), fc.nat(5)).map(([at, pick]) =>
  command(
    `a person decides about case ${at} by choice ${pick}`,
    async (world) => {
      const books = await readBooks(world);
      const cases = books.shipments.filter((shipment) => shipment.exhausted || shipment.surplus);
      const shipment = pickFrom(cases, at);
      const choice = shipment && pickFrom(honestChoices(books, shipment), pick);
      if (!choice) return;
      const trackingNumber = books.ledger.get(shipment.reference)?.trackingNumbers.at(-1) ?? '';
      const { companyId } = world;
      const input = {
        companyId,
        requestId: 'model',
        shipmentId: shipment.id,
        choice,
        trackingNumber,
        label: null,
        note: '',
      };
      await world.perform((deps) => resolveAttention(deps, input));
    },
    (model) => model.asked.size > 0,
  ),
);
