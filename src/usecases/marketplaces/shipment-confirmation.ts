import { CarrierRow, Company, Contract, type Order, OrderItem, type Shipment } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { contractSeal } from '../../engine/call-contract.ts';
import type { Deps } from '../../engine/deps.ts';
import { wallClock } from '../../lib/clock.ts';
import type { ShipmentConfirmation } from '../../marketplaces/adapter.ts';
import { replacedNumbers } from './told-numbers.ts';

/** Builds the confirmation of a shipment for its marketplace. `at` is its date when the shipment was not transmitted. */
export async function confirmationOf(
  deps: Pick<Deps, 'orm' | 'carriers' | 'vault'>,
  { order, shipment, at }: { order: Order; shipment: Shipment; at: Date },
): Promise<ShipmentConfirmation> {
  const em = systemEm(deps.orm);
  const carrierRow = await em.findOneOrFail(CarrierRow, shipment.carrierId);
  const contract = await em.findOneOrFail(Contract, shipment.contractId);
  const company = await em.findOneOrFail(Company, order.companyId);
  const items = await em.find(OrderItem, { orderId: order.id }, { orderBy: { position: 'asc' } });
  const carrierAccount = deps.vault.open(contract.credentials, contractSeal(contract.id));
  const trackingNumber = shipment.trackingNumber ?? '';
  return {
    externalOrderId: order.externalOrderId ?? '',
    lines: items.flatMap((line) =>
      line.externalLineId ? [{ externalLineId: line.externalLineId, quantity: line.quantity }] : [],
    ),
    trackingNumber,
    replacedNumbers: await replacedNumbers(em, shipment),
    carrierId: carrierRow.code,
    carrierName: carrierRow.name,
    trackingUrl: deps.carriers.get(carrierRow.code)?.trackingUrl?.(trackingNumber, carrierAccount) ?? '',
    shippedOn: wallClock(shipment.transmittedAt ?? at, company.settings.timeZone).date,
  };
}
