import type { Carrier, CarrierRegistry } from './adapter.ts';
import { brt } from './brt/index.ts';
import { dhlExpress } from './dhl-express/index.ts';
import { fedex } from './fedex/index.ts';
import { glsIt } from './gls-it/index.ts';
import { inpostIt } from './inpost-it/index.ts';
import { posteIt } from './poste-it/index.ts';
import { ups } from './ups/index.ts';

const CARRIERS: readonly Carrier[] = [glsIt, brt, dhlExpress, inpostIt, posteIt, ups, fedex];

export const carriers: CarrierRegistry = new Map(CARRIERS.map((carrier) => [carrier.id, carrier]));
