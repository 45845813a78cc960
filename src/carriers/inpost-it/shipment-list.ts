import { z } from 'zod';
import { IntegrationError } from '../../lib/errors.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, ShipmentHandle } from '../adapter.ts';
import { PROVIDER } from './refusals.ts';
import { type Account, Shipment, ShipmentList } from './schema.ts';
import { call } from './wire.ts';

type Context = CarrierContext<Account>;

/** The most that InPost gives at once. */
const PER_PAGE = 100;
/** Should InPost ignore the filter, two thousand shipments are read before a person is asked. */
const MAX_PAGES = 20;

export interface Wanted {
  field: 'reference' | 'tracking_number';
  value: string;
}

/** Lists the organisation's shipments with this value, newest first. Throws rather than leave one out. */
export async function listShipments(context: Context, wanted: Wanted): Promise<Shipment[]> {
  const found = new Map<number, Shipment>();
  let seen = 0;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { count, items } = await readPage(context, {
      [wanted.field]: wanted.value,
      page: String(page),
      per_page: String(PER_PAGE),
      sort_by: 'id',
      sort_order: 'desc',
    });
    for (const shipment of matchesOf(context, items, wanted)) found.set(shipment.id, shipment);
    seen += items.length;
    if (seen >= count) return [...found.values()];
    if (items.length === 0) throw new Error(`The list ended after ${seen} of ${count} shipments`);
  }
  throw new IntegrationError(`${PROVIDER} does not filter its list, which has more than ${seen} shipments`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: 'not-supported',
  });
}

/** An element that cannot be read and that may be the wanted one would pass for an absence, so it throws. */
function matchesOf({ log }: Context, items: readonly unknown[], { field, value }: Wanted): Shipment[] {
  const Candidate = z.looseObject({ [field]: z.string().nullable() });
  const candidates = readEach(Candidate, items, ({ count, fields }) => {
    throw new Error(`${count} listed shipments do not show their ${fields.join(', ')}`);
  });
  const own = candidates.filter((candidate) => candidate[field] === value);
  readEach(
    Shipment,
    candidates.filter((candidate) => candidate[field] !== value),
    warnOf(log, 'shipments'),
  );
  return own.map((shipment) => Shipment.parse(shipment));
}

function readPage(context: Context, query: Record<string, string>): Promise<z.infer<typeof ShipmentList>> {
  return call(
    context,
    {
      operation: 'listShipments',
      effect: 'read',
      method: 'GET',
      path: `/v1/organizations/${context.account.organizationId}/shipments`,
      query,
    },
    ShipmentList,
  );
}

/** ShipX's two hosts of the Italian service (README, 2026-11-22): a token of one is worth nothing at the other. */
const HOSTS =
  'its Italian service is https://api-shipx-it.easypack24.net (production) or https://stage-api-shipx-it.easypack24.net (test): correct baseUrl of the account, or try later';

/** Reads the newest shipments, which proves token and organisation. A server error may mean a wrong host, so both are named. */
export async function verifyAccount(context: Context): Promise<void> {
  try {
    await readPage(context, { page: '1', per_page: '1' });
  } catch (error) {
    if (!(error instanceof IntegrationError) || (error.status ?? 0) < 500) throw error;
    const { kind, provider, code, status, retryAfterMs } = error;
    throw new IntegrationError(`${error.message} at ${context.account.baseUrl}; ${HOSTS}`, {
      ...{ kind, provider, code, status, retryAfterMs },
      cause: error,
    });
  }
}

/** Returns ShipX's name of a shipment. A label that a person brought has its tracking number only. */
export async function shipxId(context: Context, { carrierReference, trackingNumber }: ShipmentHandle): Promise<string> {
  if (carrierReference !== '') return carrierReference;
  const [shipment] = await listShipments(context, { field: 'tracking_number', value: trackingNumber });
  if (shipment) return String(shipment.id);
  throw new IntegrationError(`${PROVIDER} has no shipment ${trackingNumber} of this organisation`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: 'not-found-at-partner',
  });
}
