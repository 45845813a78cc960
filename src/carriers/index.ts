import { brt } from './brt/index.ts';
import type { Carrier, CarrierRegistry } from './contract.ts';
import { glsIt } from './gls-it/index.ts';

const CARRIERS: readonly Carrier[] = [glsIt, brt];

export const carriers: CarrierRegistry = new Map(CARRIERS.map((carrier) => [carrier.id, carrier]));
