import { setTimeout as delay } from 'node:timers/promises';
import { Clerk } from './clerk.ts';
import { Client } from './client.ts';
import type { Clockwork } from './clockwork.ts';
import type { Cluster } from './cluster.ts';
import type { Random } from './random.ts';
import type { SandboxJudge } from './sandbox-judge.ts';
import { ShopClient } from './shop-client.ts';
import type { ClientBook } from './told.ts';

export interface TrafficOptions {
  cluster: Cluster;
  random: Random;
  book: ClientBook;
  /** Shops in which customers buy. */
  shops: readonly string[];
  /** Epoch milliseconds after which clients stop asking. */
  deadline(): number;
  /** Whether new work is still begun. */
  isOpen(): boolean;
  take(wanted: number): number;
  /** Corrections per order of the clients, on average. */
  edits: number;
  /** The same for what customers buy in shops. */
  buy(wanted: number): number;
  minutes: number;
}

export interface ClockOptions {
  isOpen(): boolean;
  /** From 0 to 1: how much of the run is over. */
  progress(): number;
  judge: SandboxJudge;
  clockwork: Clockwork;
}

const CLIENTS_PER_COMPANY = 8;
const TICK_MS = 5000;
/** Long enough for a giacenza to open, be decided and end. */
const HOURS = 120;

/** Runs every client until each has its last answer. */
export async function runTraffic(options: TrafficOptions): Promise<void> {
  const { cluster, random, book, shops, deadline, isOpen, take, edits, buy, minutes } = options;
  const { apiUrls, sandboxUrl } = cluster;
  const clients = cluster.companies.flatMap((company) => {
    const own = (name: string) => ({ name, company, apiUrls, random: random.fork(name), book, deadline });
    const pauseMs = { min: 1000, max: Math.min(15_000, minutes * 10_000) };
    return [
      ...Array.from({ length: CLIENTS_PER_COMPANY }, (_, index) =>
        new Client({ ...own(`${company.name}-${index + 1}`), take, edits, isOpen }).run(),
      ),
      ...company.connections
        .filter(({ marketplace }) => shops.includes(marketplace))
        .map((shop) =>
          new ShopClient({ ...own(`shop-${shop.marketplace}`), shop, sandboxUrl, isOpen, take: buy }).run(),
        ),
      new Clerk({ ...own(`clerk-${company.name}`), isOpen, pauseMs }).run(),
    ];
  });
  await Promise.all(clients);
}

/** Turns the parcels' clock in the second half of the run and has the product look, until the traffic ends. */
export async function runClock({ isOpen, progress, judge, clockwork }: ClockOptions): Promise<void> {
  let turned = 0;
  while (isOpen()) {
    await delay(TICK_MS);
    // First it stands: what has not left can be cancelled, and waits to be fetched.
    const hours = Math.max(0, progress() - 0.5) * 2 * HOURS - turned;
    // When the run breaks off, the sandbox is gone.
    if (hours > 0) await judge.turnClock(hours).catch(() => undefined);
    turned += Math.max(0, hours);
    await clockwork.tick();
  }
}
