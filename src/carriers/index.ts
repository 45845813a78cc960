import { brt } from './brt/index.ts';
import type { Carrier, CarrierRegistry } from './contract.ts';
import { dhlExpress } from './dhl-express/index.ts';
import { glsIt } from './gls-it/index.ts';

const CARRIERS: readonly Carrier[] = [glsIt, brt, dhlExpress];

export const carriers: CarrierRegistry = new Map(CARRIERS.map((carrier) => [carrier.id, carrier]));
