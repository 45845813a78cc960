import type { Migration } from '@mikro-orm/migrations';
import { AddressVerdicts20261121 } from './20261121-address-verdicts.ts';
import { Carriers20261121 } from './20261121-carriers.ts';
import { DeskAndLadder20261121 } from './20261121-desk-and-ladder.ts';
import { Documents20261121 } from './20261121-documents.ts';
import { Events20261121 } from './20261121-events.ts';
import { HeldCases20261121 } from './20261121-held-cases.ts';
import { Initial20261121 } from './20261121-initial.ts';
import { LabelsAndPickups20261121 } from './20261121-labels-and-pickups.ts';
import { MarketplacesAndHeld20261121 } from './20261121-marketplaces-and-held.ts';
import { PriceEditions20261121 } from './20261121-price-editions.ts';
import { Returns20261121 } from './20261121-returns.ts';
import { RowChanges20261121 } from './20261121-row-changes.ts';
import { TrackingOutages20261121 } from './20261121-tracking-outages.ts';
import { AttemptResults20261122 } from './20261122-attempt-results.ts';
import { CheckBeforeLabel20261122 } from './20261122-check-before-label.ts';
import { ClientProducts20261122 } from './20261122-client-products.ts';
import { FairEvents20261122 } from './20261122-fair-events.ts';
import { OrderCorrections20261122 } from './20261122-order-corrections.ts';
import { OrderJoins20261122 } from './20261122-order-joins.ts';
import { OrderParts20261122 } from './20261122-order-parts.ts';
import { Search20261122 } from './20261122-search.ts';
import { ShippingRules20261122 } from './20261122-shipping-rules.ts';
import { ToldNumbers20261122 } from './20261122-told-numbers.ts';
import { WarehouseBorderos20261122 } from './20261122-warehouse-borderos.ts';
import { WarehousePolls20261122 } from './20261122-warehouse-polls.ts';
import { WarehousePrinted20261122 } from './20261122-warehouse-printed.ts';

/** In the order they run. Append only. */
export const migrations: { name: string; class: new (...args: never[]) => Migration }[] = [
  { name: '20261121-initial', class: Initial20261121 },
  { name: '20261121-desk-and-ladder', class: DeskAndLadder20261121 },
  { name: '20261121-carriers', class: Carriers20261121 },
  { name: '20261121-labels-and-pickups', class: LabelsAndPickups20261121 },
  { name: '20261121-marketplaces-and-held', class: MarketplacesAndHeld20261121 },
  { name: '20261121-price-editions', class: PriceEditions20261121 },
  { name: '20261121-address-verdicts', class: AddressVerdicts20261121 },
  { name: '20261121-tracking-outages', class: TrackingOutages20261121 },
  { name: '20261121-held-cases', class: HeldCases20261121 },
  { name: '20261121-documents', class: Documents20261121 },
  { name: '20261121-events', class: Events20261121 },
  { name: '20261121-returns', class: Returns20261121 },
  { name: '20261121-row-changes', class: RowChanges20261121 },
  { name: '20261122-told-numbers', class: ToldNumbers20261122 },
  { name: '20261122-client-products', class: ClientProducts20261122 },
  { name: '20261122-check-before-label', class: CheckBeforeLabel20261122 },
  { name: '20261122-warehouse-borderos', class: WarehouseBorderos20261122 },
  { name: '20261122-warehouse-printed', class: WarehousePrinted20261122 },
  { name: '20261122-warehouse-polls', class: WarehousePolls20261122 },
  { name: '20261122-attempt-results', class: AttemptResults20261122 },
  { name: '20261122-order-parts', class: OrderParts20261122 },
  { name: '20261122-order-corrections', class: OrderCorrections20261122 },
  { name: '20261122-shipping-rules', class: ShippingRules20261122 },
  { name: '20261122-search', class: Search20261122 },
  { name: '20261122-order-joins', class: OrderJoins20261122 },
  { name: '20261122-fair-events', class: FairEvents20261122 },
];
