import { EventEndpoint } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { numberEvents } from '../../db/queries/number-events.ts';
import { urlFault } from '../../lib/public-address.ts';
import { FRESH, overtaken } from '../events/event-endpoints.ts';
import { endpointSeal } from '../events/event-secrets.ts';
import type { DeclaredCompany } from './apply-document.ts';
import type { Applying } from './apply-partners.ts';
import { KEEP, NOTHING_TO_KEEP, openSealed } from './keep-secrets.ts';
import { type Change, upsertSealed } from './upsert-declared.ts';

/**
 * Creates or changes one declared endpoint. A new one gets all later events. One that was disabled for its failures stays disabled
 * until its URL changes, or until it is switched off and on.
 */
export async function applyEventEndpoint(
  { deps, tx, companyId, label, faults, path }: Applying,
  webhook: DeclaredCompany['webhooks'][number],
  index: number,
): Promise<Change | null> {
  const where = { companyId, key: webhook.key };
  const fault = urlFault(webhook.url, { allowPrivate: deps.settings.eventsAllowPrivate });
  if (fault) faults.push({ path: [...path, 'webhooks', index, 'url'], message: fault });
  const isKept = webhook.secrets[0] === KEEP;
  const sealed = isKept ? await readSealed(deps, tx, where) : { secrets: webhook.secrets };
  if (!sealed) faults.push({ path: [...path, 'webhooks', index, 'secrets'], message: NOTHING_TO_KEEP });
  if (!sealed || faults.length > 0) return null;
  const { id, change } = await upsertSealed(deps, tx, EventEndpoint, where, {
    what: `${label} webhook ${webhook.key}`,
    sealed: { name: 'secrets', content: sealed },
    seal: endpointSeal,
    fields: {
      url: webhook.url,
      types: webhook.types ?? null,
      isEnabled: webhook.enabled,
      // Kept secrets keep their expiry.
      ...(isKept ? {} : { previousSecretUntil: null }),
    },
    onCreate: { deliveredSequence: await numberEvents(tx, companyId) },
  });
  if (change.change === 'created' || change.fields.some((field) => field === 'url' || field === 'isEnabled')) {
    const endpoint = await tx.findOneOrFail(EventEndpoint, id);
    const off = { isEnabled: false, disabledAt: deps.now(), disabledReason: 'switched-off' as const };
    await tx.nativeUpdate(
      EventEndpoint,
      { id, companyId },
      { ...FRESH, ...overtaken(endpoint), ...(webhook.enabled ? {} : off) },
    );
  }
  return change;
}

async function readSealed(
  deps: Applying['deps'],
  tx: Em,
  where: { companyId: number; key: string },
): Promise<Record<string, unknown> | null> {
  const known = await tx.findOne(EventEndpoint, where);
  return known && openSealed(deps, known.credentials, endpointSeal(known.id));
}
