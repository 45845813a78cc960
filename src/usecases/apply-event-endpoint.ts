import { EventEndpoint } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import { numberEvents } from '../db/queries/number-events.ts';
import { UsageError } from '../lib/errors.ts';
import { urlFault } from '../lib/public-address.ts';
import type { DeclaredCompany } from './apply-document.ts';
import type { Deps } from './deps.ts';
import { fresh } from './event-endpoints.ts';
import { endpointSeal } from './event-secrets.ts';
import { type Change, upsertSealed } from './upsert-declared.ts';

/**
 * Makes or changes one declared endpoint. A new one is told from now on. One that was disabled for its failures stays so, however
 * often the file is applied, until its address changes or it is switched off and on.
 */
export async function applyEventEndpoint(
  deps: Pick<Deps, 'vault' | 'now' | 'settings'>,
  tx: Em,
  input: { companyId: number; label: string; webhook: DeclaredCompany['webhooks'][number] },
): Promise<Change> {
  const { companyId, webhook } = input;
  const what = `${input.label} webhook ${webhook.key}`;
  const fault = urlFault(webhook.url, { allowPrivate: deps.settings.eventsAllowPrivate });
  if (fault) throw new UsageError(`${what}: url ${fault}`);
  const where = { companyId, key: webhook.key };
  const { id, change } = await upsertSealed(deps, tx, EventEndpoint, where, {
    what,
    sealed: { name: 'secrets', content: { secrets: webhook.secrets } },
    seal: endpointSeal,
    fields: { url: webhook.url, types: webhook.types ?? null, isEnabled: webhook.enabled, previousSecretUntil: null },
    onCreate: { deliveredSequence: await numberEvents(tx, companyId) },
  });
  if (change.change === 'created' || change.fields.some((field) => field === 'url' || field === 'isEnabled')) {
    const { attempt } = await tx.findOneOrFail(EventEndpoint, id);
    const off = { isEnabled: false, disabledAt: deps.now(), disabledReason: 'switched-off' as const };
    await tx.nativeUpdate(EventEndpoint, { id, companyId }, { ...fresh({ attempt }), ...(webhook.enabled ? {} : off) });
  }
  return change;
}
