export type { FaultName, LedgerEntry, PickupEntry, SandboxPartner, SandboxWorld } from './partner.ts';
export { sandboxPartners } from './partners/index.ts';
export { type Sandbox, type SandboxOptions, startSandbox } from './server.ts';
