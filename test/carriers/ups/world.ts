import { createUpsSandbox } from '../../../sandbox/src/partners/ups/index.ts';
import { ups } from '../../../src/carriers/ups/index.ts';
import { type CarrierWorld, carrierWorld } from '../world.ts';

/** One pretend UPS for all tests of a file. */
export function upsWorld(): CarrierWorld {
  const account = { clientId: 'clientOne', clientSecret: 'sandbox', shipperNumber: 'AB1234' };
  return carrierWorld(ups, createUpsSandbox, (baseUrl) => ({ ...account, baseUrl }), 'file');
}
