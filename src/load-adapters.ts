import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type Carrier, type CarrierRegistry, isCarrier } from './carriers/adapter.ts';
import { carriers } from './carriers/index.ts';
import { UsageError } from './lib/errors.ts';
import { isMarketplace, type Marketplace, type MarketplaceRegistry } from './marketplaces/adapter.ts';
import { marketplaces } from './marketplaces/index.ts';

export interface Registries {
  carriers: CarrierRegistry;
  marketplaces: MarketplaceRegistry;
}

/** The id is part of queue names, which allow no other characters. */
const Id = z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be lowercase letters, digits and single hyphens');
/** Only an object schema has fields that can be marked as secret. */
const Account = z.custom<z.ZodType>((value) => value instanceof z.ZodObject, 'must be a zod object');
const method = z.custom((value) => typeof value === 'function', 'must be a function');

/** Fields that a package in plain JavaScript may lack; TypeScript packages have the types for that. */
const CarrierShape = z.looseObject({
  id: Id,
  label: z.string().min(1),
  logoUrl: z.string().min(1),
  services: z.array(z.looseObject({ code: z.string().min(1), name: z.string().min(1) })),
  account: Account,
  limits: z.looseObject({ maxParcels: z.number().int().min(1), maxWeightGrams: z.number().int().min(1) }),
  settlingMs: z.number().min(0),
  supportsCod: z.boolean(),
  supportsInsurance: z.boolean(),
  createShipment: method,
});
const MarketplaceShape = z.looseObject({
  id: Id,
  label: z.string().min(1),
  logoUrl: z.string().min(1),
  account: Account,
  allowOrderUpdateAfterImport: z.boolean(),
  verifyAccount: method,
  listOrders: method,
  readOrder: method,
  confirmShipment: method,
});

/**
 * Loads the built-in adapters and those that the named packages and paths export. A path starts with `.` or `/` and is relative to
 * the working directory. Throws a `UsageError` that names a package which cannot be used.
 */
export async function loadAdapters(names: readonly string[]): Promise<Registries> {
  const all = { carriers: new Map(carriers), marketplaces: new Map(marketplaces) };
  for (const name of names) {
    const adapters = Object.values(await load(name));
    const own = { carriers: adapters.filter(isCarrier), marketplaces: adapters.filter(isMarketplace) };
    if (own.carriers.length + own.marketplaces.length === 0) {
      throw unusable(
        name,
        'exports no adapter: export what defineCarrier or defineMarketplace of smista/adapter returns',
      );
    }
    for (const carrier of own.carriers) all.carriers.set(accepted(name, CarrierShape, carrier, all).id, carrier);
    for (const marketplace of own.marketplaces)
      all.marketplaces.set(accepted(name, MarketplaceShape, marketplace, all).id, marketplace);
  }
  return all;
}

async function load(name: string): Promise<Record<string, unknown>> {
  const url = locate(name);
  try {
    return await import(url);
  } catch (cause) {
    throw unusable(name, `cannot be loaded: ${(cause as Error).message}`, cause);
  }
}

function locate(name: string): string {
  try {
    if (!name.startsWith('.') && !path.isAbsolute(name)) return import.meta.resolve(name);
    // Unlike import, this resolves a folder, by the `main` of its package.json or its index.js.
    return pathToFileURL(createRequire(path.resolve('smista')).resolve(name)).href;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND') throw unusable(name, `does not exist in ${process.cwd()}`, cause);
    if (code === 'ERR_MODULE_NOT_FOUND')
      throw unusable(name, 'is not installed: install it beside smista, or give a path that starts with ./', cause);
    throw unusable(name, `cannot be loaded: ${(cause as Error).message}`, cause);
  }
}

function accepted<Adapter extends Carrier | Marketplace>(
  name: string,
  shape: z.ZodType,
  adapter: Adapter,
  { carriers, marketplaces }: Registries,
): Adapter {
  const [issue] = shape.safeParse(adapter).error?.issues ?? [];
  const { id } = adapter;
  if (issue) throw unusable(name, `has an adapter whose ${issue.path.join('.')} ${issue.message}`);
  // Exchanges name their partner by this id alone, so carriers and marketplaces share one namespace.
  if (carriers.has(id) || marketplaces.has(id)) throw unusable(name, `has the id ${id}, which another adapter uses`);
  return adapter;
}

function unusable(name: string, fault: string, cause?: unknown): UsageError {
  return new UsageError(`SMISTA_ADAPTERS: ${name} ${fault}`, { cause });
}
