import type { Router } from 'express';
import type { Clock } from './clock.ts';

/** The effects that a fault can have on the next calls of one operation. */
export const FAULTS = [
  'delay',
  'refuse',
  'reset',
  'status-429',
  'status-500',
  'status-503',
  'accept-then-hang',
  'accept-then-500',
  'accept-twice',
  'malformed',
  'wrong-encoding',
  'html',
  'empty',
  'truncated',
  'huge',
  'proxy-200',
  'proxy-202',
  'proxy-401',
  'proxy-403',
  'proxy-404',
] as const;
export type FaultName = (typeof FAULTS)[number];

export interface Fault {
  partner: string;
  /** The partner's name for the operation, for instance `AddParcel`; `*` is every one. */
  operation: string;
  fault: FaultName;
  /** How many more calls it hits. */
  times: number;
  /** For `delay`, and how long `accept-then-hang` hangs before the line is cut; without it, for ever. */
  delayMs?: number | undefined;
}

/** The work that a sandbox has done for one of our references. */
export interface LedgerEntry {
  reference: string;
  /** Parcels' labels sold and not cancelled, summed over all shipments of the reference. */
  labelsSold: number;
  /** Numbers of the shipments that are not cancelled, and of those among them that are confirmed. */
  liveNumbers: string[];
  /** Where those shipments go: the street, or the locker; absent for shops. */
  liveAddresses?: string[];
  confirmedNumbers: string[];
  confirmed: number;
  cancelled: number;
  released: number;
  trackingNumbers: string[];
}

/** A courier that a sandbox was asked to send. */
export interface PickupEntry {
  /** Ours, as it was sent; empty where the protocol has no field for it. */
  reference: string;
  confirmation: string;
  isCancelled: boolean;
}

/** The surroundings of a partner: its clock, and a place that survives a restart. */
export interface SandboxWorld {
  now: Clock;
  /** Call after every change of `state`. */
  touch(): void;
}

/** A partner that speaks its real protocol over HTTP. Written from the protocol, knows nothing of our adapters. */
export interface SandboxPartner {
  /** Same as the adapter's id; served under `/<id>/`. */
  id: string;
  /** Which operation a request is, so that faults can hit it; null for what is not part of the protocol. */
  operationOf(request: { method: string; path: string; body: string }): string | null;
  router: Router;
  ledger(): LedgerEntry[];
  /** Absent: it sends no couriers. */
  pickups?(): PickupEntry[];
  /** Plain JSON of everything remembered. */
  save(): unknown;
  load(state: unknown): void;
}
