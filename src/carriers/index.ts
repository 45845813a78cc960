import type { Carrier, CarrierRegistry } from './contract.ts';
import { glsIt } from './gls-it/index.ts';

const CARRIERS: readonly Carrier[] = [glsIt];

export const carriers: CarrierRegistry = new Map(CARRIERS.map((carrier) => [carrier.id, carrier]));
